//! The usual solver: slicing, memory, quick answers, then the complete back end. Owns the order of the links.

use super::cache::{Cache, CacheStatistics};
use super::fast::{Fast, FastStatistics};
use super::independent::Independent;
use super::{Answer, BitBlaster, Limit, Query, Solver};
use crate::expr::{Model, Terms};

/// All links in a row. Belongs to one arena of terms.
pub struct Chain {
    links: Independent<Cache<Fast<Box<dyn Solver + Send>>>>,
}

/// How often each link answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChainStatistics {
    pub cache: CacheStatistics,
    pub fast: FastStatistics,
}

impl Default for Chain {
    fn default() -> Self {
        Chain::over(Box::new(BitBlaster::default()))
    }
}

impl Chain {
    /// The usual links over another back end.
    pub fn over(back_end: Box<dyn Solver + Send>) -> Chain {
        Chain { links: Independent::new(Cache::new(Fast::new(back_end))) }
    }

    /// Lets the inputs of a run be tried on later queries.
    pub fn suggest(&mut self, model: Model) {
        self.links.next_mut().suggest(model);
    }

    /// Forgets what belongs to an arena of terms, before another one is used.
    pub fn forget(&mut self) {
        self.links.next_mut().forget();
    }

    pub fn statistics(&self) -> ChainStatistics {
        let cache = self.links.next();
        ChainStatistics { cache: cache.statistics(), fast: cache.next().statistics() }
    }
}

impl Solver for Chain {
    fn check(&mut self, terms: &mut Terms, query: &Query, limit: Limit<'_>) -> Answer {
        self.links.check(terms, query, limit)
    }

    fn work(&self) -> u64 {
        self.links.work()
    }
}
