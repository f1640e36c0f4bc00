//! Rows of a table as a Parquet file: flat columns that may lack values, one page for each column of a row group, compressed with
//! Zstandard. Texts have a dictionary, and those of a column can be read back. Contract: github.com/apache/parquet-format,
//! "parquet.thrift" and "Encodings". Why it is not the `parquet` crate: docs/adr/0041.
mod delta;
pub(crate) mod read;
mod snappy;
mod thrift;

use crate::rows::{Cell, Kind};
use record::compressed;
use std::collections::HashMap;
use thrift::Struct;

/// Rows of a row group: what DuckDB reads at once. It has fewer where their texts have so many bytes.
const GROUP: usize = 122_880;
const GROUP_BYTES: usize = 16 << 20;
const MAGIC: &[u8] = b"PAR1";
/// Codes of the format.
const INT64: i64 = 2;
const DOUBLE: i64 = 5;
const BYTE_ARRAY: i64 = 6;
const OPTIONAL: i64 = 1;
const PLAIN: i64 = 0;
const RLE: i64 = 3;
const RLE_DICTIONARY: i64 = 8;
const ZSTD: i64 = 6;
const DATA_PAGE: i64 = 0;
const DICTIONARY_PAGE: i64 = 2;
/// Texts longer than this have no least and greatest in the statistics.
const LONGEST: usize = 64;

/// A file that is being written, in memory.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: usize,
    all: usize,
    out: Vec<u8>,
    groups: Vec<Struct>,
}

#[derive(Debug)]
struct Column {
    name: &'static str,
    kind: Kind,
    /// Whether each row has a value.
    known: Vec<bool>,
    /// Numbers as they are stored.
    plain: Vec<u8>,
    /// Of texts: each once, the bytes of these, and which one each value is.
    texts: Vec<String>,
    bytes: usize,
    numbers: HashMap<String, u32>,
    values: Vec<u32>,
}

impl Table {
    /// An empty table.
    pub(crate) fn new(columns: &[(&'static str, Kind)]) -> Table {
        let column = |(name, kind): &(&'static str, Kind)| Column::new(name, *kind);
        Table {
            columns: columns.iter().map(column).collect(),
            rows: 0,
            all: 0,
            out: MAGIC.to_vec(),
            groups: vec![],
        }
    }
    /// Adds a row, a cell for each column.
    pub(crate) fn row(&mut self, cells: &[Cell<'_>]) {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(cell);
        }
        self.rows += 1;
        let bytes: usize = self.columns.iter().map(|column| column.bytes).sum();
        if self.rows == GROUP || bytes >= GROUP_BYTES {
            self.group();
        }
    }
    /// The file.
    pub(crate) fn done(mut self) -> Vec<u8> {
        if self.rows > 0 || self.all == 0 {
            self.group();
        }
        let root = Struct::new().text(4, "schema").int(5, self.columns.len() as i64);
        let schema = std::iter::once(root).chain(self.columns.iter().map(Column::schema));
        let footer = Struct::new()
            .int(1, 2)
            .list(2, schema.collect())
            .long(3, self.all as i64)
            .list(4, self.groups)
            .text(6, concat!("cpulens version ", env!("CARGO_PKG_VERSION")))
            // Without it readers use no least and greatest: each column is ordered as its type is.
            .list(7, self.columns.iter().map(|_| Struct::new().inner(1, Struct::new())).collect())
            .done();
        self.out.extend(&footer);
        self.out.extend((footer.len() as u32).to_le_bytes());
        self.out.extend(MAGIC);
        self.out
    }
    fn group(&mut self) {
        let (rows, begin) = (self.rows, self.out.len());
        let (mut chunks, mut plain) = (vec![], 0);
        for column in &mut self.columns {
            let (chunk, bytes) = column.chunk(rows, &mut self.out);
            chunks.push(chunk);
            plain += bytes;
            *column = Column::new(column.name, column.kind);
        }
        let group = Struct::new().list(1, chunks).long(2, plain as i64).long(3, rows as i64);
        self.groups.push(group.long(5, begin as i64));
        self.all += std::mem::take(&mut self.rows);
    }
}

impl Column {
    fn new(name: &'static str, kind: Kind) -> Column {
        let numbers = HashMap::new();
        let (known, plain, texts, values) = (vec![], vec![], vec![], vec![]);
        Column { name, kind, known, plain, texts, bytes: 0, numbers, values }
    }
    fn push(&mut self, cell: &Cell<'_>) {
        let known = match (cell, self.kind) {
            (Cell::Number(x), Kind::Number) if x.is_finite() => {
                self.plain.extend(x.to_le_bytes());
                true
            }
            (Cell::Count(n), Kind::Count) => {
                self.plain.extend((*n as i64).to_le_bytes());
                true
            }
            (Cell::Text(text), Kind::Text) if !text.is_empty() => {
                let next = self.texts.len() as u32;
                let number = self.numbers.get(text.as_ref()).copied().unwrap_or_else(|| {
                    self.numbers.insert(text.to_string(), next);
                    self.texts.push(text.to_string());
                    self.bytes += text.len();
                    next
                });
                self.values.push(number);
                true
            }
            _ => false,
        };
        self.known.push(known);
    }
    fn physical(&self) -> i64 {
        match self.kind {
            Kind::Text => BYTE_ARRAY,
            Kind::Number => DOUBLE,
            Kind::Count => INT64,
        }
    }
    fn schema(&self) -> Struct {
        let element = Struct::new().int(1, self.physical()).int(3, OPTIONAL).text(4, self.name);
        match self.kind {
            // UTF-8: the old annotation, and the logical type STRING.
            Kind::Text => element.int(6, 0).inner(10, Struct::new().inner(1, Struct::new())),
            Kind::Number | Kind::Count => element,
        }
    }
    /// Writes the pages. Gives what the footer says of them, and their size before compression.
    fn chunk(&self, rows: usize, out: &mut Vec<u8>) -> (Struct, usize) {
        let begin = out.len();
        let mut plain = 0;
        let text = self.kind == Kind::Text;
        if text {
            let mut dictionary = vec![];
            for text in &self.texts {
                dictionary.extend((text.len() as u32).to_le_bytes());
                dictionary.extend(text.as_bytes());
            }
            let header = Struct::new().int(1, self.texts.len() as i64).int(2, PLAIN);
            plain += page(DICTIONARY_PAGE, (7, header), &dictionary, out);
        }
        let data = out.len();
        let levels = packed(self.known.iter().map(|known| u32::from(*known)), 1);
        let mut body = (levels.len() as u32).to_le_bytes().to_vec();
        body.extend(levels);
        if text {
            let width = (self.texts.len().max(2) - 1).ilog2() + 1;
            body.push(width as u8);
            body.extend(packed(self.values.iter().copied(), width));
        } else {
            body.extend(&self.plain);
        }
        let encoding = if text { RLE_DICTIONARY } else { PLAIN };
        let header = Struct::new().int(1, rows as i64).int(2, encoding).int(3, RLE).int(4, RLE);
        plain += page(DATA_PAGE, (5, header), &body, out);
        let nulls = self.known.iter().filter(|known| !**known).count();
        let mut statistics = Struct::new().long(3, nulls as i64);
        if let (Some(least), Some(most)) = (self.texts.iter().min(), self.texts.iter().max())
            && least.len().max(most.len()) <= LONGEST
        {
            statistics = statistics.text(5, most).text(6, least);
        }
        let encodings = [PLAIN, RLE].into_iter().chain(text.then_some(RLE_DICTIONARY));
        let mut meta = Struct::new()
            .int(1, self.physical())
            .ints(2, encodings.collect())
            .texts(3, &[self.name])
            .int(4, ZSTD)
            .long(5, rows as i64)
            .long(6, plain as i64)
            .long(7, (out.len() - begin) as i64)
            .long(9, data as i64);
        if text {
            meta = meta.long(11, begin as i64);
        }
        (Struct::new().long(2, begin as i64).inner(3, meta.inner(12, statistics)), plain)
    }
}

/// Appends a page with its header. Gives its size before compression.
fn page(kind: i64, (field, header): (i16, Struct), body: &[u8], out: &mut Vec<u8>) -> usize {
    let small = compressed(body);
    let header = Struct::new()
        .int(1, kind)
        .int(2, body.len() as i64)
        .int(3, small.len() as i64)
        .inner(field, header)
        .done();
    out.extend(&header);
    out.extend(small);
    header.len() + body.len()
}

/// Values of so many bits as one bit-packed run of the hybrid encoding, the last group filled up with zeros.
fn packed(values: impl ExactSizeIterator<Item = u32>, width: u32) -> Vec<u8> {
    let groups = values.len().div_ceil(8);
    let mut out = vec![];
    thrift::varint((groups as u64) << 1 | 1, &mut out);
    let end = out.len() + groups * width as usize;
    let (mut bits, mut held) = (0u64, 0);
    for value in values {
        bits |= u64::from(value) << held;
        held += width;
        while held >= 8 {
            out.push(bits as u8);
            bits >>= 8;
            held -= 8;
        }
    }
    if held > 0 {
        out.push(bits as u8);
    }
    out.resize(end, 0);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of "Encodings": 0 to 7 in three bits are 10001000 11000110 11111010.
    #[test]
    fn bits_are_packed_as_the_format_says() {
        assert_eq!(packed(0..8, 3), [3, 0b1000_1000, 0b1100_0110, 0b1111_1010]);
        assert_eq!(packed([1, 1, 1].into_iter(), 1), [3, 7]);
        assert_eq!(packed([5].into_iter(), 3), [3, 5, 0, 0]);
        assert_eq!(packed([].into_iter(), 1), [1]);
    }

    #[test]
    fn a_file_is_framed_and_the_same_each_time() {
        let file = |rows: usize| {
            let mut table =
                Table::new(&[("a", Kind::Text), ("b", Kind::Number), ("c", Kind::Count)]);
            for i in 0..rows {
                let text = format!("t{}", i % 7);
                table.row(&[text.into(), Cell::Number(i as f64), Cell::Count(i as u64)]);
            }
            table.done()
        };
        for rows in [0, 1, GROUP, GROUP + 1] {
            let bytes = file(rows);
            assert_eq!(bytes, file(rows), "{rows} rows");
            assert!(bytes.starts_with(MAGIC) && bytes.ends_with(MAGIC));
            let at = bytes.len() - 8;
            let footer = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
            assert!(footer > 0 && footer + 12 <= bytes.len());
        }
    }
}
