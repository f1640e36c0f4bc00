//! lmbench's summary (`make see`): latencies and bandwidths of the kernel and of memory, a line for each run.
//!
//! Limits: numbers are cut to a few digits (`11.K`), and memory latencies are ends of a curve. MB are 10^6 bytes. Of several
//! machines the first is read; host names are left out.
//! Source: lmbench 3.0-a9, scripts/getsummary; published summaries of x86-64, aarch64 and riscv64.
use crate::prelude::*;

pub(crate) static IMPORTER: Importer = Importer::new("lmbench", recognises, read);

const REQUEST: Quantity = seconds(Metric::TimePerRequest);
const OPERATION: Quantity = seconds(Metric::TimePerOp);

/// A part: how its title begins, what its numbers are and the factor to the unit, the parameter that its columns are values
/// of, and these. An empty one is repeated elsewhere, or no result.
type Part = (&'static str, Quantity, f64, &'static str, &'static str);
const MEMORY: &str = "Memory latencies";
#[rustfmt::skip]
const PARTS: &[Part] = &[
    ("Basic system parameters", REQUEST, 0.0, "", "|||||"),
    ("Processor, Processes", REQUEST, 1e-6, "request", "|null_call|null I/O|stat|open/close|select on TCP|signal installation|signal handling|fork|exec|sh"),
    ("Basic integer operations", OPERATION, 1e-9, "op", "integer bit|integer add|integer mul|integer div|integer mod"),
    ("Basic uint64 operations", OPERATION, 1e-9, "op", "int64 bit|int64 add|int64 mul|int64 div|int64 mod"),
    ("Basic float operations", OPERATION, 1e-9, "op", "float add|float mul|float div|float bogo"),
    ("Basic double operations", OPERATION, 1e-9, "op", "double add|double mul|double div|double bogo"),
    ("Context switching", REQUEST, 1e-6, "switch", "2p/0k|2p/16k|2p/64k|8p/16k|8p/64k|16p/16k|16p/64k"),
    ("*Local* Communication latencies", REQUEST, 1e-6, "request", "|pipe|AF_UNIX|UDP|RPC/UDP|TCP|RPC/TCP|TCP connection"),
    ("*Remote* Communication latencies", REQUEST, 1e-6, "request", "remote UDP|remote RPC/UDP|remote TCP|remote RPC/TCP|remote TCP connection"),
    ("File & VM system latencies", REQUEST, 1e-6, "request", "create 0k file|delete 0k file|create 10k file|delete 10k file|mmap|protection fault|page fault|select on 100 files"),
    ("*Local* Communication bandwidths", BANDWIDTH, 1e6, "kernel", "pipe|AF_UNIX|TCP|file reread|mmap reread|bcopy (libc)|bcopy (hand)|read|write"),
    (MEMORY, LOAD_TO_USE, 1e-9, "level", "|L1|L2|memory|memory at random"),
];

/// More columns than any part has, and more kernels than anybody compares in a summary.
const COLUMNS: usize = 16;
const MOST_SYSTEMS: usize = 64;

fn recognises(text: &Text) -> bool {
    text.any(|l| l.contains("L M B E N C H") && l.contains("S U M M A R Y"))
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    summary(text, found);
    Problem::when(found.without_series(), "it holds no result: every column is empty")
}

/// A number as the summary cuts it: `0.46`, `295.`, `11.K`, `3549.8K`.
fn cut(cell: &str) -> Option<f64> {
    let (value, unit) = leading(cell)?;
    let factor = match unit.trim_start_matches('.') {
        "" => 1.0,
        "K" => 1e3,
        "M" => 1e6,
        _ => return None,
    };
    Some(value * factor).filter(|x| *x >= 0.0)
}

/// The begin and end of each column, from the dashes under a head.
fn ruler(line: &str) -> Option<Vec<(usize, usize)>> {
    let dashes = line.len() > 20 && line.starts_with("--------- ");
    (dashes && line.bytes().all(|b| b == b'-' || b == b' ')).then(|| words(line))
}

/// The begin and end of each word.
fn words(line: &str) -> Vec<(usize, usize)> {
    let (mut all, mut from) = (vec![], None);
    for (i, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (c == ' ' || c == '\t', from) {
            (false, None) => from = Some(i),
            (true, Some(begin)) => {
                all.push((begin, i));
                from = None;
            }
            _ => {}
        }
    }
    all
}

fn summary(text: &Text, found: &mut Found) {
    let mut part: Option<&Part> = None;
    let mut columns: Vec<(usize, usize)> = vec![];
    let mut host: Option<String> = None;
    // Of each system its first line, and the samples of each part's columns.
    let mut systems: Vec<(&str, u32, Vec<Vec<f64>>)> = vec![];
    for line in text.lines() {
        let row = line.text;
        if row.is_empty() || row.starts_with("make[") {
            columns.clear();
        } else if let Some(known) = PARTS.iter().find(|(title, ..)| row.starts_with(title)) {
            (part, columns) = (Some(known), vec![]);
        } else if row.contains(" is better") {
            found.warn(line.number, format!("a part that is not known is left: {}", tidy(row)));
            part = None;
        } else if let Some(found_columns) = ruler(row) {
            columns = found_columns;
        } else if let (Some(known), Some([_, os, rest @ ..])) = (part, columns.get(..))
            && let (Some(name), Some(system)) = (row.get(..9), row.get(os.0..os.1))
            && !name.trim().is_empty()
        {
            if *host.get_or_insert_with(|| name.to_owned()) != *name {
                found.warn(line.number, "a row of another machine is left: a record is of one");
                continue;
            }
            let is_new = systems.iter().all(|(of, ..)| *of != system);
            if is_new && systems.len() < MOST_SYSTEMS {
                systems.push((system, line.number, vec![vec![]; PARTS.len() * COLUMNS]));
            }
            let Some(of) = systems.iter_mut().find(|(of, ..)| *of == system) else { continue };
            let at = PARTS.iter().position(|p| p.0 == known.0).unwrap_or(0);
            for (column, value) in cells(known, rest, os.1, line, found) {
                of.2[at * COLUMNS + column].push(value);
            }
        }
    }
    for (system, n, samples) in systems {
        let case = found.case(n, ProbeId::Lmbench, &[("os", system.trim().into())]);
        for (index, values) in samples.iter().enumerate() {
            let (_, quantity, factor, at, names) = PARTS[index / COLUMNS];
            let name = names.split('|').nth(index % COLUMNS).filter(|name| !name.is_empty());
            if let Some(name) = name {
                let values: Vec<f64> = values.iter().map(|x| x * factor).collect();
                found.series(case, quantity, &place(at, name), &values);
            }
        }
    }
}

/// The coordinates of a column.
fn place<'a>(at: &'a str, name: &str) -> Vec<(&'a str, Value)> {
    if at != "switch" {
        return vec![(at, name.into())];
    }
    let mut sizes = name.split("p/").map(|size| bytes(size).unwrap_or(0));
    let mut size = || Value::from(sizes.next().unwrap_or(0));
    vec![("request", "switch".into()), ("processes", size()), ("size", size())]
}

/// The cells of a row with their columns. A number stands under the dashes that its end is nearest to, whatever it is as long.
fn cells(
    part: &Part,
    columns: &[(usize, usize)],
    from: usize,
    line: Line<'_>,
    found: &mut Found,
) -> Vec<(usize, f64)> {
    let names = part.4.split('|').count();
    let Some(rest) = line.text.get(from..) else { return vec![] };
    let all: Vec<(usize, &str)> =
        words(rest).into_iter().map(|(begin, end)| (end + from, &rest[begin..end])).collect();
    // Here dashes stand for numbers that are missing, and the head is not above its columns.
    if part.0 == MEMORY {
        let value = |(column, (_, cell)): (usize, &(usize, &str))| Some((column, cut(cell)?));
        return all.iter().take(names).enumerate().filter_map(value).collect();
    }
    if columns.len() != names {
        let what = format!("{} columns where {} are known: it is left", columns.len(), names);
        found.warn(line.number, what);
        return vec![];
    }
    let value = |(end, cell): (usize, &str)| {
        let (column, _) =
            columns.iter().enumerate().min_by_key(|(_, (_, right))| right.abs_diff(end))?;
        Some((column, cut(cell)?))
    };
    all.into_iter().filter_map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn numbers_are_cut_to_their_columns() {
        for (text, value) in
            [("0.46", 0.46), ("295.", 295.0), ("11.K", 11e3), ("3549.8K", 3549.8e3)]
        {
            assert_eq!(cut(text), Some(value), "{text}");
        }
        assert_eq!((cut("-"), cut("Bad"), cut("-1")), (None, None, None));
    }
}
