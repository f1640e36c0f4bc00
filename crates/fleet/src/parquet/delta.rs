//! Texts by the differences of their lengths, and of their beginnings: the encodings of pyarrow and of DuckDB's and Spark's
//! second version. Contract: github.com/apache/parquet-format, "Encodings" (DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY,
//! DELTA_BYTE_ARRAY).
use super::{read::Runs, thrift::Bytes};

/// Texts of a page, one after the other.
pub(super) struct Texts<'a> {
    lengths: std::vec::IntoIter<usize>,
    /// How many bytes each has of the one before it; nothing where none has any.
    shared: Option<std::vec::IntoIter<usize>>,
    bytes: Bytes<'a>,
    text: Vec<u8>,
}

impl<'a> Texts<'a> {
    /// Reads a page with at most so many values.
    pub(super) fn new(mut bytes: Bytes<'a>, sharing: bool, most: usize) -> Option<Texts<'a>> {
        let shared = if sharing { Some(numbers(&mut bytes, most)?.into_iter()) } else { None };
        let lengths = numbers(&mut bytes, most)?.into_iter();
        Some(Texts { lengths, shared, bytes, text: vec![] })
    }
    pub(super) fn next(&mut self) -> Option<&[u8]> {
        let shared = self.shared.as_mut().map_or(Some(0), Iterator::next)?;
        let own = self.bytes.take(self.lengths.next()?)?;
        if shared > self.text.len() {
            return None;
        }
        self.text.truncate(shared);
        self.text.extend_from_slice(own);
        Some(&self.text)
    }
}

/// Numbers that are not negative, of which there may be so many.
fn numbers(bytes: &mut Bytes<'_>, most: usize) -> Option<Vec<usize>> {
    let (block, parts) = (bytes.size()?, bytes.size()?);
    let count = bytes.size().filter(|count| *count <= most)?;
    let mut value = bytes.integer()?;
    let each = block.checked_div(parts).filter(|each| each % 32 == 0 && *each > 0)?;
    let mut all = vec![];
    if count > 0 {
        all.push(usize::try_from(value).ok()?);
    }
    while all.len() < count {
        let least = bytes.integer()?;
        for width in bytes.take(parts)? {
            // Parts behind the last value have no bytes, whatever their width.
            let left = count - all.len();
            if left == 0 {
                break;
            }
            if *width > 32 {
                return None;
            }
            let packed = bytes.take(each.checked_mul(usize::from(*width))? / 8)?;
            let mut packed = Runs::packed(packed, *width);
            for _ in 0..each.min(left) {
                let more = least.checked_add(i64::from(packed.next()?))?;
                // Differences of 32-bit numbers are modulo 2^32.
                value = i64::from(value.checked_add(more)? as i32);
                all.push(usize::try_from(value).ok()?);
            }
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of "Delta Encoding": 1 to 5, and 7, 5, 3, 1, 2, 3, 4, 5 with bits of the second by hand.
    #[test]
    fn differences_are_added() {
        let of = |bytes: &[u8]| numbers(&mut Bytes(bytes), 100);
        let same = [128, 1, 4, 5, 2, 2, 0, 0, 0, 0];
        assert_eq!(of(&same), Some(vec![1, 2, 3, 4, 5]));
        let mut packed = vec![128, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0b1100_0000, 0b0011_1111];
        packed.extend([0; 6]);
        assert_eq!(of(&packed), Some(vec![7, 5, 3, 1, 2, 3, 4, 5]));
        assert_eq!(numbers(&mut Bytes(&same), 4), None);
        for cut in 0..same.len() {
            assert_eq!(of(&same[..cut]), None);
        }
        assert_eq!(of(&[128, 1, 0, 5, 2, 2, 0, 0, 0, 0]), None);
    }
}
