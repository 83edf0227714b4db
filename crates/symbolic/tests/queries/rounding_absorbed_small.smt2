; x + 1 == x with x below 2^52
(set-info :status unsat)
(declare-const x Float32)
(assert (fp.lt x ((_ to_fp 8 24) #x4b000000)))
(assert (fp.lt ((_ to_fp 8 24) #x3f800000) x))
(assert (fp.eq (fp.add RNE x ((_ to_fp 8 24) #x3f800000)) x))
(check-sat)
