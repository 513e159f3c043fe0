(* What closedform's proofs rest on: definitions of functions that the library lacks, and tactics. *)
Require Import Reals Lra Psatz FunctionalExtensionality Coquelicot.Coquelicot.
Open Scope R_scope.

Definition erf (x : R) := 2 / sqrt PI * RInt (fun t => exp (- t ^ 2)) 0 x.
Definition normal_cdf (x : R) := (1 + erf (x / sqrt 2)) / 2.
Definition phi1 (x : R) := if Req_EM_T x 0 then 1 else (exp x - 1) / x.

Lemma named (a : R) : {b : R | b = a}.
Proof. exists a; reflexivity. Qed.

(* Roots, exponentials and logarithms of products. *)
Lemma sqrt_is (b y : R) : 0 <= y -> y ^ 2 = b -> sqrt b = y.
Proof. intros Hy H. rewrite <- H. replace (y ^ 2) with (y * y) by ring. now apply sqrt_square. Qed.
Lemma ln_is (v s : R) : exp s = v -> ln v = s.
Proof. intros H. rewrite <- H. apply ln_exp. Qed.
Lemma exp_scale (n : nat) (x : R) : exp (INR n * x) = exp x ^ n.
Proof.
  induction n as [|n IH].
  - simpl. rewrite Rmult_0_l. apply exp_0.
  - rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH. simpl. ring.
Qed.
Lemma exp_num (p : positive) (x : R) : exp (IZR (Zpos p) * x) = exp x ^ Pos.to_nat p.
Proof. rewrite <- exp_scale, INR_IPR. reflexivity. Qed.
Lemma inv_exp (x : R) : / exp x = exp (- x).
Proof. symmetry; apply exp_Ropp. Qed.
Lemma root_sq (b : R) : 0 <= b -> sqrt b ^ 2 = b.
Proof. intros H. simpl. rewrite Rmult_1_r. now apply sqrt_sqrt. Qed.
Lemma phi1_opened (x : R) : x <> 0 -> phi1 x = (exp x - 1) / x.
Proof. intros H. unfold phi1. destruct (Req_EM_T x 0) as [E|E]; [contradiction|reflexivity]. Qed.
Lemma phi1_0 : phi1 0 = 1.
Proof. unfold phi1. destruct (Req_EM_T 0 0) as [E|E]; [reflexivity|now contradiction E]. Qed.
Lemma Rabs_sq (x : R) : Rabs x ^ 2 = x ^ 2.
Proof. rewrite RPow_abs. apply Rabs_pos_eq. apply pow2_ge_0. Qed.
Lemma sign_is_m1 (x : R) : 0 < x -> sign (- x) = - 1.
Proof. intros H. rewrite sign_eq_m1; lra. Qed.
Lemma sin_sq (x : R) : sin x ^ 2 = 1 - cos x ^ 2.
Proof. pose proof (sin2_cos2 x) as H. unfold Rsqr in H. simpl. lra. Qed.

Lemma phi1_pos (x : R) : 0 < phi1 x.
Proof.
  unfold phi1. destruct (Req_EM_T x 0) as [E|E]; [lra|].
  destruct (Rlt_le_dec 0 x) as [P|N].
  - apply Rdiv_lt_0_compat; [pose proof (exp_ineq1 x); lra | exact P].
  - replace ((exp x - 1) / x) with ((1 - exp x) / - x) by (field; exact E).
    assert (L : x < 0) by lra. apply exp_increasing in L. rewrite exp_0 in L. apply Rdiv_lt_0_compat; lra.
Qed.
Lemma abs_is (x y : R) : 0 <= y -> y ^ 2 = x ^ 2 -> Rabs x = y.
Proof. intros H S. rewrite <- (Rabs_pos_eq y H). apply Rsqr_eq_abs_0. unfold Rsqr. simpl in S. lra. Qed.

(* Signs. *)
Lemma ln_pos (x : R) : 1 < x -> 0 < ln x.
Proof. intros H. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma atan_pos (x : R) : 0 < x -> 0 < atan x.
Proof. intros H. rewrite <- atan_0. now apply atan_increasing. Qed.
Lemma le_ne (x : R) : 0 <= x -> x <> 0 -> 0 < x.
Proof. lra. Qed.
Lemma nz_pos (x : R) : 0 < x -> x <> 0.
Proof. lra. Qed.
Lemma nz_neg (x : R) : 0 < - x -> x <> 0.
Proof. lra. Qed.
Lemma factor_lt (w r f : R) : 0 < w -> w = r * f -> 0 < r -> 0 < f.
Proof. intros W E P. rewrite E in W. apply Rmult_lt_reg_l with r; [exact P | lra]. Qed.
Lemma factor_le (w r f : R) : 0 <= w -> w = r * f -> 0 < r -> 0 <= f.
Proof. intros W E P. rewrite E in W. apply Rmult_le_reg_l with r; [exact P | lra]. Qed.
Lemma factor_ne (w r f : R) : w <> 0 -> w = r * f -> f <> 0.
Proof. intros W E Z. apply W. rewrite E, Z. ring. Qed.
Ltac pos :=
  match goal with
  | |- 0 < _ => assumption
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; pos
  | |- 0 < _ / _ => apply Rdiv_lt_0_compat; pos
  | |- 0 < / _ => apply Rinv_0_lt_compat; pos
  | |- 0 < _ + _ => apply Rplus_lt_0_compat; pos
  | |- 0 < _ + _ => apply Rplus_lt_le_0_compat; [pos | nonneg]
  | |- 0 < _ + _ => apply Rplus_le_lt_0_compat; [nonneg | pos]
  | |- 0 < _ ^ _ => apply pow_lt; pos
  | |- 0 < _ ^ 2 => apply pow2_gt_0; assumption
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < Rpower _ _ => apply exp_pos
  | |- 0 < sqrt _ => apply sqrt_lt_R0; pos
  | |- 0 < Rabs _ => apply Rabs_pos_lt; nz
  | |- 0 < atan _ => apply atan_pos; pos
  | |- 0 < phi1 _ => apply phi1_pos
  | |- 0 < PI => apply PI_RGT_0
  | |- 0 < ln (1 + ?x) => assert (0 < x) by pos; apply ln_pos; lra
  | |- 0 < ln _ => apply ln_pos; lra
  | H : forall x, 0 < x -> 0 < ?f x |- 0 < ?f _ => apply H; pos
  | |- 0 < _ => lra
  end
with nonneg :=
  match goal with
  | |- 0 <= _ => assumption
  | H : 0 < ?x |- 0 <= ?x => exact (Rlt_le 0 x H)
  | |- 0 <= _ * _ => apply Rmult_le_pos; nonneg
  | |- 0 <= _ / _ => apply Rdiv_le_0_compat; [nonneg | pos]
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; nonneg
  | |- 0 <= _ ^ 2 => apply pow2_ge_0
  | |- 0 <= _ ^ 4 => replace 4%nat with (2 * 2)%nat by reflexivity; rewrite pow_mult; apply pow2_ge_0
  | |- 0 <= _ ^ _ => apply pow_le; nonneg
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 <= Rabs _ => apply Rabs_pos
  | |- 0 <= _ => apply Rlt_le; pos
  | |- 0 <= _ => lra
  end
with nz :=
  match goal with
  | |- _ /\ _ => split; nz
  | |- True => exact I
  | |- _ <> 0 => assumption
  | |- _ <> 0 => apply nz_pos; solve [pos]
  | |- _ * _ <> 0 => apply Rmult_integral_contrapositive_currified; nz
  | |- _ ^ _ <> 0 => apply pow_nonzero; nz
  | |- - _ <> 0 => apply Ropp_neq_0_compat; nz
  | |- / _ <> 0 => apply Rinv_neq_0_compat; nz
  | |- _ / _ <> 0 => apply Rmult_integral_contrapositive_currified; [nz | apply Rinv_neq_0_compat; nz]
  | H : ?f <> 0 |- ?e <> 0 => replace e with f by ring; exact H
  | H : _ <> 0 |- _ <> 0 => let C := fresh in intro C; apply H; lra
  | |- _ <> 0 => lra
  | |- _ <> 0 => apply nz_pos; nra
  | |- _ <> 0 => apply nz_neg; nra
  end.

(* Facts that the proof may do without, also by a denominator in factors. *)
Ltac fact G P := first [assert (G : P) by first [nz | pos | nonneg] | pose proof I as G].
Ltac fact_as G a b :=
  first [assert (G : a <> 0) by first [nz | replace a with b by (first [ring | field; nz]); nz] | pose proof I as G].

(* Functions in letters, which leaves an identity of rational functions of the letters. *)
Ltac exps :=
  lazymatch goal with
  | |- _ = 1 => transitivity (exp 0); [apply (f_equal exp) | apply exp_0]
  | |- _ => unfold Rdiv; rewrite ?Rmult_1_l, <- ?exp_scale, ?inv_exp, <- ?exp_plus; apply (f_equal exp); simpl INR
  end.
Ltac letters :=
  lazymatch goal with
  | |- sqrt _ = _ => apply sqrt_is; [nonneg | ]
  | |- Rabs _ = _ => apply abs_is; [nonneg | ]
  | |- ln _ = _ =>
      apply ln_is; unfold Rminus; rewrite ?exp_plus, ?exp_Ropp, ?exp_num, ?exp_0; cbv [Pos.to_nat Pos.iter_op Init.Nat.add];
      repeat match goal with
      | L : exp ?k = _ |- context [exp ?k] => rewrite L
      | D : ?k = exp ?a |- context [exp ?a] => rewrite <- D
      end
  end.
Ltac power :=
  lazymatch goal with
  | |- sqrt _ ^ 2 = _ => rewrite root_sq by nonneg
  | |- Rabs _ ^ 2 = _ => rewrite Rabs_sq
  | |- sin _ ^ 2 = _ => rewrite sin_sq; match goal with D : ?k = cos ?a |- context [cos ?a] => rewrite <- D end
  | |- exp ?a ^ ?n = _ =>
      rewrite <- exp_scale;
      match goal with L : exp ?l = _ |- _ => replace (INR n * a) with l by (simpl INR; field); rewrite L end
  end.
(* Derivatives, with the value that the exporter writes. *)
Lemma d_const (c x : R) : is_derive (fun _ => c) x 0.
Proof. apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule)). Qed.
Lemma d_id (x : R) : is_derive (fun t => t) x 1.
Proof. apply (is_derive_id (K := R_AbsRing)). Qed.
Section Rules.
Variables (f g : R -> R) (x a b c : R).
Lemma same (h : R -> R) (d : R) : is_derive h x d -> Derive (fun t => h t) x = d.
Proof. apply (is_derive_unique h). Qed.
Hypothesis (F : is_derive f x a).
Lemma d_add : is_derive g x b -> is_derive (fun t => f t + g t) x (a + b).
Proof. intros G. apply (is_derive_plus (K := R_AbsRing) (V := R_NormedModule) f g x a b F G). Qed.
Lemma d_add_r : is_derive (fun t => c + f t) x a.
Proof. auto_derive; [now exists a|]. rewrite (same f a F). ring. Qed.
Lemma d_neg : is_derive (fun t => - f t) x (- a).
Proof. auto_derive; [now exists a|]. rewrite (same f a F). ring. Qed.
Lemma d_sub_l : is_derive (fun t => f t - c) x a.
Proof. auto_derive; [now exists a|]. rewrite (same f a F). ring. Qed.
Lemma d_scale : is_derive (fun t => c * f t) x (c * a).
Proof. auto_derive; [now exists a|]. rewrite (same f a F). ring. Qed.
Lemma d_scale_r : is_derive (fun t => f t * c) x (a * c).
Proof. auto_derive; [now exists a|]. rewrite (same f a F). ring. Qed.
Lemma d_over : is_derive (fun t => f t / c) x (a / c).
Proof. unfold Rdiv. auto_derive; [now exists a|]. rewrite (same f a F). ring. Qed.
Lemma d_mul : is_derive g x b -> is_derive (fun t => f t * g t) x (a * g x + f x * b).
Proof.
  intros G. auto_derive; [split; [now exists a | split; [now exists b | exact I]]|].
  rewrite (same f a F), (same g b G). ring.
Qed.
Lemma d_sub : is_derive g x b -> is_derive (fun t => f t - g t) x (a - b).
Proof.
  intros G. auto_derive; [split; [now exists a | split; [now exists b | exact I]]|].
  rewrite (same f a F), (same g b G). ring.
Qed.
Lemma d_div : is_derive g x b -> g x <> 0 -> is_derive (fun t => f t / g t) x ((a * g x - f x * b) / g x ^ 2).
Proof.
  intros G N. auto_derive; [repeat split; [now exists a | now exists b | exact N]|].
  rewrite (same f a F), (same g b G). field. exact N.
Qed.
Lemma is_derive_eq (h : R -> R) (y d e : R) : is_derive h y d -> d = e -> is_derive h y e.
Proof. now intros H <-. Qed.
Lemma d_comp (h : R -> R) (d : R) : is_derive h (f x) d -> is_derive (fun t => h (f t)) x (d * a).
Proof.
  intros H. replace (d * a) with (scal a d) by (unfold scal; simpl; unfold mult; simpl; ring).
  apply (is_derive_comp (K := R_AbsRing) (V := R_NormedModule) h f x d a H F).
Qed.
Lemma d_pow (n m : nat) (r : R) : n = S m -> r = INR n -> is_derive (fun t => f t ^ n) x (r * f x ^ m * a).
Proof.
  intros -> ->. apply (d_comp (fun y => y ^ S m)). apply is_derive_Reals, (derivable_pt_lim_pow (f x) (S m)).
Qed.
Lemma d_exp : is_derive (fun t => exp (f t)) x (exp (f x) * a).
Proof. apply d_comp. apply is_derive_exp. Qed.
Lemma d_sin : is_derive (fun t => sin (f t)) x (cos (f x) * a).
Proof. apply d_comp. apply is_derive_sin. Qed.
Lemma d_cos : is_derive (fun t => cos (f t)) x (- sin (f x) * a).
Proof. apply d_comp. apply is_derive_cos. Qed.
Lemma d_sinh : is_derive (fun t => sinh (f t)) x (cosh (f x) * a).
Proof. apply d_comp. apply is_derive_Reals, derivable_pt_lim_sinh. Qed.
Lemma d_cosh : is_derive (fun t => cosh (f t)) x (sinh (f x) * a).
Proof. apply d_comp. apply is_derive_Reals, derivable_pt_lim_cosh. Qed.
Lemma d_sqrt : 0 < f x -> is_derive (fun t => sqrt (f t)) x (1 / (2 * sqrt (f x)) * a).
Proof.
  intros P. apply d_comp. replace (1 / (2 * sqrt (f x))) with (/ (2 * sqrt (f x))) by (unfold Rdiv; ring).
  now apply is_derive_Reals, derivable_pt_lim_sqrt.
Qed.
Lemma d_ln : 0 < f x -> is_derive (fun t => ln (f t)) x (1 / f x * a).
Proof.
  intros P. apply d_comp. replace (1 / f x) with (/ f x) by (unfold Rdiv; ring).
  now apply is_derive_Reals, derivable_pt_lim_ln.
Qed.
Lemma d_atan : is_derive (fun t => atan (f t)) x (1 / (1 + f x ^ 2) * a).
Proof.
  apply d_comp. replace (1 / (1 + f x ^ 2)) with (/ (1 + f x ^ 2)) by (unfold Rdiv; ring).
  apply is_derive_Reals, derivable_pt_lim_atan.
Qed.
Lemma d_asin : 0 < 1 - f x ^ 2 -> is_derive (fun t => asin (f t)) x (1 / sqrt (1 - f x ^ 2) * a).
Proof.
  intros P. apply d_comp. assert (B : -1 < f x < 1) by (split; nra). apply is_derive_Reals.
  replace (f x ^ 2) with (f x)² by (unfold Rsqr; ring). rewrite <- (derive_pt_asin (f x) B).
  unfold derive_pt. now destruct (derivable_pt_asin (f x) B).
Qed.
Lemma d_acos : 0 < 1 - f x ^ 2 -> is_derive (fun t => acos (f t)) x (- (1 / sqrt (1 - f x ^ 2)) * a).
Proof.
  intros P. apply d_comp. assert (B : -1 < f x < 1) by (split; nra). apply is_derive_Reals.
  replace (- (1 / sqrt (1 - f x ^ 2))) with (-1 / sqrt (1 - (f x)²)).
  - rewrite <- (derive_pt_acos (f x) B). unfold derive_pt. now destruct (derivable_pt_acos (f x) B).
  - replace ((f x)²) with (f x ^ 2) by (unfold Rsqr; ring). unfold Rdiv. ring.
Qed.
End Rules.
Lemma continuous_bell (t : R) : continuous (fun t => exp (- t ^ 2)) t.
Proof. apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I. Qed.
Lemma d_erf_at (x : R) : is_derive erf x (2 / sqrt PI * exp (- x ^ 2)).
Proof.
  unfold erf. apply d_scale. apply (is_derive_RInt (V := R_CompleteNormedModule) (fun t => exp (- t ^ 2)) _ 0).
  - apply filter_forall. intros y. apply (RInt_correct (V := R_CompleteNormedModule)).
    apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros z _. apply continuous_bell.
  - apply continuous_bell.
Qed.
Lemma erf_0 : erf 0 = 0.
Proof. unfold erf. rewrite RInt_point. unfold zero. simpl. ring. Qed.
Lemma d_phi1 f x a : is_derive f x a -> f x <> 0 -> is_derive (fun t => phi1 (f t)) x ((exp (f x) - phi1 (f x)) / f x * a).
Proof.
  intros F N. apply (d_comp f x a F phi1). rewrite (phi1_opened _ N). apply is_derive_ext_loc with (fun y => (exp y - 1) / y).
  - apply (filter_imp (fun y => y <> 0)); [intros y Y; symmetry; now apply phi1_opened | now apply open_neq].
  - eapply is_derive_eq.
    + apply (d_div (fun y => exp y - 1) (fun y => y)); [apply d_sub_l, d_exp, d_id | apply d_id | exact N].
    + cbv beta. field. exact N.
Qed.
Lemma d_erf f x a : is_derive f x a -> is_derive (fun t => erf (f t)) x (2 / sqrt PI * exp (- f x ^ 2) * a).
Proof. intros F. apply d_comp; [exact F | apply d_erf_at]. Qed.
Lemma d_normal_cdf f x a :
  is_derive f x a -> is_derive (fun t => normal_cdf (f t)) x (exp (- (f x ^ 2 / 2)) / (sqrt 2 * sqrt PI) * a).
Proof.
  intros F. apply (d_comp f x a F normal_cdf). unfold normal_cdf.
  assert (S : sqrt 2 <> 0) by (apply Rgt_not_eq, sqrt_lt_R0; lra).
  assert (P : sqrt PI <> 0) by (apply Rgt_not_eq, sqrt_lt_R0, PI_RGT_0).
  assert (S2 : sqrt 2 ^ 2 = 2) by (apply root_sq; lra).
  pose proof (d_over _ _ _ 2 (d_add_r _ _ _ 1 (d_erf _ _ _ (d_over _ _ _ (sqrt 2) (d_id (f x)))))) as H.
  eapply is_derive_eq; [exact H|]. cbv beta. replace (- (f x / sqrt 2) ^ 2) with (- (f x ^ 2 / 2)).
  - field; auto.
  - transitivity (- (f x ^ 2 / sqrt 2 ^ 2)); [rewrite S2; field | field; auto].
Qed.
Lemma d_Rpower f g x a b : is_derive f x a -> is_derive g x b -> 0 < f x ->
  is_derive (fun t => Rpower (f t) (g t)) x (Rpower (f x) (g x) * (b * ln (f x) + g x * (a / f x))).
Proof.
  intros F G P. unfold Rpower. eapply is_derive_eq; [apply d_exp, d_mul; [exact G | apply d_ln; [exact F | exact P]]|]. cbv beta. field. lra.
Qed.
Ltac d_step :=
  match goal with
  | |- is_derive (fun _ => ?c) ?x _ => exact (d_const c x)
  | |- is_derive (fun t => t) ?x _ => exact (d_id x)
  | |- is_derive (fun t => @?f t + @?g t) ?x _ => refine (d_add f g x _ _ _ _)
  | |- is_derive (fun t => @?f t - @?g t) ?x _ => refine (d_sub f g x _ _ _ _)
  | |- is_derive (fun t => - @?f t) ?x _ => refine (d_neg f x _ _)
  | |- is_derive (fun t => ?c * @?f t) ?x _ => refine (d_scale f x _ c _)
  | |- is_derive (fun t => @?f t * ?c) ?x _ => refine (d_scale_r f x _ c _)
  | |- is_derive (fun t => @?f t * @?g t) ?x _ => refine (d_mul f g x _ _ _ _)
  | |- is_derive (fun t => @?f t / ?c) ?x _ => refine (d_over f x _ c _)
  | |- is_derive (fun t => @?f t / @?g t) ?x _ => refine (d_div f g x _ _ _ _ _)
  | |- is_derive (fun t => @?f t ^ ?n) ?x _ => refine (d_pow f x _ _ n _ _ _ _)
  | |- is_derive (fun t => Rpower (@?f t) (@?g t)) ?x _ => refine (d_Rpower f g x _ _ _ _ _)
  | |- is_derive (fun t => exp (@?f t)) ?x _ => refine (d_exp f x _ _)
  | |- is_derive (fun t => sin (@?f t)) ?x _ => refine (d_sin f x _ _)
  | |- is_derive (fun t => cos (@?f t)) ?x _ => refine (d_cos f x _ _)
  | |- is_derive (fun t => sinh (@?f t)) ?x _ => refine (d_sinh f x _ _)
  | |- is_derive (fun t => cosh (@?f t)) ?x _ => refine (d_cosh f x _ _)
  | |- is_derive (fun t => atan (@?f t)) ?x _ => refine (d_atan f x _ _)
  | |- is_derive (fun t => erf (@?f t)) ?x _ => refine (d_erf f x _ _)
  | |- is_derive (fun t => normal_cdf (@?f t)) ?x _ => refine (d_normal_cdf f x _ _)
  | |- is_derive (fun t => phi1 (@?f t)) ?x _ => refine (d_phi1 f x _ _ _)
  | H : forall y, 0 < y -> is_derive ?h y _ |- is_derive (fun t => ?h (@?f t)) ?x _ => refine (d_comp f x _ _ h _ (H _ _))
  | |- is_derive (fun t => sqrt (@?f t)) ?x _ => refine (d_sqrt f x _ _ _)
  | |- is_derive (fun t => ln (@?f t)) ?x _ => refine (d_ln f x _ _ _)
  | |- is_derive (fun t => asin (@?f t)) ?x _ => refine (d_asin f x _ _ _)
  | |- is_derive (fun t => acos (@?f t)) ?x _ => refine (d_acos f x _ _ _)
  end.

Ltac drv :=
  d_step;
  lazymatch goal with
  | |- is_derive _ _ _ => drv
  | |- _ <> 0 => nz
  | |- 0 < _ => pos
  | |- _ = S _ => reflexivity
  | |- ?r = INR _ => tryif is_evar r then reflexivity else (simpl; lra)
  end.

(* A neighbourhood of a point at which a condition holds. *)
Lemma near_neq (c : R -> R) (x : R) : ex_derive c x -> c x <> 0 -> locally x (fun t => c t <> 0).
Proof.
  intros D N. apply (ex_derive_continuous (V := R_NormedModule)) in D. apply (D (fun y => y <> 0)).
  now apply open_neq.
Qed.
Lemma near_pos (c : R -> R) (x : R) : ex_derive c x -> 0 < c x -> locally x (fun t => 0 < c t).
Proof.
  intros D N. apply (ex_derive_continuous (V := R_NormedModule)) in D. apply (D (fun y => 0 < y)).
  now apply open_gt.
Qed.
Lemma nearby (c : R -> Prop) (f g : R -> R) (x : R) :
  locally x c -> (forall t, c t -> f t = g t) -> Derive f x = Derive g x.
Proof. intros L E. apply Derive_ext_loc. now apply (filter_imp c). Qed.
Ltac near :=
  lazymatch goal with
  | |- locally _ (fun _ => True) => apply filter_forall; intros; exact I
  | |- locally _ (fun t => @?c t /\ @?d t) => apply (filter_and c d); near
  | |- locally ?x (fun t => @?c t <> 0) => apply (near_neq c x); [eexists; drv | cbv beta; nz]
  | |- locally ?x (fun t => 0 < @?c t) => apply (near_pos c x); [eexists; drv | cbv beta; pos]
  end.

(* Values of functions at points. *)
Ltac special :=
  lazymatch goal with
  | |- Rpower _ _ = _ => reflexivity
  | |- normal_cdf _ = _ => reflexivity
  | |- phi1 0 = _ => apply phi1_0
  | |- phi1 _ = _ => apply phi1_opened; nz
  | |- sign _ = 1 => apply sign_eq_1; pos
  | |- sign _ = _ => apply sign_is_m1; pos
  | H : forall x, 0 < x -> ?f (x + 1) = _ |- ?f (_ + 1) = _ => apply H; pos
  | |- _ => first [apply sin_0 | apply cos_0 | apply asin_0 | apply atan_0 | apply erf_0 | apply asin_1 | apply sin_neg
      | apply cos_neg | apply sin_plus | apply cos_plus]
  end.
