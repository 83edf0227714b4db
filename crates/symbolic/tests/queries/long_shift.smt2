; a long and its upper half that are equal, not zero
(set-info :status unsat)
(declare-const x (_ BitVec 64))
(assert (= (bvlshr x #x0000000000000020) x))
(assert (not (= x #x0000000000000000)))
(check-sat)
