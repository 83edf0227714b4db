; x != x
(set-info :status sat)
(declare-const x Float64)
(assert (not (fp.eq x x)))
(check-sat)
