//! The worker protocol (docs/protocol.md) as bytes. Owns message kinds, the framing and the codecs to and from the domain
//! types; never touches a pipe. Decoding hostile bytes gives a [`WireProblem`], never a panic and never unbounded memory.

pub mod helper;
pub mod reader;
pub mod request;
pub mod response;
pub mod sources;
pub mod suite;
pub mod writer;

/// What both sides must agree on; the first field of the handshake.
pub const VERSION: u64 = 4;

/// Frames of a child above this size are taken for nonsense: results are sent in parts long before, and no class is as large.
pub const MAX_FRAME: usize = 1 << 27;

/// Message kinds, brain to worker.
pub mod kind {
    pub const HELLO: u8 = 0x01;
    pub const CLASS: u8 = 0x02;
    pub const OPEN: u8 = 0x03;
    pub const DISPATCHERS: u8 = 0x04;
    pub const CONSTANTS: u8 = 0x05;
    pub const BATCH: u8 = 0x06;
    pub const BEST: u8 = 0x07;
    pub const SHUTDOWN: u8 = 0x08;
    pub const REDEFINE: u8 = 0x09;
    pub const WATCH: u8 = 0x0a;
    pub const COMPILE: u8 = 0x21;
    pub const PARSE: u8 = 0x22;
    pub const RUN: u8 = 0x31;
    pub const RUN_IN_ORDER: u8 = 0x32;
    pub const OBSERVE: u8 = 0x41;
    pub const CODE: u8 = 0x42;

    pub const WELCOME: u8 = 0x81;
    pub const NEED_CLASS: u8 = 0x82;
    pub const OPENED: u8 = 0x83;
    pub const DISPATCHED: u8 = 0x84;
    pub const RESULTS: u8 = 0x86;
    pub const REDEFINED: u8 = 0x89;
    pub const FAILED: u8 = 0x8e;
    pub const COMPILED: u8 = 0xa1;
    pub const PARSED: u8 = 0xa2;
    pub const RAN: u8 = 0xb1;
    pub const DONE: u8 = 0xb2;
    pub const NEED_CODE: u8 = 0xc0;
    pub const STARTED: u8 = 0xc1;
    pub const EVENTS: u8 = 0xc2;
    pub const FINISHED: u8 = 0xc3;
    pub const OUTSIDE: u8 = 0xc4;
    pub const NOTE: u8 = 0xc5;
    pub const OBSERVED: u8 = 0xc6;
    pub const AROUND: u8 = 0xc7;
}

/// Bytes that do not follow the protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireProblem {
    #[error("the message ends at byte {at} in the middle of {what}")]
    Truncated { at: usize, what: &'static str },
    #[error("{what} at byte {at} has the impossible value {value}")]
    Impossible { at: usize, what: &'static str, value: u64 },
    #[error("{count} bytes are left behind the end of the message")]
    LeftOver { count: usize },
    #[error("a message of kind {found:#04x} came where {expected} was due")]
    Unexpected { found: u8, expected: &'static str },
    #[error("the peer speaks protocol version {found}, this side speaks {VERSION}")]
    Version { found: u64 },
}
