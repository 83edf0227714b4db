//! The instructions without operands and the conditions of branches, with their effect on the stack. Owns opcode
//! numbers and depths only; emitting is `code`'s.

macro_rules! ops {
    ($($name:ident = $code:literal, $pops:literal, $pushes:literal;)*) => {
        /// An instruction without operands that goes on to the next one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Op { $($name = $code),* }

        impl Op {
            pub fn opcode(self) -> u8 {
                self as u8
            }
            /// Slots taken from the stack.
            pub fn pops(self) -> usize {
                match self { $(Op::$name => $pops),* }
            }
            /// Slots put on the stack.
            pub fn pushes(self) -> usize {
                match self { $(Op::$name => $pushes),* }
            }
        }
    };
}

ops! {
    Nop = 0, 0, 0; AconstNull = 1, 0, 1;
    Iaload = 46, 2, 1; Laload = 47, 2, 2; Faload = 48, 2, 1; Daload = 49, 2, 2; Aaload = 50, 2, 1; Baload = 51, 2, 1;
    Caload = 52, 2, 1; Saload = 53, 2, 1;
    Iastore = 79, 3, 0; Lastore = 80, 4, 0; Fastore = 81, 3, 0; Dastore = 82, 4, 0; Aastore = 83, 3, 0; Bastore = 84, 3, 0;
    Castore = 85, 3, 0; Sastore = 86, 3, 0;
    Pop = 87, 1, 0; Pop2 = 88, 2, 0; Dup = 89, 1, 2; DupX1 = 90, 2, 3; DupX2 = 91, 3, 4; Dup2 = 92, 2, 4; Dup2X1 = 93, 3, 5;
    Dup2X2 = 94, 4, 6; Swap = 95, 2, 2;
    Iadd = 96, 2, 1; Ladd = 97, 4, 2; Fadd = 98, 2, 1; Dadd = 99, 4, 2;
    Isub = 100, 2, 1; Lsub = 101, 4, 2; Fsub = 102, 2, 1; Dsub = 103, 4, 2;
    Imul = 104, 2, 1; Lmul = 105, 4, 2; Fmul = 106, 2, 1; Dmul = 107, 4, 2;
    Idiv = 108, 2, 1; Ldiv = 109, 4, 2; Fdiv = 110, 2, 1; Ddiv = 111, 4, 2;
    Irem = 112, 2, 1; Lrem = 113, 4, 2; Frem = 114, 2, 1; Drem = 115, 4, 2;
    Ineg = 116, 1, 1; Lneg = 117, 2, 2; Fneg = 118, 1, 1; Dneg = 119, 2, 2;
    Ishl = 120, 2, 1; Lshl = 121, 3, 2; Ishr = 122, 2, 1; Lshr = 123, 3, 2; Iushr = 124, 2, 1; Lushr = 125, 3, 2;
    Iand = 126, 2, 1; Land = 127, 4, 2; Ior = 128, 2, 1; Lor = 129, 4, 2; Ixor = 130, 2, 1; Lxor = 131, 4, 2;
    I2l = 133, 1, 2; I2f = 134, 1, 1; I2d = 135, 1, 2; L2i = 136, 2, 1; L2f = 137, 2, 1; L2d = 138, 2, 2;
    F2i = 139, 1, 1; F2l = 140, 1, 2; F2d = 141, 1, 2; D2i = 142, 2, 1; D2l = 143, 2, 2; D2f = 144, 2, 1;
    I2b = 145, 1, 1; I2c = 146, 1, 1; I2s = 147, 1, 1;
    Lcmp = 148, 4, 1; Fcmpl = 149, 2, 1; Fcmpg = 150, 2, 1; Dcmpl = 151, 4, 1; Dcmpg = 152, 4, 1;
    Arraylength = 190, 1, 1; Monitorenter = 194, 1, 0; Monitorexit = 195, 1, 0;
}

/// When a conditional jump is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Condition {
    /// One `int` against zero.
    Eq = 153,
    Ne = 154,
    Lt = 155,
    Ge = 156,
    Gt = 157,
    Le = 158,
    /// Two `int`s.
    IntEq = 159,
    IntNe = 160,
    IntLt = 161,
    IntGe = 162,
    IntGt = 163,
    IntLe = 164,
    /// Two references.
    SameReference = 165,
    OtherReference = 166,
    Null = 198,
    NonNull = 199,
}

impl Condition {
    pub fn opcode(self) -> u8 {
        self as u8
    }
    /// Slots taken from the stack.
    pub fn pops(self) -> usize {
        if (159..=166).contains(&self.opcode()) { 2 } else { 1 }
    }
}
