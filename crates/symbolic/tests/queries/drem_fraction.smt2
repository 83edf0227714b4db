; x % 1 is a half
(set-info :status sat)
(declare-const x Float32)
(assert (fp.lt ((_ to_fp 8 24) #x40400000) x))
(assert (fp.lt x ((_ to_fp 8 24) #x42c80000)))
(assert (fp.eq (java.rem32 x ((_ to_fp 8 24) #x3f800000)) ((_ to_fp 8 24) #x3f000000)))
(check-sat)
