; the only read depends on an index that nothing else speaks of
(set-info :status sat)
(declare-const i (_ BitVec 2))
(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))
(assert (= (select (store a ((_ zero_extend 30) i) #x00) ((_ zero_extend 30) (bvadd i #b10))) #x05))
(check-sat)
