; (int) x is the largest int though x is below it
(set-info :status unsat)
(declare-const x Float64)
(assert (= (java.f64_to_s32 x) #x7fffffff))
(assert (fp.lt x ((_ to_fp 11 53) #x41dfffffffc00000)))
(check-sat)
