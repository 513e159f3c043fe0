Require Import prelude. Require Import Reals Lra Psatz Coquelicot.Coquelicot. Open Scope R_scope. Set Default Timeout 10.
Goal forall t, 0 < t -> is_derive (fun t' => - (1 / 2) + 1 / (2 * t' ^ 2)) t (- (1 * (2 * (2 * t ^ 1 * 1))) / (2 * t ^ 2) ^ 2).
intros. drv. Qed. About d_pow. 
Goal forall distance k3, 0< distance -> 0 <k3 -> k3^2 = 2 ->  distance / 2 / k3= 1 / (2 / distance) / k3 .
intros. field. Show. nz. Qed.
Goal forall k1, 0<k1 -> k1^2 =3 -> (1 / 3 * k1)^2 = - 1 + 1 / (k1 / 2) ^ 2. intros. field [H0]. nz. Qed.
