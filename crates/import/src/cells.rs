//! Cells of hand-written tables: numbers with units, without markup.
use crate::number::{leading, number};
use record::Unit;

/// A cell's number in base units.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cell {
    /// The number as text, in the cell's or the head's unit.
    pub(crate) printed: String,
    /// The number as printed.
    pub(crate) value: f64,
    /// The unit in the cell, and the factor to the base unit.
    pub(crate) unit: Option<(Unit, f64)>,
}

/// Text without HTML tags, emphasis and arrows.
pub(crate) fn bare(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    let tags = text.contains('<') && text.contains('>');
    for c in text.chars() {
        match c {
            '<' if tags => inside = true,
            '>' if inside => inside = false,
            '`' | '↓' | '↑' => {}
            c if !inside => out.push(c),
            _ => {}
        }
    }
    out.replace("**", "").trim().to_owned()
}

/// A cell's number, with or without a unit.
pub(crate) fn cell(text: &str) -> Option<Cell> {
    let text = bare(text);
    let (value, rest) = leading(&text)?;
    let unit = match rest {
        "" => None,
        word => Some(unit(word)?),
    };
    let printed = text[..text.len() - rest.len()].trim().to_owned();
    number(&printed)?;
    Some(Cell { printed, value, unit })
}

/// A unit and its factor to the base unit. Rates are decimal, as STREAM and lmbench count.
pub(crate) fn unit(word: &str) -> Option<(Unit, f64)> {
    Some(match word.trim() {
        "%" | "％" => (Unit::Ratio, 0.01),
        "ns" | "nanoseconds" | "纳秒" => (Unit::Seconds, 1e-9),
        "us" | "µs" | "μs" | "微秒" => (Unit::Seconds, 1e-6),
        "ms" | "毫秒" => (Unit::Seconds, 1e-3),
        "s" | "sec" | "secs" | "seconds" | "秒" => (Unit::Seconds, 1.0),
        "KB/s" | "kB/s" | "KB/sec" => (Unit::BytesPerSecond, 1e3),
        "MB/s" | "MB/sec" => (Unit::BytesPerSecond, 1e6),
        "GB/s" | "GB/sec" => (Unit::BytesPerSecond, 1e9),
        "MiB/s" | "MiB/sec" => (Unit::BytesPerSecond, 1_048_576.0),
        "GiB/s" | "GiB/sec" => (Unit::BytesPerSecond, 1_073_741_824.0),
        "MHz" => (Unit::Hertz, 1e6),
        "GHz" => (Unit::Hertz, 1e9),
        "MT/s" => (Unit::TransfersPerSecond, 1e6),
        "W" => (Unit::Watts, 1.0),
        "qps" | "QPS" | "tps" | "TPS" | "rps" | "RPS" | "IOPS" => (Unit::PerSecond, 1.0),
        // Shown as they are called, a minute.
        "tpm" | "tpmC" | "TpmC" | "NOPM" => (Unit::Count, 1.0),
        word => {
            let counted = word.strip_suffix("/s").or(word.strip_suffix("/sec"))?;
            let noun = counted.len() > 2 && counted.chars().all(|c| c.is_ascii_lowercase());
            return noun.then_some((Unit::PerSecond, 1.0));
        }
    })
}

/// The unit that a head states: in brackets, or as a word of its own.
pub(crate) fn head_unit(head: &str) -> Option<(Unit, f64)> {
    let open = head.find(['(', '（', '[']).map(|at| &head[at..]);
    let inside = open.map(|o| o.trim_matches(['(', ')', '（', '）', '[', ']']));
    if head.trim() == "IPC" {
        return Some((Unit::PerCycle, 1.0));
    }
    inside.and_then(unit).or_else(|| head.split_whitespace().find_map(unit))
}

/// A line of a Markdown table in cells; nothing for the line of dashes.
pub(crate) fn piped(line: &str) -> Option<Vec<String>> {
    let inner = line.trim().strip_prefix('|')?;
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    Some(inner.split('|').map(bare).collect())
}

/// A line of CSV in cells (RFC 4180; quoted cells end with their line).
pub(crate) fn separated(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (vec![], String::new(), false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(std::mem::take(&mut cell).trim().to_owned()),
            c => cell.push(c),
        }
    }
    cells.push(cell.trim().to_owned());
    cells
}

/// Columns that two or more blanks part.
pub(crate) fn spaced(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|c| !c.is_empty()).collect()
}

/// Whether a row of cells is the line under the head.
pub(crate) fn dashes(cells: &[String]) -> bool {
    cells.iter().all(|c| !c.is_empty() && c.chars().all(|c| matches!(c, '-' | ':' | ' ' | '=')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_lose_their_markup() {
        let red = cell("<font color=red>**12.13% ↓**</font>").unwrap();
        assert_eq!((red.value, red.unit), (12.13, Some((Unit::Ratio, 0.01))));
        assert_eq!(cell("2256.59 MB/sec").unwrap().unit, Some((Unit::BytesPerSecond, 1e6)));
        for words in ["19969l", "无HT", "4 apples", "0~15", ""] {
            assert_eq!(cell(words), None, "{words}");
        }
        assert_eq!(head_unit("执行时间(秒)"), Some((Unit::Seconds, 1.0)));
        assert_eq!(head_unit("copy bandwidth MB/s"), Some((Unit::BytesPerSecond, 1e6)));
        assert_eq!(head_unit("queries/s"), Some((Unit::PerSecond, 1.0)));
        assert_eq!(head_unit("8163 (tpmC)"), Some((Unit::Count, 1.0)));
        assert_eq!([head_unit("Gb/s"), head_unit("and/or")], [None, None]);
        assert_eq!(separated(r#"a,"b, ""c""",,"d"#), ["a", r#"b, "c""#, "", "d"]);
        assert_eq!(spaced("  CPU Mark:      13 x  2 y"), ["CPU Mark:", "13 x", "2 y"]);
    }
}
