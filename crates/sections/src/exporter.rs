//! An exporter: a placement in the words of one tool, ready to be pasted. Its id is its file's name, its header is its page.
use analyse::place::{Instance, Placement};
use record::Reason;

/// Prints a placement in the syntax of one tool.
#[derive(Debug)]
pub struct Exporter {
    /// Its title, in a few words.
    pub title: &'static str,
    /// The lines, in the order in which they are needed; those that begin with `#` are comments. Else why this tool has no such
    /// form, and what would help.
    pub lines: fn(&Placement) -> Result<Vec<String>, Reason>,
    /// Fails unless the lines, read as the tool reads them, give the same CPUs and nodes.
    #[cfg(test)]
    pub(crate) read_back: fn(&Placement, &[String]),
}

/// The words in the lines that stand for something of the user's.
const PLACEHOLDERS: &[(&str, &str)] = &[
    ("APP.jar", "your program"),
    ("COMMAND", "the program with its arguments"),
    ("IMAGE", "the container's image"),
    ("NAME", "a name of your choice"),
    ("PID", "the process to move"),
    ("SIZE", "the memory that it needs"),
];

/// The meaning of the words in capitals.
pub(crate) fn placeholders(lines: &[String]) -> Option<String> {
    let has = |word: &str| lines.iter().any(|line| line.contains(word));
    let used = PLACEHOLDERS.iter().filter(|(word, _)| has(word));
    let words: Vec<String> = used.map(|(word, what)| format!("{word} ({what})")).collect();
    (!words.is_empty()).then(|| format!("Replace {}.", words.join(", ")))
}

/// Share of an instance's memory that a program's own heap or buffer pool may have: the upper end of what the manual of
/// MySQL recommends on a machine of its own ("50 to 75 percent of system memory", InnoDB buffer pool configuration).
const HEAP: f64 = 0.75;

/// Bytes of an instance's memory that its heap may have, in whole MiB.
pub(crate) fn heap_mib(instance: &Instance) -> Option<u64> {
    let mib = (instance.bytes? as f64 * HEAP) as u64 >> 20;
    (mib > 0).then_some(mib)
}

/// The words of numactl that bind an instance.
pub(crate) fn numactl(instance: &Instance) -> String {
    let memory = match instance.nodes.len() {
        0 => String::new(),
        1 => format!(" --membind={}", instance.nodes),
        _ => format!(" --interleave={}", instance.nodes),
    };
    format!("numactl --physcpubind={}{memory}", instance.cpus)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::exporters;
    use analyse::place::{Per, Request, place};
    use record::CpuSet;
    use std::fs;

    /// The lists that follow a mark, one from each line that has it.
    pub(crate) fn after(lines: &[String], mark: &str) -> Vec<CpuSet> {
        let word = |line: &String| {
            let (_, rest) = line.split_once(mark)?;
            let end = |c: char| !(c.is_ascii_digit() || matches!(c, ',' | '-' | ' '));
            let list = rest.split(end).next()?.trim();
            // A list may be followed by another word of digits only behind a blank.
            Some(list.split(' ').next()?.parse().unwrap())
        };
        lines.iter().filter_map(word).collect()
    }
    pub(crate) fn cpus(placement: &Placement) -> Vec<CpuSet> {
        placement.instances.iter().map(|i| i.cpus.clone()).collect()
    }
    pub(crate) fn nodes(placement: &Placement) -> Vec<CpuSet> {
        placement.instances.iter().map(|i| i.nodes.clone()).filter(|n| !n.is_empty()).collect()
    }

    pub(crate) fn placements() -> Vec<(String, Placement)> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/machines");
        let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
        files.sort_unstable();
        let mut all = vec![];
        for file in files.into_iter().filter(|f| f.extension().is_some_and(|x| x == "json")) {
            let machine = fs::read_to_string(&file).unwrap();
            let text = format!(
                r#"{{"schema": 1, "provenance": {{"tool": "test", "version": "1"}}, "machine": {machine}, "runs": []}}"#
            );
            let record = record::from_slice(text.as_bytes()).unwrap();
            let report = analyse::analyse(&record);
            let one = Request::default();
            let asks = [
                one,
                Request { smt: Some(false), ..one },
                Request { instances: Some(1), ..one },
                Request { cores: Some(3), ..one },
                Request { per: Some(Per::Die), ..one },
            ];
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            all.extend(asks.iter().filter_map(|a| Some((name.clone(), place(&report, a).ok()?))));
        }
        assert!(all.len() > 100, "{}", all.len());
        all
    }

    /// Every exporter says of every machine what was placed, or why it cannot.
    #[test]
    fn what_is_printed_reads_back_to_the_same_sets() {
        for (name, placement) in placements() {
            for (id, exporter) in exporters::ALL {
                match (exporter.lines)(&placement) {
                    Ok(lines) => {
                        assert!(lines.iter().any(|l| !l.starts_with('#')), "{name} {id}");
                        assert!(lines.iter().all(|l| !l.contains('\n')), "{name} {id}");
                        (exporter.read_back)(&placement, &lines);
                        let explained = placeholders(&lines).unwrap_or_default();
                        for word in
                            lines.iter().flat_map(|l| l.split(|c: char| !c.is_alphanumeric()))
                        {
                            let stands =
                                word.len() > 2 && word.bytes().all(|b| b.is_ascii_uppercase());
                            assert!(
                                !stands || word == "OFF" || explained.contains(word),
                                "{id}: {word}"
                            );
                        }
                    }
                    Err(why) => assert!(why.remedy.is_some(), "{name} {id}: {why}"),
                }
            }
        }
    }
}
