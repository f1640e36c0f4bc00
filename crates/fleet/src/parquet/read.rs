//! Texts of one column of a Parquet file, as this program, DuckDB, pyarrow or Spark write it: flat columns, pages of both versions,
//! plain, with a dictionary or by differences, uncompressed or by Snappy, gzip or Zstandard. The bytes may be anybody's: every length is checked, and
//! pages, texts and rows are limited. Contract: as of the writer.
use super::{
    BYTE_ARRAY, DATA_PAGE, DICTIONARY_PAGE, MAGIC, OPTIONAL, PLAIN, RLE, RLE_DICTIONARY, ZSTD,
    delta, snappy,
    thrift::{Bytes, Fields},
};
use flate2::read::MultiGzDecoder;
use std::{borrow::Cow, io::Read};

/// Codes of the format that the writer does not use.
const PLAIN_DICTIONARY: i64 = 2;
const INDEX_PAGE: i64 = 1;
const DATA_PAGE_V2: i64 = 3;
const UNCOMPRESSED: i64 = 0;
const SNAPPY: i64 = 1;
const GZIP: i64 = 2;
const DELTA_LENGTH_BYTE_ARRAY: i64 = 6;
const DELTA_BYTE_ARRAY: i64 = 7;
/// The others by their number.
const CODECS: [&str; 8] = ["none", "snappy", "gzip", "lzo", "brotli", "lz4", "zstd", "lz4_raw"];
/// Values of a footer: those of two thousand row groups of the larger table.
const FOOTER: usize = 1 << 20;
/// Values of a page's header.
const HEADER: usize = 256;
/// Rows of a file, and entries of a dictionary.
const ROWS: usize = 1 << 20;
/// Bytes of a page before compression; those of DuckDB have 100 MB.
const PAGE: usize = 1 << 27;
/// Bytes of all pages of the column before compression, and of all texts: a dictionary can repeat one without end.
const ALL: usize = 1 << 30;
const TOO_MUCH: &str = "has more than 1 GiB of texts: write several files";

const DAMAGED: &str = "is a Parquet file that is cut short or damaged";
type Result<T> = std::result::Result<T, String>;

fn damaged() -> String {
    DAMAGED.into()
}

/// A file and its footer.
#[derive(Debug)]
pub(crate) struct File<'a> {
    bytes: &'a [u8],
    footer: Fields<'a>,
}

impl<'a> File<'a> {
    /// Whether bytes begin as a Parquet file does.
    pub(crate) fn is(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC) || bytes.starts_with(b"PARE")
    }
    /// Opens the whole bytes of a file.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<File<'a>> {
        if bytes.starts_with(b"PARE") {
            return Err("is an encrypted Parquet file: write it without encryption".into());
        }
        let footer = || {
            let rest = bytes.strip_prefix(MAGIC)?.strip_suffix(MAGIC)?;
            let (rest, length) = rest.split_last_chunk::<4>()?;
            let begin = rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?;
            Bytes(&rest[begin..]).fields(FOOTER)
        };
        footer().map(|footer| File { bytes, footer }).ok_or_else(damaged)
    }
    /// The names of the columns, and what the schema says of each; of a group, too.
    fn columns(&self) -> impl Iterator<Item = (&'a [u8], &Fields<'a>)> {
        let schema = self.footer.list(2).into_iter().flatten().skip(1);
        schema.filter_map(|column| Some((column.binary(4)?, column)))
    }
    /// Whether there is such a column.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.columns().any(|(own, _)| own == name.as_bytes())
    }
    /// Calls for each row of a column of texts, which there must be.
    ///
    /// # Errors
    /// Says as a predicate what is damaged or is not read; the rows before were called for.
    pub(crate) fn texts(&self, name: &str, each: &mut dyn FnMut(Option<&str>)) -> Result<()> {
        let own = self.columns().find(|(own, _)| *own == name.as_bytes());
        let (_, column) = own.ok_or_else(damaged)?;
        if column.int(1) != Some(BYTE_ARRAY) || column.int(5).is_some_and(|inner| inner > 0) {
            return Err(format!("has a column {name} that is no text"));
        }
        let optional = match column.int(3) {
            Some(0) => false,
            Some(OPTIONAL) => true,
            _ => return Err(format!("has a column {name} with several values in a row")),
        };
        let all = self.footer.size(3).ok_or_else(damaged)?;
        if all > ROWS {
            return Err(format!("has {all} rows, and {ROWS} are read: write several files"));
        }
        let (mut rows, mut room, mut pages) = (0, ALL, ALL);
        let mut each = |text: Option<&[u8]>| {
            rows += 1;
            let text = text.map(|text| std::str::from_utf8(text).map_err(|_| damaged()));
            let text = text.transpose()?;
            let length = text.map_or(0, str::len);
            room = room.checked_sub(length).ok_or(TOO_MUCH)?;
            if rows > all {
                return Err(damaged());
            }
            each(text);
            Ok(())
        };
        for group in self.footer.list(4).into_iter().flatten() {
            let mut chunks = group.list(1).into_iter().flatten();
            let own = |chunk: &&Fields<'a>| path(chunk) == Some(name.as_bytes());
            let chunk = chunks.find(own).ok_or_else(damaged)?;
            self.chunk(chunk, optional, &mut pages, &mut each)?;
        }
        if rows == all { Ok(()) } else { Err(damaged()) }
    }
    /// Calls for each value of a column of a row group, whose pages may have so many bytes.
    fn chunk(
        &self,
        chunk: &Fields<'a>,
        optional: bool,
        room: &mut usize,
        each: &mut Each<'_>,
    ) -> Result<()> {
        let meta = chunk.inner(3).ok_or_else(damaged)?;
        let codec = meta.int(4).ok_or_else(damaged)?;
        let begin = meta.size(9).ok_or_else(damaged)?;
        // Some write 0 where there is no dictionary.
        let begin = meta.size(11).filter(|at| *at > 0).map_or(begin, |at| at.min(begin));
        let mut bytes = Bytes(self.bytes.get(begin..).ok_or_else(damaged)?);
        let length = meta.size(7).ok_or_else(damaged)?;
        let mut bytes = Bytes(bytes.take(length).ok_or_else(damaged)?);
        let mut left = meta.size(5).ok_or_else(damaged)?;
        let (mut dictionary, mut data): (Cow<'_, [u8]>, Cow<'_, [u8]>);
        let mut words = vec![];
        while left > 0 {
            let header = bytes.fields(HEADER).ok_or_else(damaged)?;
            let body = header.size(3).and_then(|size| bytes.take(size)).ok_or_else(damaged)?;
            let size = header.size(2).ok_or_else(damaged)?;
            if size > PAGE {
                return Err(format!("has a page of {size} bytes: write smaller row groups"));
            }
            *room = room.checked_sub(size).ok_or(TOO_MUCH)?;
            let inner = |field| header.inner(field).ok_or_else(damaged);
            let (inner, encoding, levels, body) = match header.int(1) {
                Some(DICTIONARY_PAGE) => {
                    dictionary = plain(body, size, codec)?;
                    words = entries(&dictionary, inner(7)?.size(1)).ok_or_else(damaged)?;
                    continue;
                }
                Some(DATA_PAGE) => {
                    let inner = inner(5)?;
                    if optional && inner.int(3) != Some(RLE) {
                        return Err("has levels that are not run-length encoded".into());
                    }
                    data = plain(body, size, codec)?;
                    let mut body = Bytes(&data);
                    let levels = match optional {
                        true => body.little(4).and_then(|n| body.take(n)).ok_or_else(damaged)?,
                        false => &[],
                    };
                    (inner, inner.int(2), levels, body)
                }
                Some(DATA_PAGE_V2) => {
                    let inner = inner(8)?;
                    let mut body = Bytes(body);
                    let levels = inner.size(5).and_then(|n| body.take(n)).ok_or_else(damaged)?;
                    let codec = if inner.int(7) == Some(0) { UNCOMPRESSED } else { codec };
                    let size = size.checked_sub(levels.len()).ok_or_else(damaged)?;
                    data = plain(body.0, size, codec)?;
                    (inner, inner.int(4), levels, Bytes(&data))
                }
                Some(INDEX_PAGE) => continue,
                _ => return Err(damaged()),
            };
            let count = inner.size(1).ok_or_else(damaged)?;
            left = left.checked_sub(count).ok_or_else(damaged)?;
            Page { count, optional, levels, encoding, body }.values(&words, each)?;
        }
        Ok(())
    }
}

/// The column of a chunk, which is in this file.
fn path<'a>(chunk: &Fields<'a>) -> Option<&'a [u8]> {
    chunk.inner(3)?.only(3).filter(|_| chunk.binary(1).is_none())
}

/// What is done with each value of a column.
type Each<'a> = dyn FnMut(Option<&[u8]>) -> Result<()> + 'a;

/// A page of values.
struct Page<'a> {
    count: usize,
    optional: bool,
    /// Whether each row has a value.
    levels: &'a [u8],
    encoding: Option<i64>,
    body: Bytes<'a>,
}

impl Page<'_> {
    fn values(mut self, words: &[&[u8]], each: &mut Each<'_>) -> Result<()> {
        let mut levels = Runs::new(self.levels, 1);
        let mut texts = match self.encoding {
            Some(RLE_DICTIONARY | PLAIN_DICTIONARY) => {
                // A page without values may end here.
                let width = self.body.byte().unwrap_or(0);
                if width > 32 {
                    return Err(damaged());
                }
                Texts::Of(words, Runs::new(self.body.0, width))
            }
            Some(PLAIN) => Texts::Plain(self.body),
            Some(encoding @ (DELTA_LENGTH_BYTE_ARRAY | DELTA_BYTE_ARRAY)) => {
                let sharing = encoding == DELTA_BYTE_ARRAY;
                let texts = delta::Texts::new(self.body, sharing, self.count.min(ROWS));
                Texts::Delta(texts.ok_or_else(damaged)?)
            }
            _ => {
                return Err(
                    "has texts in an encoding that is not read: write them plain or with a dictionary"
                        .into(),
                );
            }
        };
        for _ in 0..self.count {
            if self.optional && levels.next().ok_or_else(damaged)? == 0 {
                each(None)?;
                continue;
            }
            let text = match &mut texts {
                Texts::Of(words, numbers) => {
                    numbers.next().and_then(|n| words.get(n as usize)).copied()
                }
                Texts::Plain(body) => text(body),
                Texts::Delta(texts) => texts.next(),
            };
            each(Some(text.ok_or_else(damaged)?))?;
        }
        Ok(())
    }
}

/// The texts of a page by their encoding.
enum Texts<'a, 'w> {
    /// Words of a dictionary by their numbers.
    Of(&'w [&'w [u8]], Runs<'a>),
    Plain(Bytes<'a>),
    Delta(delta::Texts<'a>),
}

/// A length and so many bytes.
fn text<'a>(bytes: &mut Bytes<'a>) -> Option<&'a [u8]> {
    let length = bytes.little(4)?;
    bytes.take(length)
}

/// The texts of a dictionary.
fn entries(page: &[u8], count: Option<usize>) -> Option<Vec<&[u8]>> {
    let mut bytes = Bytes(page);
    (0..count.filter(|count| *count <= ROWS)?).map(|_| text(&mut bytes)).collect()
}

/// The bytes of a page before compression, of which there must be so many.
fn plain(body: &[u8], size: usize, codec: i64) -> Result<Cow<'_, [u8]>> {
    let plain = match codec {
        UNCOMPRESSED => Some(Cow::Borrowed(body)),
        SNAPPY => snappy::plain(body, size).map(Cow::Owned),
        GZIP => {
            let mut out = vec![];
            let read = MultiGzDecoder::new(body).take(size as u64 + 1).read_to_end(&mut out);
            read.ok().map(|_| Cow::Owned(out))
        }
        ZSTD if body.is_empty() => Some(Cow::Borrowed(body)),
        ZSTD => record::decompressed(body, size as u64).ok().map(Cow::Owned),
        other => {
            let name = usize::try_from(other).ok().and_then(|n| CODECS.get(n));
            let name = name.map_or(other.to_string(), |name| (*name).to_owned());
            return Err(format!(
                "is compressed by {name}, which is not read: write it with zstd, gzip or snappy"
            ));
        }
    };
    plain.filter(|plain| plain.len() == size).ok_or_else(damaged)
}

/// Numbers in the hybrid of run-length encoding and bit-packing.
pub(super) struct Runs<'a> {
    bytes: Bytes<'a>,
    width: u8,
    /// How often the number of the current run comes yet, or how many packed ones are left.
    left: u64,
    repeated: Option<u32>,
    /// Bits of packed numbers that are read and not given yet, and how many.
    bits: u64,
    held: u8,
}

impl<'a> Runs<'a> {
    fn new(bytes: &'a [u8], width: u8) -> Runs<'a> {
        Runs { bytes: Bytes(bytes), width, left: 0, repeated: None, bits: 0, held: 0 }
    }
    /// Only packed numbers, without a head.
    pub(super) fn packed(bytes: &'a [u8], width: u8) -> Runs<'a> {
        Runs { left: u64::MAX, ..Runs::new(bytes, width) }
    }
    pub(super) fn next(&mut self) -> Option<u32> {
        while self.left == 0 {
            let head = self.bytes.varint()?;
            let packed = head & 1 == 1;
            self.left = if packed { (head >> 1).checked_mul(8)? } else { head >> 1 };
            let bytes = usize::from(self.width.div_ceil(8));
            self.repeated =
                if packed { None } else { Some(u32::try_from(self.bytes.little(bytes)?).ok()?) };
            (self.bits, self.held) = (0, 0);
        }
        self.left -= 1;
        if let Some(number) = self.repeated {
            return Some(number);
        }
        while self.held < self.width {
            self.bits |= u64::from(self.bytes.byte()?) << self.held;
            self.held += 8;
        }
        let number = self.bits & ((1 << self.width) - 1);
        self.bits >>= self.width;
        self.held -= self.width;
        u32::try_from(number).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parquet::{GROUP_BYTES, Table};
    use crate::rows::{Cell, Kind};

    const PYARROW: &[u8] = include_bytes!("../../tests/parquet/pyarrow.parquet");
    const PYARROW_V2: &[u8] = include_bytes!("../../tests/parquet/pyarrow-v2.parquet");
    const DUCKDB: &[u8] = include_bytes!("../../tests/parquet/duckdb.parquet");
    /// Gzip, differences of lengths and of beginnings; Spark's pages of both versions.
    const OTHERS: [&[u8]; 6] = [
        include_bytes!("../../tests/parquet/duckdb-gzip.parquet"),
        include_bytes!("../../tests/parquet/duckdb-v2.parquet"),
        include_bytes!("../../tests/parquet/pyarrow-delta.parquet"),
        include_bytes!("../../tests/parquet/pyarrow-delta-length.parquet"),
        include_bytes!("../../tests/parquet/spark.parquet"),
        include_bytes!("../../tests/parquet/spark-v2.parquet"),
    ];

    fn all(bytes: &[u8]) -> Result<Vec<Option<String>>> {
        let mut rows = vec![];
        let mut each = |text: Option<&str>| rows.push(text.map(str::to_owned));
        File::open(bytes)?.texts("digest", &mut each)?;
        Ok(rows)
    }

    fn written(rows: &[Option<String>]) -> Vec<u8> {
        let mut table = Table::new(&[("n", Kind::Count), ("digest", Kind::Text)]);
        for (n, text) in rows.iter().enumerate() {
            let text = text.as_deref().map_or(Cell::None, Cell::from);
            table.row(&[Cell::Count(n as u64), text]);
        }
        table.done()
    }

    /// Snappy, Zstandard, dictionaries, plain texts, two row groups, both versions of a page: pyarrow 26.0.1, DuckDB 2.0.1
    /// and Spark 4.3.0.
    #[test]
    fn other_writers_rows_are_read() {
        let row = |i: usize| (i % 7 != 3).then(|| format!("line {} ", i / 2) + &"again ".repeat(5));
        let rows: Vec<_> = (0..20).map(row).collect();
        for (number, file) in [PYARROW, PYARROW_V2, DUCKDB].into_iter().chain(OTHERS).enumerate() {
            assert_eq!(all(file).as_ref(), Ok(&rows), "{number}");
        }
        assert!(plain(b"", 1, 4).unwrap_err().contains("compressed by brotli"));
    }

    #[test]
    fn own_rows_come_back_from_one_row_group_and_from_several() {
        let row = |i: usize| (i % 5 != 1).then(|| format!("{} é", i % 300).repeat(1 + i % 9));
        for count in [0, 1, 2, 9, 1000] {
            let rows: Vec<_> = (0..count).map(row).collect();
            assert_eq!(all(&written(&rows)).as_ref(), Ok(&rows), "{count}");
        }
        let none = vec![None; 17];
        assert_eq!(all(&written(&none)), Ok(none));
        // What comes again needs no room.
        let texts = ["a", "b", "b", "b", "c"];
        let rows: Vec<_> = texts.map(|x| Some(x.repeat(GROUP_BYTES / 2))).to_vec();
        let bytes = written(&rows);
        let file = File::open(&bytes).unwrap();
        let groups = file.footer.list(4).unwrap().map(|group| group.int(3));
        assert_eq!(groups.collect::<Vec<_>>(), [Some(2), Some(3)]);
        assert_eq!(all(&bytes), Ok(rows));
    }

    #[test]
    fn what_is_damaged_is_an_error_and_what_is_too_much_is_refused() {
        let own = written(&vec![Some("text".into()); 40]);
        for file in [PYARROW, PYARROW_V2, DUCKDB, &own].into_iter().chain(OTHERS) {
            assert!((0..file.len()).all(|cut| all(&file[..cut]).is_err()));
            for at in 0..file.len() {
                for with in [0, 1, 0x7f, 0xff] {
                    let mut bytes = file.to_vec();
                    bytes[at] = with;
                    let rows = all(&bytes).map_or(0, |rows| rows.len());
                    assert!(rows <= ROWS);
                }
            }
        }
        let file = File::open(DUCKDB).unwrap();
        assert!(file.has("host") && !file.has("Host") && file.texts("Host", &mut |_| ()).is_err());
        let number = Table::new(&[("digest", Kind::Number)]).done();
        assert!(all(&number).unwrap_err().contains("no text"));
        // One text, repeated by a dictionary until it is more than is read.
        let long = Some("x".repeat(GROUP_BYTES / 2 - 1));
        let much = written(&vec![long; 2 * ALL / GROUP_BYTES + 2]);
        let mut rows = 0;
        let done = File::open(&much).unwrap().texts("digest", &mut |_| rows += 1);
        assert!(done == Err(TOO_MUCH.into()) && rows > 0 && much.len() < 1 << 20, "{done:?}");
        let many = written(&vec![None; ROWS + 1]);
        assert!(all(&many).unwrap_err().contains("rows"));
        assert!(page_of(PAGE + 1).unwrap_err().contains("smaller row groups"));
        assert_eq!(page_of(PAGE).unwrap_err(), DAMAGED);
    }

    /// A file whose first page says that it has so many bytes.
    fn page_of(size: usize) -> Result<Vec<Option<String>>> {
        use crate::parquet::thrift::Struct;
        let page = Struct::new().int(1, DICTIONARY_PAGE).int(2, size as i64).int(3, 0).done();
        let meta = Struct::new().texts(3, &["digest"]).int(4, UNCOMPRESSED).long(5, 1);
        let meta = meta.long(7, page.len() as i64).long(9, MAGIC.len() as i64);
        let group = Struct::new().list(1, vec![Struct::new().inner(3, meta)]);
        let column = Struct::new().int(1, BYTE_ARRAY).int(3, OPTIONAL).text(4, "digest");
        let schema = vec![Struct::new().text(4, "schema"), column];
        let footer = Struct::new().list(2, schema).long(3, 1).list(4, vec![group]).done();
        let length = (footer.len() as u32).to_le_bytes();
        all(&[MAGIC, &page, &footer, &length, MAGIC].concat())
    }

    /// The example of "Encodings", and a run of fours after it.
    #[test]
    fn numbers_are_packed_or_repeated() {
        let mut runs = Runs::new(&[3, 0b1000_1000, 0b1100_0110, 0b1111_1010, 6, 4], 3);
        let all: Vec<u32> = std::iter::from_fn(|| runs.next()).collect();
        assert_eq!(all, [0, 1, 2, 3, 4, 5, 6, 7, 4, 4, 4]);
    }
}
