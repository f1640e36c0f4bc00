//! Rows of sysbench's table: digits in groups of eleven. Each block of a thousand rows has its own generator, so the same seed
//! gives the same rows for any number of loader threads.
use crate::{bulk_insert::BulkInsert, loader::Loader};
use database::session::{Error, Value};
use stats::rng::Rng;
use std::ops::Range;

/// Characters of `c`: ten groups of eleven digits.
pub const C_LENGTH: usize = 10 * 12 - 1;
/// Characters of `pad`: five groups.
pub const PAD_LENGTH: usize = 5 * 12 - 1;
/// Rows of a generator.
const BLOCK: u64 = 1000;
/// Number of values of a group.
const GROUP: u64 = 100_000_000_000;

/// Loads the rows with these ids in one transaction. The range begins and ends at a block or at the table's end. `progress`
/// receives the number of loaded rows after each block; `false` stops.
///
/// # Errors
/// The engine refused the rows or is gone.
pub fn load(
    loader: &mut Loader<'_>,
    ids: Range<u64>,
    (rows, seed): (u64, u64),
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<(), Error> {
    let (mut c, mut pad) = ([0; C_LENGTH], [0; PAD_LENGTH]);
    loader.transaction(|session, dialect| {
        let mut insert = BulkInsert::new(session, dialect, "sbtest1", "id,k,c,pad")?;
        let mut id = ids.start;
        while id < ids.end {
            let block = id / BLOCK;
            let end = ((block + 1) * BLOCK).min(ids.end);
            let mut rng = Rng::new(seed ^ block.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            while id < end {
                let k = Value::Int(rng.below(rows) as i64 + 1);
                let (c, pad) = (digits(&mut c, &mut rng), digits(&mut pad, &mut rng));
                insert.row(&[Value::Int(id as i64 + 1), k, Value::Text(c), Value::Text(pad)])?;
                id += 1;
            }
            if !progress(end - ids.start) {
                break;
            }
        }
        insert.finish()
    })
}

/// Fills the text with groups of digits separated by dashes.
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
