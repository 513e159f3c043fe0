(* Sums with real ends and limits at infinity, for the proofs that have them. *)
Require Import Reals Lra Lia Coquelicot.Coquelicot prelude.
Open Scope R_scope.

(* The sum of f (low), f (low + 1), ..., f (high); what is left of a number of terms that is not whole counts as a part. *)
Fixpoint terms (f : R -> R) (low : R) (n : nat) : R :=
  match n with O => 0 | S m => terms f low m + f (low + INR m) end.
Definition sum_to (f : R -> R) (low high : R) : R :=
  let count := high - low + 1 in
  terms f low (Z.to_nat (Int_part count)) + frac_part count * f (low + IZR (Int_part count)).
Lemma sum_of_whole (f : R -> R) (low : R) (n : nat) : sum_to f low (low + INR n - 1) = terms f low n.
Proof.
  unfold sum_to. replace (low + INR n - 1 - low + 1) with (INR n) by ring.
  rewrite Int_part_INR, Nat2Z.id. unfold frac_part. rewrite Int_part_INR, <- INR_IZR_INZ. ring.
Qed.
Lemma equal_terms (c low : R) (n : nat) : terms (fun _ => c) low n = INR n * c.
Proof. induction n as [|n IH]; [simpl; ring | rewrite S_INR; simpl; rewrite IH; ring]. Qed.
Lemma sum_of_equal (c low high : R) : 0 <= high - low + 1 -> sum_to (fun _ => c) low high = (high - low + 1) * c.
Proof.
  intros N. unfold sum_to. rewrite equal_terms. set (count := high - low + 1) in *.
  assert (P : (0 <= Int_part count)%Z).
  { destruct (base_Int_part count) as [_ B]. apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. lra. }
  rewrite INR_IZR_INZ, Z2Nat.id by exact P. unfold frac_part. ring.
Qed.
(* Limits at infinity. *)
Lemma limit_is (f : R -> R) (l : R) : is_lim f p_infty l -> real (Lim (fun t => f t) p_infty) = l.
Proof. intros H. change (Lim (fun t => f t) p_infty) with (Lim f p_infty). now rewrite (is_lim_unique f p_infty l H). Qed.
Lemma later (f g : R -> R) (l : R) : (forall t, 0 < t -> f t = g t) -> is_lim g p_infty l -> is_lim f p_infty l.
Proof. intros E. apply is_lim_ext_loc. exists 0. intros t T. symmetry. now apply E. Qed.
Lemma l_add (f g : R -> R) (a b : R) : is_lim f p_infty a -> is_lim g p_infty b -> is_lim (fun t => f t + g t) p_infty (a + b).
Proof. intros F G. now apply is_lim_plus'. Qed.
Lemma l_mul (f g : R -> R) (a b : R) : is_lim f p_infty a -> is_lim g p_infty b -> is_lim (fun t => f t * g t) p_infty (a * b).
Proof. intros F G. now apply (is_lim_mult f g p_infty a b). Qed.
Lemma l_zero (f : R -> R) (c : R) : is_lim f p_infty 0 -> is_lim (fun t => c * f t) p_infty 0.
Proof. intros F. replace 0 with (c * 0) by ring. apply l_mul; [apply is_lim_const | exact F]. Qed.
Lemma l_div (f g : R -> R) (a b : R) : is_lim f p_infty a -> is_lim g p_infty b -> b <> 0 -> is_lim (fun t => f t / g t) p_infty (a / b).
Proof.
  intros F G N. apply (is_lim_div f g p_infty a b F G); [intros E; apply N; now injection E | exact I].
Qed.
Lemma l_quotient (f n d : R -> R) (a b : R) :
  (forall t, 0 < t -> d t <> 0 -> f t = n t / d t) -> is_lim n p_infty a -> is_lim d p_infty b -> b <> 0 ->
  is_lim f p_infty (a / b).
Proof.
  intros E N D B. apply (is_lim_ext_loc (fun t => n t / d t)); [| now apply l_div].
  assert (V : Rbar_locally' p_infty (fun t => d t <> 0)) by (apply (D (fun y => y <> 0)); now apply open_neq).
  destruct V as [M V]. exists (Rmax M 0). intros t T. symmetry. apply E; [| apply V].
  - apply Rle_lt_trans with (Rmax M 0); [apply Rmax_r | exact T].
  - apply Rle_lt_trans with (Rmax M 0); [apply Rmax_l | exact T].
Qed.
Lemma down (a : R) : 0 < a -> is_lim (fun t => - (a * t)) p_infty m_infty.
Proof.
  intros A P [M H]. exists (- M / a). intros t T. apply H.
  apply (Rmult_lt_compat_l a _ _ A) in T. replace (a * (- M / a)) with (- M) in T by (field; lra). lra.
Qed.
Lemma l_exp (a : R) : 0 < a -> is_lim (fun t => exp (- (a * t))) p_infty 0.
Proof.
  intros A. apply (is_lim_comp exp (fun t => - (a * t)) p_infty 0 m_infty); [apply is_lim_exp_m | now apply down |].
  exists 0. intros; discriminate.
Qed.
Lemma l_first (a : R) : 0 < a -> is_lim (fun t => t * exp (- (a * t))) p_infty 0.
Proof.
  intros A. apply later with (fun t => - (1 / a) * (- (a * t) * exp (- (a * t)))); [intros; field; lra |].
  apply l_zero. apply (is_lim_comp (fun y => y * exp y) (fun t => - (a * t)) p_infty 0 m_infty).
  - apply is_lim_mul_exp_m.
  - now apply down.
  - exists 0. intros; discriminate.
Qed.
Lemma l_powers (j : nat) : forall a, 0 < a -> is_lim (fun t => t ^ j * exp (- (a * t))) p_infty 0.
Proof.
  induction j as [|j IH]; intros a A.
  - apply later with (fun t => exp (- (a * t))); [intros; simpl; ring | now apply l_exp].
  - apply later with (fun t => (t * exp (- (a / 2 * t))) * (t ^ j * exp (- (a / 2 * t)))).
    + intros t _. replace (- (a * t)) with (- (a / 2 * t) + - (a / 2 * t)) by field. rewrite exp_plus. simpl. ring.
    + replace 0 with (0 * 0) by ring. apply l_mul; [apply l_first | apply IH]; lra.
Qed.
Lemma l_over (k : nat) : is_lim (fun t => (1 / t) ^ S k) p_infty 0.
Proof.
  assert (B : is_lim (fun t => 1 / t) p_infty 0).
  { apply later with (fun t => / t); [intros; unfold Rdiv; ring |].
    apply (is_lim_inv (fun t => t) p_infty p_infty); [apply is_lim_id | discriminate]. }
  induction k as [|k IH].
  - apply later with (fun t => 1 / t); [intros; ring | exact B].
  - replace 0 with (0 * 0) by ring. apply (l_mul _ (fun t => (1 / t) ^ S k)); [exact B | exact IH].
Qed.
Lemma l_decay (c a : R) (j : nat) : 0 < a -> is_lim (fun t => c * (t ^ j * exp (- (a * t)))) p_infty 0.
Proof. intros A. now apply l_zero, l_powers. Qed.
Lemma l_slow (c : R) (k : nat) : is_lim (fun t => c * (1 / t) ^ S k) p_infty 0.
Proof. apply l_zero, l_over. Qed.
Lemma l_both (c a : R) (k : nat) : 0 < a -> is_lim (fun t => c * ((1 / t) ^ S k * exp (- (a * t)))) p_infty 0.
Proof.
  intros A. apply l_zero. replace 0 with (0 * 0) by ring.
  apply (l_mul (fun t => (1 / t) ^ S k)); [apply l_over | now apply l_exp].
Qed.
Ltac lim :=
  lazymatch goal with
  | |- is_lim (fun t => @?f t + @?g t) _ _ => apply (l_add f g); lim
  | |- is_lim (fun t => ?c * (t ^ ?j * exp (- (?a * t)))) _ _ => apply (l_decay c a j); pos
  | |- is_lim (fun t => ?c * ((1 / t) ^ ?k * exp (- (?a * t)))) _ _ => apply (l_both c a (pred k)); pos
  | |- is_lim (fun t => ?c * (1 / t) ^ ?k) _ _ => apply (l_slow c (pred k))
  | |- is_lim (fun _ => ?c) _ _ => apply (is_lim_const c)
  end.
