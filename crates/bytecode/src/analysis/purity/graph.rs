//! The objects of one method and the references between them, while it is analysed. Owns the graph and how a callee's
//! summary is applied to it.

use super::summary::{
    Exact, FIRST_SITE, FIXED, FRESH, GLOBAL, MOST_PARAMS, RESULT, Summary, THROWN, beyond, bit, bits, param, param_of,
};

/// Grows only. A bit stands for an object or many; the bits are those of summaries, then one per place that makes
/// objects.
pub(super) struct Graph {
    edges: [u64; 64],
    /// By edge: the act that made it, from 1; `SEVERAL` if more than one did, or if it was there from the start.
    makers: Vec<[u16; 64]>,
    /// The act that is being done, from 1.
    current: u16,
    pub written: u64,
    pub asked: u64,
    pub returned: u64,
    pub thrown: u64,
    pub exact: Vec<Exact>,
    /// Parameters, and what is beyond them, to which something from beyond the same parameter was stored: it may have
    /// been moved.
    moved: u64,
    /// Arrays of primitive values, which refer to nothing.
    leaves: u64,
    /// Something was added since this was last set to false.
    pub changed: bool,
}

const SEVERAL: u16 = u16::MAX;

impl Graph {
    /// `params` parameters; a constructor's own object has nothing in it yet.
    pub fn new(params: usize, is_constructor: bool) -> Graph {
        let mut edges = [0; 64];
        edges[usize::from(GLOBAL)] = bit(GLOBAL);
        for index in usize::from(is_constructor)..params {
            edges[usize::from(param(index))] = bit(beyond(index));
            edges[usize::from(beyond(index))] = bit(beyond(index));
        }
        let mut makers = vec![[0; 64]; 64];
        for (from, to) in edges.iter().enumerate() {
            for n in bits(*to) {
                makers[from][usize::from(n)] = SEVERAL;
            }
        }
        let mut exact = vec![Exact::None; 64];
        // Whatever is not made here may be of any class.
        exact[..usize::from(FIRST_SITE)].fill(Exact::Unknown);
        Graph {
            edges,
            makers,
            current: 0,
            written: 0,
            asked: 0,
            returned: 0,
            thrown: 0,
            exact,
            moved: 0,
            leaves: 0,
            changed: false,
        }
    }

    /// What objects of a set refer to.
    pub fn load(&self, set: u64) -> u64 {
        bits(set).fold(0, |all, n| all | self.edges[usize::from(n)])
    }

    /// What can be reached from the objects of a set by at least one reference.
    pub fn reach(&self, set: u64) -> u64 {
        let mut all = self.load(set);
        loop {
            let more = all | self.load(all);
            if more == all {
                return all;
            }
            all = more;
        }
    }

    /// The act of this index is done next.
    pub fn begin(&mut self, act: usize) {
        self.current = u16::try_from(act + 1).unwrap_or(SEVERAL);
    }

    /// Like `reach`, without the edges that only the current act makes: what was there before it.
    fn reach_before(&self, set: u64) -> u64 {
        let load = |set: u64| {
            bits(set).fold(0, |all, n| {
                let makers = &self.makers[usize::from(n)];
                let old = |m: &u8| makers[usize::from(*m)] != self.current || self.current == SEVERAL;
                all | bits(self.edges[usize::from(n)]).filter(old).fold(0, |all, m| all | bit(m))
            })
        };
        let mut all = load(set);
        loop {
            let more = all | load(all);
            if more == all {
                return all;
            }
            all = more;
        }
    }

    /// What the callee's parameters reached when it was called, if no two of them share anything. What it stored into
    /// one and then changed through it, its summary says.
    fn before(&self, arguments: &[u64]) -> Option<Vec<u64>> {
        let mut all = bit(GLOBAL);
        let mut reached = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let beyond = self.reach_before(*argument);
            let mine = (argument | beyond) & !bit(FIXED);
            if mine & all != 0 {
                return None;
            }
            all |= mine;
            reached.push(beyond);
        }
        Some(reached)
    }

    pub fn link(&mut self, from: u64, to: u64) {
        if to == 0 {
            return;
        }
        for n in bits(from & !bit(FIXED) & !self.leaves) {
            if param_of(n).is_some_and(|(index, _)| to & bit(beyond(index)) != 0) {
                grow(&mut self.moved, bit(n), &mut self.changed);
            }
            for m in bits(to) {
                let maker = &mut self.makers[usize::from(n)][usize::from(m)];
                if *maker == 0 {
                    *maker = self.current;
                } else if *maker != self.current && *maker != SEVERAL {
                    // Code that relied on being the only one has to look again.
                    *maker = SEVERAL;
                    self.changed = true;
                }
            }
            let place = &mut self.edges[usize::from(n)];
            if *place | to != *place {
                *place |= to;
                self.changed = true;
            }
        }
    }

    /// The object of this bit is an array of primitive values.
    pub fn leaf(&mut self, n: u8) {
        self.leaves |= bit(n);
        self.edges[usize::from(n)] = 0;
    }

    pub fn write(&mut self, set: u64) {
        grow(&mut self.written, set & !bit(FIXED), &mut self.changed);
    }

    pub fn ask(&mut self, set: u64) {
        grow(&mut self.asked, set & !bit(FIXED), &mut self.changed);
    }

    pub fn throw(&mut self, set: u64) {
        grow(&mut self.thrown, set, &mut self.changed);
    }

    pub fn give(&mut self, set: u64) {
        grow(&mut self.returned, set, &mut self.changed);
    }

    pub fn made(&mut self, site: u8, exact: &Exact) {
        if self.exact[usize::from(site)].join(exact) {
            self.changed = true;
        }
    }

    /// Everything reachable from static fields, what is behind them included.
    pub fn global(&self) -> u64 {
        bit(GLOBAL) | self.reach(bit(GLOBAL))
    }

    /// Applies a callee's summary: `arguments` are its parameters, `site` the bit for what it makes. `once` says that
    /// the call is not repeated while the method runs. Gives its result.
    pub fn call(&mut self, callee: &Summary, arguments: &[u64], site: u8, once: bool) -> u64 {
        // New references may make more reachable, from which other new references may begin.
        loop {
            let before = self.edges;
            for &(from, to) in &callee.edges {
                let (from, to) = (self.mapped(bit(from), arguments, site), self.mapped(to, arguments, site));
                self.link(from, to);
            }
            if callee.written & bit(GLOBAL) != 0 {
                let global = self.global();
                self.link(global, bit(GLOBAL));
            }
            if before == self.edges {
                break;
            }
        }
        let before = if once { self.before(arguments) } else { None };
        let touched = |set: u64| match &before {
            None => self.mapped(set, arguments, site),
            Some(reached) => bits(set).fold(0, |all, n| {
                all | match param_of(n) {
                    Some((index, true)) if index + 1 < MOST_PARAMS => reached.get(index).copied().unwrap_or(0),
                    _ => self.mapped(bit(n), arguments, site),
                }
            }),
        };
        let (written, asked) = (touched(callee.written), touched(callee.asked));
        self.write(written);
        self.ask(asked);
        let thrown = self.mapped(callee.thrown, arguments, site);
        self.throw(thrown);
        let uses = |n: u8| {
            let all = callee.edges.iter().fold(callee.returns | callee.thrown, |all, (from, to)| all | bit(*from) | to);
            all & bit(n) != 0
        };
        if uses(FRESH) {
            self.made(site, &Exact::Unknown);
        }
        if uses(RESULT) {
            self.made(site, &callee.exact);
        }
        self.mapped(callee.returns, arguments, site)
    }

    /// A set of the callee's as a set of ours.
    fn mapped(&self, set: u64, arguments: &[u64], site: u8) -> u64 {
        let mut all = 0;
        for n in bits(set) {
            all |= match n {
                GLOBAL => self.global(),
                FIXED => bit(FIXED),
                FRESH | RESULT => bit(site),
                THROWN => bit(THROWN),
                _ => {
                    let Some((index, is_beyond)) = param_of(n) else { continue };
                    // The last parameter with a bit of its own stands for all behind it.
                    let shared = index + 1 == MOST_PARAMS;
                    let given = match shared {
                        true => arguments.get(index..).unwrap_or(&[]).iter().fold(0, |all, a| all | a),
                        false => arguments.get(index).copied().unwrap_or(0),
                    };
                    if is_beyond { self.reach(given) } else { given }
                }
            };
        }
        all
    }

    /// A call into the unknown.
    pub fn anything(&mut self, arguments: &[u64]) -> u64 {
        let given = arguments.iter().fold(0, |all, a| all | a);
        self.link(bit(GLOBAL), given);
        let global = self.global();
        self.link(global, bit(GLOBAL));
        self.write(global);
        self.throw(global);
        global
    }

    /// The method's summary: places that make objects are forgotten, except for what is visible of these objects from
    /// outside.
    pub fn summary(&self) -> Summary {
        let inside = !0 << FIRST_SITE | bit(FRESH) | bit(THROWN);
        let results = self.returned & inside;
        let visible = |roots: u64| roots | self.reach(roots);
        let kept = visible(!inside | self.returned) & inside & !results;
        let roots = visible(!inside | self.returned | self.thrown);
        let rename = |set: u64| {
            let mut renamed = set & !inside;
            if set & results != 0 {
                renamed |= bit(RESULT);
            }
            if set & kept != 0 {
                renamed |= bit(FRESH);
            }
            if set & inside & !results & !kept != 0 {
                renamed |= bit(THROWN);
            }
            renamed
        };
        let mut edges: Vec<(u8, u64)> = Vec::new();
        for n in bits(roots) {
            let mut to = rename(self.edges[usize::from(n)]);
            if let Some((index, _)) = param_of(n).filter(|_| self.moved & bit(n) == 0) {
                to &= !bit(beyond(index));
            }
            if n == GLOBAL {
                to &= !bit(GLOBAL);
            }
            let from = rename(bit(n)).trailing_zeros() as u8;
            if to != 0 {
                match edges.iter_mut().find(|e| e.0 == from) {
                    Some(edge) => edge.1 |= to,
                    None => edges.push((from, to)),
                }
            }
        }
        edges.sort_unstable();
        let mut exact = Exact::None;
        for n in bits(results) {
            exact.join(&self.exact[usize::from(n)]);
        }
        let outside = |set: u64| set & !inside;
        Summary {
            written: outside(self.written),
            asked: outside(self.asked),
            edges,
            returns: rename(self.returned),
            thrown: rename(self.thrown),
            exact,
        }
    }
}

fn grow(set: &mut u64, by: u64, changed: &mut bool) {
    if *set | by != *set {
        *set |= by;
        *changed = true;
    }
}
