; one write into a new array shows at its index only
(set-info :status unsat)
(declare-const i (_ BitVec 32))
(declare-const k (_ BitVec 32))
(define-fun a () (Array (_ BitVec 32) (_ BitVec 32)) (store ((as const (Array (_ BitVec 32) (_ BitVec 32))) #x00000000) i #x00000007))
(assert (not (= k i)))
(assert (not (= (select a k) #x00000000)))
(check-sat)
