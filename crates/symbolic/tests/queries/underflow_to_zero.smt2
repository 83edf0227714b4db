; positive numbers whose product is zero
(set-info :status sat)
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.lt (_ +zero 8 24) x))
(assert (fp.lt (_ +zero 8 24) y))
(assert (fp.isZero (fp.mul RNE x y)))
(check-sat)
