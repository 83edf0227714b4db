; an int that a float does not hold
(set-info :status sat)
(declare-const i (_ BitVec 32))
(assert (not (= (java.f32_to_s32 ((_ to_fp 8 24) RNE i)) i)))
(assert (bvslt i #x02000000))
(assert (bvslt #x00000000 i))
(check-sat)
