; below 18.5 and at least 25 at once
(set-info :status unsat)
(declare-const w Float64)
(declare-const h Float64)
(define-fun bmi () Float64 (fp.div RNE w (fp.mul RNE h h)))
(assert (fp.lt bmi ((_ to_fp 11 53) #x4032800000000000)))
(assert (not (fp.lt bmi ((_ to_fp 11 53) #x4039000000000000))))
(check-sat)
