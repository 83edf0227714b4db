//! Walks over a body, along all paths, with a set per word: what a word may hold, as up to 64 bits. Owns stack, locals
//! and the order of visits; the caller says what acts do to the sets.

use super::body::{Act, Body, Step};
use crate::instruction::opcode as op;

/// The code does not fit its own stack or locals, so that nothing can be said about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unwalkable;

/// What acts mean to the walker.
pub trait Acting {
    /// The result's set. Arguments are one set per word, the deepest first.
    fn act(&mut self, index: usize, act: &Act, arguments: &[u64]) -> u64;
    /// What a handler may find on its stack.
    fn caught(&self) -> u64;
}

/// A frame: locals, then the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Frame {
    words: Vec<u64>,
    depth: usize,
}

/// Repeats until no set grows any more. `entry` are the locals at its beginning.
pub fn walk(body: &Body, entry: &[u64], acting: &mut impl Acting) -> Result<(), Unwalkable> {
    let locals = usize::from(body.max_locals);
    let size = locals + usize::from(body.max_stack);
    if entry.len() > locals || body.has_subroutines {
        return Err(Unwalkable);
    }
    let mut frames: Vec<Option<Frame>> = vec![None; body.stretches.len()];
    let mut first = vec![0; size];
    first[..entry.len()].copy_from_slice(entry);
    frames[0] = Some(Frame { words: first, depth: 0 });
    let mut waiting = vec![false; body.stretches.len()];
    waiting[0] = true;
    let mut current = Frame { words: vec![0; size], depth: 0 };
    while let Some(at) = waiting.iter().position(|w| *w) {
        waiting[at] = false;
        let stretch = &body.stretches[at];
        // Only stretches with a frame are waiting.
        let Some(start) = &frames[at] else { continue };
        current.words.copy_from_slice(&start.words);
        current.depth = start.depth;
        let caught = acting.caught();
        let to_handlers = |current: &Frame, frames: &mut Vec<Option<Frame>>, waiting: &mut Vec<bool>| {
            for &handler in &stretch.handlers {
                if body.max_stack == 0 {
                    return Err(Unwalkable);
                }
                let mut words = current.words.clone();
                words[locals..].fill(0);
                words[locals] = caught;
                merge(frames, waiting, handler as usize, &Frame { words, depth: 1 }, locals)?;
            }
            Ok(())
        };
        to_handlers(&current, &mut frames, &mut waiting)?;
        for step in &body.steps[stretch.first as usize..stretch.behind as usize] {
            current.take(step, body, locals, acting)?;
            if matches!(step, Step::Store { .. }) {
                to_handlers(&current, &mut frames, &mut waiting)?;
            }
        }
        for &next in &stretch.successors {
            merge(&mut frames, &mut waiting, next as usize, &current, locals)?;
        }
    }
    Ok(())
}

/// Joins a frame to what is known at a stretch, and schedules another visit if that adds something.
fn merge(
    frames: &mut [Option<Frame>],
    waiting: &mut [bool],
    at: usize,
    new: &Frame,
    locals: usize,
) -> Result<(), Unwalkable> {
    match &mut frames[at] {
        None => {
            frames[at] = Some(new.clone());
            waiting[at] = true;
        }
        Some(old) if old.depth != new.depth => return Err(Unwalkable),
        Some(old) => {
            for (a, b) in old.words[..locals + new.depth].iter_mut().zip(&new.words) {
                if *a | b != *a {
                    *a |= b;
                    waiting[at] = true;
                }
            }
        }
    }
    Ok(())
}

impl Frame {
    fn take(&mut self, step: &Step, body: &Body, locals: usize, acting: &mut impl Acting) -> Result<(), Unwalkable> {
        match *step {
            Step::Plain { pop, push } => {
                self.pop(pop, locals)?;
                self.push(0, push, locals)
            }
            Step::Load { local, width } => {
                let value = *self.words[..locals].get(usize::from(local)).ok_or(Unwalkable)?;
                self.push(value, width, locals)
            }
            Step::Store { local, width } => {
                let from = self.pop(width, locals)?;
                let value = if width == 1 { self.words[from] } else { 0 };
                let place = usize::from(local);
                let slots = self.words[..locals].get_mut(place..place + usize::from(width)).ok_or(Unwalkable)?;
                slots.fill(0);
                slots[0] = value;
                Ok(())
            }
            Step::Shuffle(opcode) => self.shuffle(opcode, locals),
            Step::Act { pop, push, act } => {
                let from = self.pop(pop, locals)?;
                let index = act as usize;
                let result = acting.act(index, &body.acts[index], &self.words[from..from + usize::from(pop)]);
                self.push(if push == 1 { result } else { 0 }, push, locals)
            }
        }
    }

    /// Takes words off; gives the place of the deepest.
    fn pop(&mut self, count: u8, locals: usize) -> Result<usize, Unwalkable> {
        self.depth = self.depth.checked_sub(usize::from(count)).ok_or(Unwalkable)?;
        Ok(locals + self.depth)
    }

    fn push(&mut self, value: u64, width: u8, locals: usize) -> Result<(), Unwalkable> {
        for n in 0..width {
            let place = self.words.get_mut(locals + self.depth).ok_or(Unwalkable)?;
            *place = if n == 0 { value } else { 0 };
            self.depth += 1;
        }
        Ok(())
    }

    /// Words are words here: those of a long are two.
    fn shuffle(&mut self, opcode: u8, locals: usize) -> Result<(), Unwalkable> {
        let (taken, order): (u8, &[usize]) = match opcode {
            op::DUP => (1, &[0, 0]),
            op::DUP_X1 => (2, &[1, 0, 1]),
            op::DUP_X2 => (3, &[2, 0, 1, 2]),
            op::DUP2 => (2, &[0, 1, 0, 1]),
            op::DUP2_X1 => (3, &[1, 2, 0, 1, 2]),
            op::DUP2_X2 => (4, &[2, 3, 0, 1, 2, 3]),
            _ => (2, &[1, 0]),
        };
        let from = self.pop(taken, locals)?;
        let mut old = [0; 4];
        old[..usize::from(taken)].copy_from_slice(&self.words[from..from + usize::from(taken)]);
        for &n in order {
            self.push(old[n], 1, locals)?;
        }
        Ok(())
    }
}
