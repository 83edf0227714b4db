; Math.abs(x) < 0
(set-info :status sat)
(declare-const x (_ BitVec 32))
(assert (bvslt (ite (bvslt x #x00000000) (bvneg x) x) #x00000000))
(check-sat)
