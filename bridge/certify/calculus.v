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
