//! Blocks compressed by Snappy, the default of DuckDB and pyarrow. Contract: github.com/google/snappy,
//! "format_description.txt".
use super::thrift::Bytes;

/// The bytes of a block, of which there must be so many; `None` if it is damaged.
pub(super) fn plain(block: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut rest = Bytes(block);
    if rest.varint()? != length as u64 {
        return None;
    }
    // A copy of 64 bytes takes three.
    let mut out = Vec::with_capacity(length.min(block.len().saturating_mul(32)));
    while !rest.0.is_empty() {
        let tag = usize::from(rest.byte()?);
        let upper = tag >> 2;
        let (size, offset) = match tag & 3 {
            0 if upper < 60 => (upper + 1, None),
            0 => (rest.little(upper - 59)?.checked_add(1)?, None),
            1 => (4 + (upper & 7), Some(tag >> 5 << 8 | rest.little(1)?)),
            2 => (upper + 1, Some(rest.little(2)?)),
            _ => (upper + 1, Some(rest.little(4)?)),
        };
        if size > length - out.len() {
            return None;
        }
        match offset {
            None => out.extend_from_slice(rest.take(size)?),
            Some(0) => return None,
            Some(offset) => {
                let from = out.len().checked_sub(offset)?;
                // A copy may reach into what it writes.
                for at in from..from + size {
                    out.push(out[at]);
                }
            }
        }
    }
    (out.len() == length).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::plain;

    /// Elements as the description of the format lays them out.
    #[test]
    fn literals_and_copies_are_those_of_the_format() {
        let text = b"xababababab";
        // A literal of three bytes, and a copy of eight from two bytes back, by each length of the offset.
        for copy in [&[0b0001_0001, 2][..], &[0b0001_1110, 2, 0], &[0b0001_1111, 2, 0, 0, 0]] {
            let block = [&[11, 0b0000_1000][..], b"xab", copy].concat();
            assert_eq!(plain(&block, 11).as_deref(), Some(&text[..]), "{copy:?}");
            assert!((0..block.len()).all(|cut| plain(&block[..cut], 11).is_none()));
            assert_eq!(plain(&block, 10), None);
        }
        let long = [&[0xac, 0x02, 61 << 2, 43, 1][..], &[7; 300]].concat();
        assert_eq!(plain(&long, 300), Some(vec![7; 300]));
        // A copy from before the begin, or from nowhere, or of more than there is room for.
        assert_eq!(plain(&[4, 0, b'x', 0b1, 2], 5), None);
        assert_eq!(plain(&[5, 0, b'x', 0b1, 2], 5), None);
        assert_eq!(plain(&[5, 0, b'x', 0b1, 0], 5), None);
        assert_eq!(plain(&[4, 0, b'x', 0b1, 1], 4), None);
    }
}
