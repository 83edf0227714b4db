; the limit itself: weight / (height * height) == 18.5, height above 1.5
(set-info :status sat)
(declare-const w Float64)
(declare-const h Float64)
(assert (fp.lt ((_ to_fp 11 53) #x3ff8000000000000) h))
(assert (fp.lt h ((_ to_fp 11 53) #x4000000000000000)))
(assert (fp.lt ((_ to_fp 11 53) #x4049000000000000) w))
(assert (fp.eq (fp.div RNE w (fp.mul RNE h h)) ((_ to_fp 11 53) #x4032800000000000)))
(check-sat)
