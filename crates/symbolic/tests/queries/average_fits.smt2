; a + ((b - a) >>> 1) stays between a and b
(set-info :status unsat)
(declare-const a (_ BitVec 32))
(declare-const b (_ BitVec 32))
(assert (bvsle #x00000000 a))
(assert (bvsle a b))
(define-fun m () (_ BitVec 32) (bvadd a (bvlshr (bvsub b a) #x00000001)))
(assert (or (bvslt m a) (bvslt b m)))
(check-sat)
