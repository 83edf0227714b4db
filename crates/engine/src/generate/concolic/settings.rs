//! What a caller may set about concolic generation. Owns defaults only.

pub use symbolic::vm::Representation;

/// Settings of the generator `concolic`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concolic {
    /// Most calls in a sequence.
    pub calls: usize,
    /// Most ways through one call behind one state.
    pub paths: usize,
    /// How much a question to the solver is worth.
    pub conflicts: u32,
    pub order: Order,
    /// Which ways become tests.
    pub criterion: Criterion,
    /// Candidates whose calls cannot be linked are left out.
    pub dataflow: bool,
    /// Independent calls come in one order only.
    pub partial_order: bool,
    /// What candidates begin with in common is explored once.
    pub grouping: bool,
    /// Ways on which a call did not matter are not gone on with.
    pub prune: bool,
    /// States that an earlier one allows are not gone on with; not in the exhaustive order.
    pub merge: bool,
    /// References may be null.
    pub nulls: bool,
    /// Trees hold the conditions of callees instead of references to the callees' trees.
    pub inline_callees: bool,
    /// Most states waiting to be gone on with.
    pub max_states: usize,
    /// What array accesses at indices that are inputs mean.
    pub heap: Representation,
}

/// What comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// What can still cover something, then by length.
    Aimed,
    /// All sequences of one length, then those one longer; states are kept.
    Breadth,
    /// The same, in memory that does not grow: sequences are explored again from their beginning for every length.
    Exhaustive,
}

/// Which ways become tests: those that show something new of this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    Branch,
    Line,
    /// Ways through the method under test.
    Path,
    /// Branches, and the values on both sides of every comparison's edge.
    Boundary,
    /// Branches, and sums and products that wrap around.
    Overflow,
}

impl Default for Concolic {
    fn default() -> Self {
        Concolic {
            calls: 12,
            paths: 10,
            conflicts: 2_000,
            order: Order::Aimed,
            criterion: Criterion::Branch,
            dataflow: true,
            partial_order: true,
            grouping: true,
            prune: true,
            merge: true,
            nulls: true,
            inline_callees: false,
            max_states: 20_000,
            heap: Representation::Simulation,
        }
    }
}
