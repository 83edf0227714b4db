//! Decoder tests: bytes in, one line of text out.

use super::*;

fn check(code: &[u8], expected: &str) {
    let text = match decode(code, 100) {
        Ok(list) => list
            .iter()
            .map(|i| match i.operand {
                Operand::Switch(s) => {
                    format!(
                        "{}: {} {:?} default {}",
                        i.pc,
                        i.mnemonic(),
                        s.cases().collect::<Vec<_>>(),
                        s.default_target()
                    )
                }
                o => format!("{}: {} {o:?}", i.pc, i.mnemonic()),
            })
            .collect::<Vec<_>>()
            .join("; "),
        Err(p) => p.to_string(),
    };
    assert_eq!(text, expected);
}

#[test]
fn operands_are_decoded() {
    check(&[op::BIPUSH, 0xff, op::SIPUSH, 0x80, 0], "0: bipush Int(-1); 2: sipush Int(-32768)");
    check(&[op::ALOAD_3, op::DSTORE_1, op::RET, 9], "0: aload_3 Local(3); 1: dstore_1 Local(1); 2: ret Local(9)");
    check(&[op::WIDE, op::IINC, 1, 0, 0xff, 0xfe], "0: iinc Increment { local: 256, by: -2 }");
    check(&[op::WIDE, op::LLOAD, 1, 2, op::RETURN], "0: lload Local(258); 4: return None");
    check(&[op::IINC, 3, 0x80], "0: iinc Increment { local: 3, by: -128 }");
    check(&[op::LDC, 200], "0: ldc Constant(200)");
    check(&[op::INVOKEINTERFACE, 1, 0, 2, 0], "0: invokeinterface InvokeInterface { constant: 256, count: 2 }");
    check(&[op::INVOKEDYNAMIC, 0, 7, 0, 0], "0: invokedynamic Constant(7)");
    check(&[op::MULTIANEWARRAY, 0, 7, 3], "0: multianewarray MultiNewArray { constant: 7, dimensions: 3 }");
    check(&[op::NEWARRAY, 10], "0: newarray ArrayType(10)");
}

#[test]
fn jumps_are_absolute() {
    check(&[op::NOP, op::GOTO, 0xff, 0xff], "0: nop None; 1: goto Jump(0)");
    check(&[op::JSR_W, 0, 0, 0, 5, op::RETURN], "0: jsr_w Jump(5); 5: return None");
}

#[test]
fn switches_skip_their_padding() {
    let table =
        [op::NOP, op::TABLESWITCH, 0, 0, 0, 0, 0, 23, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 23, 0, 0, 0, 24];
    let mut code = table.to_vec();
    code.extend([op::RETURN, op::RETURN]);
    check(&code, "0: nop None; 1: tableswitch [(-1, 24), (0, 25)] default 24; 24: return None; 25: return None");
    let lookup = [op::LOOKUPSWITCH, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 20, op::RETURN];
    check(&lookup, "0: lookupswitch [(9, 20)] default 20; 20: return None");
}

#[test]
fn broken_code_is_a_problem_with_its_offset() {
    check(&[op::NOP, 0xca], "byte 101: unknown opcode 0xca at pc 1");
    check(&[op::WIDE, op::NOP], "byte 100: unknown opcode 0x00 at pc 0");
    check(&[op::SIPUSH, 1], "byte 100: the instruction at pc 0 ends beyond the code");
    check(&[op::WIDE], "byte 100: the instruction at pc 0 ends beyond the code");
    check(&[op::INVOKEINTERFACE, 0, 1, 1], "byte 100: the instruction at pc 0 ends beyond the code");
    check(&[op::GOTO, 0, 9], "byte 100: the jump at pc 0 goes to 9, which is not the start of an instruction");
    check(&[op::GOTO, 0, 1], "byte 100: the jump at pc 0 goes to 1, which is not the start of an instruction");
    check(
        &[op::GOTO_W, 0x80, 0, 0, 0],
        "byte 100: the jump at pc 0 goes to -2147483648, which is not the start of an instruction",
    );
    let huge = [op::TABLESWITCH, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff];
    check(&huge, "byte 100: the instruction at pc 0 ends beyond the code");
    let inverted = [op::TABLESWITCH, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0];
    check(&inverted, "byte 100: the switch at pc 0 has impossible bounds or unsorted keys");
}
