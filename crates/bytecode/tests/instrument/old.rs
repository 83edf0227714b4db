//! Class files older than any compiler of today writes: `jsr` and `ret`, no frames.

use crate::jdk;
use crate::support::{everything, observing, source};
use bytecode::instruction::opcode as op;
use bytecode::instrument::{instrument, reencode};
use bytecode::raw::RawClass;

/// `static int f(int x)`: decrements `x` in a subroutine, loops while it is even and positive, gives `x` if positive,
/// else 0.
#[rustfmt::skip]
const CODE: &[u8] = &[
    op::JSR, 0, 19, // 0: -> 19
    op::ILOAD_0, op::ICONST_2, op::IREM, op::IFNE, 0, 7, // 6: -> 13
    op::ILOAD_0, op::IFGT, 0xff, 0xf6, // 10: -> 0
    op::ILOAD_0, op::IFGT, 0, 11, // 14: -> 25
    op::ICONST_0, op::IRETURN, // 17
    op::ASTORE_1, op::IINC, 0, 0xff, // 19
    op::RET, 1, // 23
    op::ILOAD_0, op::IRETURN, // 25
];

/// A class `Old` with the method above.
fn old_class(major: u16, minor: u16) -> Vec<u8> {
    let mut c = vec![0xca, 0xfe, 0xba, 0xbe];
    let u2 = |c: &mut Vec<u8>, v: u16| c.extend(v.to_be_bytes());
    u2(&mut c, minor);
    u2(&mut c, major);
    let texts = ["Old", "java/lang/Object", "f", "(I)I", "Code"];
    u2(&mut c, texts.len() as u16 + 3);
    for t in texts {
        c.push(1);
        u2(&mut c, t.len() as u16);
        c.extend(t.as_bytes());
    }
    for name in [1, 2] {
        c.push(7);
        u2(&mut c, name);
    }
    // Access, this, super, no interfaces, no fields, one method.
    for v in [0x0021, 6, 7, 0, 0, 1, 0x0009, 3, 4, 1, 5] {
        u2(&mut c, v);
    }
    let (mut body, length) = (Vec::new(), CODE.len());
    body.extend([0, 2, 0, 2]);
    body.extend((length as u32).to_be_bytes());
    body.extend(CODE);
    body.extend([0, 0, 0, 0]);
    c.extend((body.len() as u32).to_be_bytes());
    c.extend(body);
    u2(&mut c, 0);
    c
}

#[test]
fn subroutines_survive() {
    for home in jdk::jdks() {
        let folder = jdk::scratch("old");
        let files = ["CallOld", "testudo/runtime/Hooks", "testudo/runtime/Monitor"];
        let [driver, hooks, monitor] = files.map(|f| source(&format!("{f}.java")));
        let classes = folder.to_str().unwrap();
        jdk::run(&home, "javac", &["-nowarn", "-d", classes, &driver, &hooks, &monitor]);
        for (major, minor) in [(45, 0), (45, 3), (46, 0), (49, 0)] {
            let plain = old_class(major, minor);
            assert_eq!(reencode(&plain).unwrap().bytes, plain);
            let result = instrument(&plain, &everything()).unwrap();
            assert_eq!(result.skipped, []);
            assert_eq!(RawClass::parse(&result.bytes).unwrap().version, (major, minor));
            let observed = instrument(&plain, &observing()).unwrap();
            assert_eq!((observed.members.len(), &observed.skipped[..]), (1, &[][..]));
            for bytes in [&plain, &result.bytes, &observed.bytes] {
                std::fs::write(folder.join("Old.class"), bytes).unwrap();
                let output = jdk::run(&home, "java", &["-Xverify:all", "-cp", classes, "CallOld"]);
                assert_eq!(output, "0 0 0 0 0 1 1 3 3 5\n", "version {major}.{minor}");
            }
        }
    }
}
