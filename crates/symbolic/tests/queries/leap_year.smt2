; a year divisible by 400 that is no leap year
(set-info :status unsat)
(declare-const y (_ BitVec 32))
(assert (bvslt #x00000000 y))
(assert (= (bvsrem y #x00000190) #x00000000))
(assert (not (or (= (bvsrem y #x00000190) #x00000000) (and (= (bvsrem y #x00000004) #x00000000) (not (= (bvsrem y #x00000064) #x00000000))))))
(check-sat)
