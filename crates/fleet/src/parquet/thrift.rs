//! Structures in Thrift's compact protocol (github.com/apache/thrift, doc/specs/thrift-compact-protocol.md), as far as Parquet's
//! footer and page headers need it, written and read. Fields are written by ascending number.

/// Types of the protocol.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const I8: u8 = 3;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
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

/// Bytes that are read from the front; `None` where they end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }
    pub(super) fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }
    /// An integer of at most eight bytes, the lowest first.
    pub(super) fn little(&mut self, count: usize) -> Option<usize> {
        let bytes = self.take(count)?.iter().rev();
        usize::try_from(bytes.fold(0, |all, byte| all << 8 | u64::from(*byte))).ok()
    }
    pub(super) fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
    /// A structure of at most so many values.
    pub(super) fn fields(&mut self, mut most: usize) -> Option<Fields<'a>> {
        /// Parquet's footer nests to half of it.
        const DEPTH: u8 = 16;
        self.structure(&mut most, DEPTH)
    }
    fn structure(&mut self, most: &mut usize, depth: u8) -> Option<Fields<'a>> {
        let (mut all, mut field) = (vec![], 0i16);
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(Fields(all));
            }
            field = match head >> 4 {
                0 => i16::try_from(self.integer()?).ok()?,
                more => field.checked_add(i16::from(more))?,
            };
            let value = match head & 15 {
                TRUE | FALSE => Value::Int(i64::from(head & 15 == TRUE)),
                kind => self.value(kind, most, depth.checked_sub(1)?)?,
            };
            *most = most.checked_sub(1)?;
            all.push((field, value));
        }
    }
    fn value(&mut self, kind: u8, most: &mut usize, depth: u8) -> Option<Value<'a>> {
        Some(match kind {
            TRUE | FALSE | I8 => Value::Int(i64::from(self.byte()?)),
            I16 | I32 | I64 => Value::Int(self.integer()?),
            DOUBLE => Value::Binary(self.take(8)?),
            BINARY => {
                let length = self.size()?;
                Value::Binary(self.take(length)?)
            }
            LIST | SET => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.size()? } else { usize::from(head >> 4) };
                *most = most.checked_sub(count)?;
                let depth = depth.checked_sub(1)?;
                // Each takes a byte at least, so the list is no longer than what is left.
                let all = (0..count).map(|_| self.value(head & 15, most, depth));
                Value::List(all.collect::<Option<_>>()?)
            }
            STRUCT => Value::Struct(self.structure(most, depth)?),
            _ => return None,
        })
    }
    /// A variable-length integer that is a size or a count.
    pub(super) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.varint()?).ok()
    }

    /// A signed integer, zigzag-encoded.
    pub(super) fn integer(&mut self) -> Option<i64> {
        self.varint().map(|n| (n >> 1) as i64 ^ -((n & 1) as i64))
    }
}

/// A value that was read; of booleans 1 or 0.
#[derive(Debug)]
pub(super) enum Value<'a> {
    Int(i64),
    Binary(&'a [u8]),
    List(Vec<Value<'a>>),
    Struct(Fields<'a>),
}

/// The fields of a structure that was read, by their number.
#[derive(Debug)]
pub(super) struct Fields<'a>(Vec<(i16, Value<'a>)>);

impl<'a> Fields<'a> {
    fn get(&self, field: i16) -> Option<&Value<'a>> {
        self.0.iter().find(|(number, _)| *number == field).map(|(_, value)| value)
    }
    pub(super) fn int(&self, field: i16) -> Option<i64> {
        if let Value::Int(value) = self.get(field)? { Some(*value) } else { None }
    }
    /// A size or a count.
    pub(super) fn size(&self, field: i16) -> Option<usize> {
        usize::try_from(self.int(field)?).ok()
    }
    pub(super) fn binary(&self, field: i16) -> Option<&'a [u8]> {
        if let Value::Binary(bytes) = self.get(field)? { Some(bytes) } else { None }
    }
    pub(super) fn inner(&self, field: i16) -> Option<&Fields<'a>> {
        if let Value::Struct(inner) = self.get(field)? { Some(inner) } else { None }
    }
    /// The bytes that are all of a list.
    pub(super) fn only(&self, field: i16) -> Option<&'a [u8]> {
        let Value::List(all) = self.get(field)? else { return None };
        if let [Value::Binary(bytes)] = all[..] { Some(bytes) } else { None }
    }
    /// The structures of a list.
    pub(super) fn list(&self, field: i16) -> Option<impl Iterator<Item = &Fields<'a>>> {
        let Value::List(all) = self.get(field)? else { return None };
        Some(all.iter().filter_map(|one| if let Value::Struct(s) = one { Some(s) } else { None }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_structure_is_read_as_it_was_written() {
        let inner = || Struct::new().long(1, i64::MIN).text(9, "x");
        let bytes = Struct::new().int(2, -7).list(3, vec![inner(), inner()]).ints(4, vec![1; 20]);
        let bytes = bytes.texts(5, &["a"]).inner(6, inner()).done();
        let fields = Bytes(&bytes).fields(100).unwrap();
        assert_eq!((fields.int(2), fields.size(2), fields.int(3)), (Some(-7), None, None));
        assert_eq!(fields.list(3).unwrap().filter(|s| s.int(1) == Some(i64::MIN)).count(), 2);
        assert_eq!(fields.inner(6).unwrap().binary(9), Some(&b"x"[..]));
        // Each value counts, what is cut ends, and what nests without end is refused.
        assert!(Bytes(&bytes).fields(20).is_none());
        assert!((0..bytes.len()).all(|cut| Bytes(&bytes[..cut]).fields(100).is_none()));
        assert!(Bytes(&[0x1c; 1000]).fields(10_000).is_none());
        assert!(Bytes(&[0x19; 1000]).fields(10_000).is_none());
    }

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
