//! Tables of code numbers and names: after a head `[SECTION]` a row `CODES NAME` each. Codes are hexadecimal: one, several with
//! commas, ranges with a hyphen, or `*`. A line that begins with `#` is a comment.
use crate::cpuinfo::hex;

/// The rows of the sections whose head fits.
pub(crate) fn rows(
    table: &'static str,
    fits: impl Fn(&str) -> bool,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut inside = false;
    table.lines().filter_map(move |line| {
        if let Some(head) = head(line) {
            inside = fits(head);
        }
        line.split_once(' ').filter(|_| inside && !line.starts_with(['#', '[']))
    })
}

/// The heads of all sections.
pub(crate) fn heads(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter_map(head)
}

fn head(line: &str) -> Option<&str> {
    line.strip_prefix('[')?.strip_suffix(']')
}

/// Whether a code is one of these.
pub(crate) fn holds(codes: &str, code: u32) -> bool {
    codes.split(',').any(|part| {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        part == "*" || hex(from).zip(hex(to)).is_some_and(|(a, b)| (a..=b).contains(&code))
    })
}

/// The name of a code in a section.
pub(crate) fn name(table: &'static str, section: &str, code: u32) -> Option<&'static str> {
    rows(table, |head| head == section).find(|(codes, _)| holds(codes, code)).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_codes_and_a_name() {
        for table in [
            include_str!("tables/arm.txt"),
            include_str!("tables/clouds.txt"),
            include_str!("tables/memory.txt"),
            include_str!("tables/pci.txt"),
            include_str!("tables/x86.txt"),
        ] {
            let lines = table.lines().filter(|l| !l.starts_with(['#', '['])).count();
            let all: Vec<_> = rows(table, |_| true).collect();
            assert!(lines > 0 && all.len() == lines, "{} of {lines} rows", all.len());
            for (codes, name) in all {
                let known = |part: &str| part == "*" || part.split('-').all(|n| hex(n).is_some());
                assert!(codes.split([',', '/']).all(known) && !name.is_empty(), "{codes} {name}");
            }
        }
    }

    #[test]
    fn codes_are_one_several_or_all() {
        assert!(holds("a,10-1f", 10) && holds("a,10-1f", 0x1f) && holds("*", 7));
        assert!(!holds("a,10-1f", 0x20) && !holds("", 0));
        assert_eq!(name(include_str!("tables/memory.txt"), "type", 0x22), Some("DDR5"));
        assert_eq!(name(include_str!("tables/memory.txt"), "use", 0x22), None);
    }
}
