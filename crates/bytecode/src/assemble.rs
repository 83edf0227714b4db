//! Builds small class files from nothing: call dispatchers, lambda classes. Owns the class builder and its limits.
//! Never reads a class file and never decides what to generate.
//!
//! ```
//! use bytecode::access::Access;
//! use bytecode::assemble::ClassBuilder;
//! let mut class = ClassBuilder::new("demo/Answer", Access::PUBLIC | Access::FINAL);
//! class.method(Access::PUBLIC | Access::STATIC, "answer", "()I", |code| {
//!     code.push_int(42);
//!     code.return_value("I");
//! });
//! let bytes: Vec<u8> = class.finish().unwrap();
//! ```
//!
//! Mistakes (a label never bound, an operand stack that does not fit, a method above 64 KB) are kept and reported by
//! [`ClassBuilder::finish`], so emitting code needs no `?` at each instruction.

mod code;
mod frame;
mod op;
mod pool;

pub use code::{Code, Label};
pub use frame::{Frame, Slot};
pub use op::{Condition, Op};
pub use pool::PoolBuilder;

use crate::access::Access;
use crate::class_info::ConstantValue;
use crate::names::FieldType;

/// Class-file version of everything built here: Java 8, the oldest JVM the worker runs on.
const MAJOR_VERSION: u16 = 52;

/// The largest method body the JVM accepts, in bytes.
pub const MAX_CODE: usize = 65_535;

/// Why a class could not be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssembleProblem {
    #[error("method {method} needs {length} bytes of code, the limit is {MAX_CODE}: split it")]
    CodeTooLong { method: String, length: usize },
    #[error("the class needs more than 65535 constants: split it")]
    TooManyConstants,
    #[error("a string constant needs {length} bytes in modified UTF-8, the limit is 65535: build it at run time")]
    TextTooLong { length: usize },
    #[error("method {method}: the jump at {at} spans {distance} bytes, more than 16 bits hold: split the method")]
    JumpTooFar { method: String, at: usize, distance: i64 },
    #[error("method {method}: a label is jumped to but never bound")]
    UnboundLabel { method: String },
    #[error("method {method}: a label is bound twice, again at {at}")]
    LabelBoundTwice { method: String, at: usize },
    #[error("method {method}: the operand stack at {at} holds {found} slots where {expected} are needed")]
    StackDepth { method: String, at: usize, expected: usize, found: usize },
    #[error("method {method}: `{descriptor}` is no descriptor")]
    BadDescriptor { method: String, descriptor: String },
    #[error("method {method}: {what} needs {count}, the class file holds at most {limit}")]
    TooMany { method: String, what: &'static str, count: usize, limit: usize },
    #[error("method {method}: code can be reached behind the last instruction at {at}")]
    FallsOffEnd { method: String, at: usize },
    #[error("method {method}: switch keys are not in strictly ascending order or span too much")]
    BadSwitch { method: String },
}

/// A class under construction. Its superclass is `java/lang/Object` unless said otherwise.
#[derive(Debug)]
pub struct ClassBuilder {
    pool: PoolBuilder,
    name: String,
    access: u16,
    superclass: String,
    interfaces: Vec<u16>,
    fields: Vec<Vec<u8>>,
    methods: Vec<Vec<u8>>,
    problem: Option<AssembleProblem>,
}

impl ClassBuilder {
    /// `access` is a union of [`Access`] constants; `ACC_SUPER` is added for classes.
    pub fn new(name: &str, access: u16) -> Self {
        let super_flag = if access & Access::INTERFACE == 0 { Access::SUPER } else { 0 };
        ClassBuilder {
            pool: PoolBuilder::default(),
            name: name.to_owned(),
            access: access | super_flag,
            superclass: "java/lang/Object".to_owned(),
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            problem: None,
        }
    }

    pub fn superclass(&mut self, name: &str) -> &mut Self {
        name.clone_into(&mut self.superclass);
        self
    }

    pub fn interface(&mut self, name: &str) -> &mut Self {
        let index = self.pool.class(name);
        self.interfaces.push(index);
        self
    }

    pub fn field(&mut self, access: u16, name: &str, descriptor: &str) -> &mut Self {
        self.field_with_value(access, name, descriptor, None)
    }

    /// A field with a `ConstantValue` (only `static` fields of primitive type or `String` have one; class constants do
    /// not exist).
    pub fn field_with_value(
        &mut self,
        access: u16,
        name: &str,
        descriptor: &str,
        value: Option<&ConstantValue>,
    ) -> &mut Self {
        if FieldType::parse(descriptor).is_none() {
            self.keep(AssembleProblem::BadDescriptor { method: name.to_owned(), descriptor: descriptor.to_owned() });
        }
        let mut out = Vec::new();
        put_u16(&mut out, access);
        put_u16(&mut out, self.pool.utf8(name));
        put_u16(&mut out, self.pool.utf8(descriptor));
        match value {
            None => put_u16(&mut out, 0),
            Some(value) => {
                put_u16(&mut out, 1);
                put_u16(&mut out, self.pool.utf8("ConstantValue"));
                put_u32(&mut out, 2);
                put_u16(&mut out, self.pool.constant(value));
            }
        }
        self.fields.push(out);
        self
    }

    /// A method with a body; `body` emits its code. Returns what `body` returns.
    pub fn method<R>(&mut self, access: u16, name: &str, descriptor: &str, body: impl FnOnce(&mut Code<'_>) -> R) -> R {
        let mut code = Code::new(&mut self.pool, &self.name, name, descriptor, access);
        let result = body(&mut code);
        let mut out = Vec::new();
        let finished = code.finish();
        put_u16(&mut out, access);
        put_u16(&mut out, self.pool.utf8(name));
        put_u16(&mut out, self.pool.utf8(descriptor));
        match finished {
            Ok(attribute) => {
                put_u16(&mut out, 1);
                put_u16(&mut out, self.pool.utf8("Code"));
                put_u32(&mut out, attribute.len() as u32);
                out.extend_from_slice(&attribute);
            }
            Err(problem) => self.keep(problem),
        }
        self.methods.push(out);
        result
    }

    /// The usual constructor without parameters that only calls the superclass's.
    pub fn default_constructor(&mut self, access: u16) -> &mut Self {
        let superclass = self.superclass.clone();
        self.method(access, "<init>", "()V", |code| {
            code.load("Ljava/lang/Object;", 0);
            code.invoke_special(&superclass, "<init>", "()V");
            code.return_void();
        });
        self
    }

    /// Constants used so far, to split before the limit is reached.
    pub fn constants(&self) -> usize {
        self.pool.len()
    }

    /// The class file, or the first thing that went wrong.
    pub fn finish(mut self) -> Result<Vec<u8>, AssembleProblem> {
        let this = self.pool.class(&self.name);
        let superclass = self.pool.class(&self.superclass);
        for (what, count) in
            [("fields", self.fields.len()), ("methods", self.methods.len()), ("interfaces", self.interfaces.len())]
        {
            if count > 65_535 {
                self.keep(AssembleProblem::TooMany { method: self.name.clone(), what, count, limit: 65_535 });
            }
        }
        if let Some(problem) = self.problem.or_else(|| self.pool.problem()) {
            return Err(problem);
        }
        let mut out = Vec::with_capacity(1024);
        put_u32(&mut out, 0xCAFE_BABE);
        put_u16(&mut out, 0);
        put_u16(&mut out, MAJOR_VERSION);
        self.pool.write(&mut out);
        put_u16(&mut out, self.access);
        put_u16(&mut out, this);
        put_u16(&mut out, superclass);
        put_u16(&mut out, self.interfaces.len() as u16);
        for interface in &self.interfaces {
            put_u16(&mut out, *interface);
        }
        for members in [&self.fields, &self.methods] {
            put_u16(&mut out, members.len() as u16);
            for member in members {
                out.extend_from_slice(member);
            }
        }
        put_u16(&mut out, 0);
        Ok(out)
    }

    fn keep(&mut self, problem: AssembleProblem) {
        self.problem.get_or_insert(problem);
    }
}

fn put_u16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_be_bytes());
}

fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_be_bytes());
}
