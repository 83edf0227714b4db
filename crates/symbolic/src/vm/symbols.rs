//! Interned texts: names and descriptors by number. Owns the table; never forgets a text and never parses one.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// Number of an interned text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(pub u32);

/// All texts met so far.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    list: Vec<Arc<str>>,
    index: FxHashMap<Arc<str>, Sym>,
}

impl Symbols {
    pub fn intern(&mut self, text: &str) -> Sym {
        if let Some(&sym) = self.index.get(text) {
            return sym;
        }
        let sym = Sym(self.list.len() as u32);
        let text: Arc<str> = Arc::from(text);
        self.list.push(text.clone());
        self.index.insert(text, sym);
        sym
    }

    pub fn find(&self, text: &str) -> Option<Sym> {
        self.index.get(text).copied()
    }

    pub fn get(&self, sym: Sym) -> &Arc<str> {
        &self.list[sym.0 as usize]
    }
}
