; three sides of a triangle with a right angle
(set-info :status sat)
(declare-const a (_ BitVec 32))
(declare-const b (_ BitVec 32))
(declare-const c (_ BitVec 32))
(assert (and (bvslt #x00000004 a) (bvslt a b) (bvslt b c) (bvslt c #x00000064)))
(assert (= (bvadd (bvmul a a) (bvmul b b)) (bvmul c c)))
(check-sat)
