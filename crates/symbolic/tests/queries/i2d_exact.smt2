; an int that a double does not hold
(set-info :status unsat)
(declare-const i (_ BitVec 32))
(declare-const d Float64)
(assert (fp.eq d ((_ to_fp 11 53) RNE i)))
(assert (not (= (java.f64_to_s32 d) i)))
(check-sat)
