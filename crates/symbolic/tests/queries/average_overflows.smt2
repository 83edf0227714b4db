; (a + b) / 2 below both, for positive a and b
(set-info :status sat)
(declare-const a (_ BitVec 32))
(declare-const b (_ BitVec 32))
(assert (bvslt #x00000000 a))
(assert (bvslt #x00000000 b))
(assert (bvslt (bvsdiv (bvadd a b) #x00000002) a))
(assert (bvslt (bvsdiv (bvadd a b) #x00000002) b))
(check-sat)
