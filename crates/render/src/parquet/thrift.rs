//! Structures in Thrift's compact protocol (github.com/apache/thrift, doc/specs/thrift-compact-protocol.md), as far as Parquet's
//! footer and page headers need it. Fields are given by ascending number.

/// Types of the protocol.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A structure: its fields as bytes, without the end.
#[derive(Debug, Default)]
pub(super) struct Struct {
    bytes: Vec<u8>,
    last: i16,
}

impl Struct {
    pub(super) fn new() -> Struct {
        Struct::default()
    }
    pub(super) fn int(self, field: i16, value: i64) -> Struct {
        self.number(field, I32, value)
    }
    pub(super) fn long(self, field: i16, value: i64) -> Struct {
        self.number(field, I64, value)
    }
    fn number(mut self, field: i16, kind: u8, value: i64) -> Struct {
        self.begin(field, kind);
        zigzag(value, &mut self.bytes);
        self
    }
    pub(super) fn text(mut self, field: i16, text: &str) -> Struct {
        self.begin(field, BINARY);
        binary(text, &mut self.bytes);
        self
    }
    pub(super) fn inner(mut self, field: i16, inner: Struct) -> Struct {
        self.begin(field, STRUCT);
        self.bytes.extend(inner.done());
        self
    }
    pub(super) fn list(mut self, field: i16, all: Vec<Struct>) -> Struct {
        self.many(field, STRUCT, all.len());
        for one in all {
            self.bytes.extend(one.done());
        }
        self
    }
    pub(super) fn ints(mut self, field: i16, all: Vec<i64>) -> Struct {
        self.many(field, I32, all.len());
        all.into_iter().for_each(|value| zigzag(value, &mut self.bytes));
        self
    }
    pub(super) fn texts(mut self, field: i16, all: &[&str]) -> Struct {
        self.many(field, BINARY, all.len());
        all.iter().for_each(|text| binary(text, &mut self.bytes));
        self
    }
    /// The bytes, with the end.
    pub(super) fn done(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
    fn begin(&mut self, field: i16, kind: u8) {
        // Numbers of fields are below 16, so the difference has room.
        self.bytes.push(((field - self.last) as u8) << 4 | kind);
        self.last = field;
    }
    fn many(&mut self, field: i16, kind: u8, count: usize) {
        self.begin(field, LIST);
        if count < 15 {
            self.bytes.push((count as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            varint(count as u64, &mut self.bytes);
        }
    }
}

/// Seven bits a byte, the lowest first.
pub(super) fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn zigzag(value: i64, out: &mut Vec<u8>) {
    varint((value << 1 ^ value >> 63) as u64, out);
}

fn binary(text: &str, out: &mut Vec<u8>) {
    varint(text.len() as u64, out);
    out.extend(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the protocol's own examples.
    #[test]
    fn numbers_are_those_of_the_protocol() {
        let of = |value| {
            let mut out = vec![];
            zigzag(value, &mut out);
            out
        };
        assert_eq!((of(0), of(-1), of(1), of(-2)), (vec![0], vec![1], vec![2], vec![3]));
        let mut out = vec![];
        varint(50_399, &mut out);
        assert_eq!(out, [0xdf, 0x89, 0x03]);
        let bytes = Struct::new().int(1, 1).texts(4, &["ab"; 20]).done();
        assert_eq!(bytes[..8], [0x15, 2, 0x39, 0xf8, 20, 2, b'a', b'b']);
    }
}
