; no float has the square 2
(set-info :status unsat)
(declare-const x Float32)
(assert (fp.eq x (fp.sqrt RNE ((_ to_fp 8 24) #x40000000))))
(assert (fp.eq (fp.mul RNE x x) ((_ to_fp 8 24) #x40000000)))
(check-sat)
