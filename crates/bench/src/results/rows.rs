//! How JSON of results is laid out: a line for each entry of a list, as a table has rows, so that files stay small and changes can be read. Owns the line breaks, nothing else.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// Objects and lists within so many others are spread over lines.
const SPREAD: usize = 2;

pub fn to_string(data: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut bytes = Vec::new();
    data.serialize(&mut Serializer::with_formatter(&mut bytes, Rows::default()))?;
    // The serializer writes nothing but text.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[derive(Default)]
struct Rows {
    depth: usize,
    is_empty: bool,
}

impl Rows {
    fn open<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.is_empty = true;
        writer.write_all(bracket)
    }

    fn entry<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.is_empty = false;
        match (first, self.depth <= SPREAD) {
            (false, true) => writer.write_all(b",")?,
            (false, false) => return writer.write_all(b", "),
            (true, false) => return Ok(()),
            (true, true) => {}
        }
        self.line(writer)
    }

    fn close<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        let is_spread = self.depth <= SPREAD && !self.is_empty;
        self.depth -= 1;
        self.is_empty = false;
        if is_spread {
            self.line(writer)?;
        }
        writer.write_all(bracket)
    }

    fn line<W: ?Sized + Write>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| writer.write_all(b"  "))
    }
}

impl Formatter for Rows {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.entry(writer, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.entry(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

#[test]
fn entries_have_lines_and_what_is_in_them_has_none() {
    let data = serde_json::json!({ "cells": [{ "a": [1, 2], "b": {} }, { "a": [] }], "made": [] });
    let text = to_string(&data).unwrap();
    assert_eq!(text, "{\n  \"cells\": [\n    {\"a\": [1, 2], \"b\": {}},\n    {\"a\": []}\n  ],\n  \"made\": []\n}");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), data);
}
