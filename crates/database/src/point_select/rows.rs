//! Rows of sysbench's table: numbers in groups of eleven digits. A thousand rows have a generator of their own, so that the
//! same seed gives the same rows however many threads load them.
use crate::{
    insert::Insert,
    loader::Loader,
    session::{Error, Value},
};
use stats::rng::Rng;
use std::ops::Range;

/// Characters of `c`: ten groups of eleven digits.
pub const C_LENGTH: usize = 10 * 12 - 1;
/// Characters of `pad`: five groups.
pub const PAD_LENGTH: usize = 5 * 12 - 1;
/// Rows that have a generator in common.
const BLOCK: u64 = 1000;
/// Ten to the power of eleven: the values of a group.
const GROUP: u64 = 100_000_000_000;

/// Loads rows with these ids, which begin and end with a block or the table, in a transaction; `done` is told after each block
/// how many there are, and may end it by answering no.
///
/// # Errors
/// The engine refused, or is gone.
pub fn load(
    loader: &mut Loader<'_>,
    ids: Range<u64>,
    (rows, seed): (u64, u64),
    done: &mut dyn FnMut(u64) -> bool,
) -> Result<(), Error> {
    let (mut c, mut pad) = ([0; C_LENGTH], [0; PAD_LENGTH]);
    loader.transaction(|session, dialect| {
        let mut insert = Insert::new(session, dialect, "sbtest1", &["id", "k", "c", "pad"])?;
        let mut id = ids.start;
        while id < ids.end {
            let block = id / BLOCK;
            let end = ((block + 1) * BLOCK).min(ids.end);
            let mut rng = Rng::new(seed ^ block.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            while id < end {
                let k = rng.below(rows) + 1;
                let (c, pad) = (digits(&mut c, &mut rng), digits(&mut pad, &mut rng));
                insert.row(&[
                    Value::Int(id as i64 + 1),
                    Value::Int(k as i64),
                    Value::Text(c),
                    Value::Text(pad),
                ])?;
                id += 1;
            }
            if !done(end - ids.start) {
                break;
            }
        }
        insert.finish()
    })
}

/// Fills it with groups of digits and dashes between them.
fn digits<'a>(text: &'a mut [u8], rng: &mut Rng) -> &'a str {
    for group in text.chunks_mut(12) {
        let mut number = rng.below(GROUP);
        for digit in group[..11].iter_mut().rev() {
            *digit = b'0' + (number % 10) as u8;
            number /= 10;
        }
        if let Some(dash) = group.get_mut(11) {
            *dash = b'-';
        }
    }
    std::str::from_utf8(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_groups_of_digits() {
        let (mut c, mut pad) = ([0; C_LENGTH], [0; PAD_LENGTH]);
        let mut rng = Rng::new(1);
        let first = digits(&mut c, &mut rng).to_owned();
        assert!(crate::point_select::is_c(&first), "{first}");
        assert_eq!(first.split('-').count(), 10);
        assert_eq!(digits(&mut pad, &mut rng).split('-').count(), 5);
        assert_ne!(digits(&mut c, &mut rng), first);
        for bad in ["", "1", &first.replace('-', "1"), &first[1..]] {
            assert!(!crate::point_select::is_c(bad), "{bad}");
        }
    }
}
