//! The kinds of faults. Owns their names and which of them PIT makes by default, so that scores can be compared on what
//! both know.

/// What a mutant does to the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operator {
    /// `<` becomes `<=` and the like.
    Boundary,
    /// A condition becomes its opposite.
    Negated,
    /// `i++` becomes `i--`.
    Increment,
    /// `-x` becomes `x`.
    Negative,
    /// `+` becomes `-` and the like.
    Math,
    /// A call without result does not happen.
    VoidCall,
    /// An empty value is given back: "", 0 in a box, no elements.
    EmptyReturn,
    FalseReturn,
    TrueReturn,
    NullReturn,
    /// Zero is given back.
    PrimitiveReturn,
    /// A number in the code is another one.
    Constant,
    /// A field keeps its value.
    FieldWrite,
}

impl Operator {
    pub const ALL: [Operator; 13] = [
        Operator::Boundary,
        Operator::Negated,
        Operator::Increment,
        Operator::Negative,
        Operator::Math,
        Operator::VoidCall,
        Operator::EmptyReturn,
        Operator::FalseReturn,
        Operator::TrueReturn,
        Operator::NullReturn,
        Operator::PrimitiveReturn,
        Operator::Constant,
        Operator::FieldWrite,
    ];

    /// Among the operators PIT uses unless told otherwise.
    pub fn is_common(self) -> bool {
        !matches!(self, Operator::Constant | Operator::FieldWrite)
    }

    /// As in reports.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Boundary => "conditionals-boundary",
            Operator::Negated => "negate-conditionals",
            Operator::Increment => "increments",
            Operator::Negative => "invert-negatives",
            Operator::Math => "math",
            Operator::VoidCall => "void-method-calls",
            Operator::EmptyReturn => "empty-returns",
            Operator::FalseReturn => "false-returns",
            Operator::TrueReturn => "true-returns",
            Operator::NullReturn => "null-returns",
            Operator::PrimitiveReturn => "primitive-returns",
            Operator::Constant => "constants",
            Operator::FieldWrite => "field-writes",
        }
    }
}
