//! Numbers as tools print them: thousands separators, units, sizes. Nothing infinite, nothing beyond what a tool can mean.

use record::CpuSet;

/// No tool prints more than this, whatever it counts.
const MOST: f64 = 1e24;

/// A number, with or without thousands separators (`1,234`, `1 234`, `1'234`) or a decimal comma.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    if text.is_empty() || text.len() > 40 || !text.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let plain = |text: &str| -> Option<f64> {
        let fits = text
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'));
        text.parse().ok().filter(|x: &f64| fits && x.is_finite() && x.abs() < MOST)
    };
    plain(text).or_else(|| plain(&text.replace(['\'', '\u{a0}', '\u{202f}', ' '], ""))).or_else(
        || {
            let parts: Vec<&str> = text.split(',').collect();
            let (head, rest) = parts.split_first()?;
            let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
            let (last, middle) = rest.split_last()?;
            let whole = last.split('.').next().unwrap_or(last);
            let is_group = |part: &&str| part.len() == 3 && digits(part);
            if middle.iter().all(is_group) && is_group(&whole) && head.len() <= 4 {
                return plain(&text.replace(',', ""));
            }
            plain(&text.replace(',', ".")).filter(|_| parts.len() == 2)
        },
    )
}

/// A whole number of bounded size.
pub(crate) fn whole(text: &str) -> Option<u64> {
    let x = number(text)?;
    (x >= 0.0 && x.fract() == 0.0 && x < 9e15).then_some(x as u64)
}

/// The number that a text begins with, and what follows it: `2.1GHz` is 2.1 and `GHz`.
pub(crate) fn leading(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    let sign = usize::from(text.starts_with(['-', '+']));
    let behind = text[sign..].find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','));
    let end = behind.map_or(text.len(), |at| sign + at);
    Some((number(text[..end].trim_end_matches([',', '.']))?, text[end..].trim()))
}

/// The number before a word in a list: of `Core` in `48 Cores / 96 Threads` it is 48.
pub(crate) fn count_of(list: &str, between: &str, word: &str) -> Option<u64> {
    let mut all = list.split(between).filter_map(leading);
    all.find(|(_, words)| words.starts_with(word)).map(|(n, _)| n as u64)
}

/// A size in bytes: `32K`, `2 MiB`, `128854 MB`. Memory tools mean powers of 1024 for both `MB` and `MiB`.
pub(crate) fn bytes(text: &str) -> Option<u64> {
    let (x, unit) = leading(text)?;
    let unit = unit.split_whitespace().next().unwrap_or("");
    let power = match unit.to_ascii_lowercase().as_str() {
        "" | "b" | "bytes" | "byte" => 0,
        "k" | "kb" | "kib" | "kbytes" => 1,
        "m" | "mb" | "mib" | "mbytes" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return None,
    };
    let size = x * 1024f64.powi(power);
    (0.0..9e18).contains(&size).then_some(size.round() as u64)
}

/// A frequency in hertz: `2933MHz`, `2.50GHz`, `50 MHz`.
pub(crate) fn hertz(text: &str) -> Option<f64> {
    let (x, unit) = leading(text)?;
    let unit = unit.split(|c: char| !c.is_ascii_alphabetic()).next()?.to_ascii_lowercase();
    let factor = match &*unit {
        "hz" => 1.0,
        "khz" => 1e3,
        "mhz" => 1e6,
        "ghz" => 1e9,
        _ => return None,
    };
    Some(x * factor).filter(|hz| *hz > 0.0 && *hz < 2e10)
}

/// A distance between NUMA nodes, of which firmware states one byte.
pub(crate) fn distance(text: &str) -> Option<u32> {
    text.parse().ok().filter(|distance| *distance <= 255)
}

/// A list of CPUs such as `0-7,64-71` that names at most `most` numbers, counted with repeats: a list that names
/// them over and over would cost seconds to build.
pub(crate) fn cpu_list(text: &str, most: u64) -> Option<CpuSet> {
    let mut named = 0u64;
    for part in text.split(',') {
        let range = part.split(':').next().unwrap_or(part).trim();
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let end = |t: &str| t.trim().parse::<u32>().unwrap_or(0);
        named += u64::from(end(to).saturating_sub(end(from)).min(CpuSet::MAX)) + 1;
        if named > most {
            return None;
        }
    }
    text.parse().ok()
}

/// Whether two numbers agree, given how far rounding can have moved each.
pub(crate) fn agree(a: f64, b: f64, within: f64) -> bool {
    (a - b).abs() <= within.max(1e-12 * a.abs())
}

/// Half a unit in the last printed place: `1.38` may be anything from 1.375 to 1.385.
pub(crate) fn rounding(printed: &str) -> f64 {
    let digits = printed.trim().trim_end_matches(|c: char| !c.is_ascii_digit());
    let places = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len().min(30));
    0.5 * 10f64.powi(-(places as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_printed() {
        for (text, value) in [
            ("57,795,675,025", 57_795_675_025.0),
            ("2552812813", 2_552_812_813.0),
            ("1,10", 1.1),
            ("1 234", 1234.0),
            ("-35", -35.0),
            ("1,234.5", 1234.5),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        for text in ["", "inf", "NaN", "19969l", "1,2,3", "1e999", "0x10", "--", "."] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn sizes_and_clocks() {
        assert_eq!(bytes("32K"), Some(32768));
        assert_eq!(bytes("2 MiB"), Some(2 << 20));
        assert_eq!(bytes("1.5 MiB (32 instances)"), Some(1_572_864));
        assert_eq!(bytes("12 parsecs"), None);
        assert_eq!(hertz("2933MHz (0.3ns)"), Some(2.933e9));
        assert_eq!(leading("16.04k"), Some((16.04, "k")));
        assert_eq!(rounding("1.38"), 0.005);
        assert_eq!(rounding("100"), 0.5);
    }
}
