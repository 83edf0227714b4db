; x + 1 == x for a finite x
(set-info :status sat)
(declare-const x Float64)
(assert (fp.lt ((_ to_fp 11 53) #x0000000000000000) x))
(assert (fp.lt x ((_ to_fp 11 53) #x7ff0000000000000)))
(assert (fp.eq (fp.add RNE x ((_ to_fp 11 53) #x3ff0000000000000)) x))
(check-sat)
