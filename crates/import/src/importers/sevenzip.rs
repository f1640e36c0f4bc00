//! `7z b` and `7zz b`, the benchmark of 7-Zip: its rating, compressing and decompressing, by number of threads.
//!
//! Limits: the rating is a unit of its own, millions of "instructions" a second of what an old reference CPU needed.
//! Source: 7-Zip, CPP/7zip/UI/Common/Bench.cpp.
use crate::prelude::*;
use std::collections::BTreeMap;

pub(crate) static IMPORTER: Importer = Importer::new("7-Zip", recognises, read);

const THREADS: &str = "# Benchmark threads:";
/// The most use in percent that threads on one CPU state: rounding and the clock's steps are in it.
const ONE_CPU: f64 = 110.0;

/// sbc-bench's results hold the same lines, which are read as its.
fn recognises(text: &Text) -> bool {
    text.any(|l| version(l).is_some())
        && text.any(|l| l.contains(THREADS))
        && !text.any(|l| l.contains("sbc-bench v"))
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut ratings = Ratings::default();
    let mut above: Vec<(u32, &str)> = vec![];
    for line in text.lines() {
        let row = line.text.trim();
        match version(row) {
            Some(version) => found.version(version),
            None if row.contains("CPU Freq") && found.machine.value("cpu.model").is_none() => {
                if let Some((n, model)) = model(&above) {
                    found.fact(n, "cpu.model", tidy(model));
                    signature(n, model, &above, found);
                }
            }
            None => _ = ratings.line(line.number, row, &[]),
        }
        if !row.is_empty() {
            above.push((line.number, row));
        }
    }
    let cut = ratings.all.is_empty();
    ratings.end(found);
    Problem::when(cut, "no rating is in it: it is cut short")
}

/// The processor, in the last line above its frequency: `AMD EPYC 7763 64-Core Processor (A00F11)`. Later versions print what
/// stands in brackets, the processor's signature, on a line of its own.
fn model<'t>(above: &[(u32, &'t str)]) -> Option<(u32, &'t str)> {
    let (n, row) = *above.iter().rev().find(|(_, row)| !row.starts_with('('))?;
    let name = row.split_once(" (").filter(|(_, behind)| eax(behind).is_some());
    let name = name.map_or(row, |(name, _)| name);
    // p7zip prints the byte order there where it cannot name the processor.
    (!name.contains(':') && !["LE", "BE"].contains(&name)).then_some((n, name))
}

/// `A00F11)`: EAX of CPUID's leaf 1 in hexadecimal.
fn eax(behind: &str) -> Option<u32> {
    let hex = behind.split(')').next().filter(|hex| hex.len() > 3)?;
    u32::from_str_radix(hex, 16).ok()
}

/// The vendor and the signature behind a processor's name: on Arm the brackets hold another register.
fn signature(n: u32, model: &str, above: &[(u32, &str)], found: &mut Found) {
    let vendor = ["Intel", "AMD", "Hygon"].iter().find(|vendor| model.contains(**vendor));
    let behind = above.iter().rev().take(2).find_map(|(_, row)| row.split('(').find_map(eax));
    if let (Some(vendor), Some(eax)) = (vendor, behind) {
        found.fact(n, "cpu.vendor", *vendor);
        found.signature(n, inventory::cpuid_signature(eax).into());
    }
}

/// `7-Zip (z) 26.02 (x64) : Copyright`, `7-Zip [64] 16.02 : Copyright`.
fn version(line: &str) -> Option<&str> {
    let words = line.strip_prefix("7-Zip ")?.split_once(" : Copyright")?.0;
    words.split(' ').find(|w| w.starts_with(|c: char| c.is_ascii_digit()))
}

/// The parameters of the case.
type CaseParameters = Vec<(&'static str, Value)>;
/// The first line and the ratings, by what they are of.
type Rated = BTreeMap<&'static str, (u32, Vec<f64>)>;

/// Ratings by what was run.
#[derive(Default)]
pub(crate) struct Ratings {
    threads: Option<u64>,
    /// Runs whose threads shared one CPU, and whether those of this run do.
    alone: u64,
    shared: Option<bool>,
    all: Vec<(CaseParameters, Rated)>,
}

impl Ratings {
    /// Whether the line is one of the benchmark's that hold a rating or the number of threads. `on` is where it runs.
    pub(crate) fn line(&mut self, n: u32, line: &str, on: &[(&'static str, Value)]) -> bool {
        if let Some((_, threads)) = line.split_once(THREADS) {
            self.threads = whole(threads.trim());
            self.shared = None;
        } else if line.starts_with("Avr:") || line.starts_with("Tot:") {
            self.rating(n, line, on);
        } else {
            return false;
        }
        true
    }
    /// `Avr: 719 3919 28199 | 795 3510 27911` and `Tot: 757 3715 28055`: use, rating per use, rating.
    fn rating(&mut self, n: u32, line: &str, on: &[(&'static str, Value)]) {
        let Some(threads) = self.threads else { return };
        let last = |part: &str| part.split_whitespace().last().and_then(number);
        let parts: Vec<(&'static str, Option<f64>)> = match line.split_once('|') {
            Some((compress, rest)) => {
                vec![("compressing", last(compress)), ("decompressing", last(rest))]
            }
            None if line.starts_with("Tot:") => vec![("both", last(line))],
            None => vec![],
        };
        let mut ran: CaseParameters = vec![("thread_count", threads.into())];
        let used = line.split_whitespace().nth(1).and_then(number);
        // Threads that share one CPU were pinned to it. sbc-bench did so with one core of each kind, and did not name it.
        let one = threads > 1 && used.is_some_and(|percent| percent <= ONE_CPU);
        if self.shared.is_none() {
            self.shared = Some(one);
            self.alone += u64::from(one);
        }
        if self.shared == Some(true) {
            ran.push(("cores", 1u64.into()));
            if on.is_empty() {
                ran.push(("run", self.alone.into()));
            }
        }
        ran.extend_from_slice(on);
        for (of, rating) in parts {
            let Some(rating) = rating.filter(|r| *r > 0.0) else { continue };
            self.of(&ran).entry(of).or_insert_with(|| (n, vec![])).1.push(rating);
        }
    }
    fn of(&mut self, ran: &CaseParameters) -> &mut Rated {
        const LAST: usize = 256;
        let back = self.all.iter().rev().take(LAST).position(|(known, _)| known == ran);
        if back.is_none() {
            self.all.push((ran.clone(), Rated::new()));
        }
        let at = self.all.len() - 1 - back.unwrap_or(0);
        &mut self.all[at].1
    }
    /// ` (3 consecutive runs): 28055, 28069, 28086 (28070 avg), single-threaded: 3617`, where the runs themselves are not.
    pub(crate) fn summary(&mut self, n: u32, rest: &str) {
        let Some((_, values)) = rest.split_once("):") else { return };
        let all = values.split('(').next().unwrap_or("");
        let all: Vec<f64> = all.split(',').filter_map(|x| number(x.trim())).collect();
        let one = values.split_once("single-threaded:").and_then(|(_, x)| number(x.trim()));
        // The summary does not state the number of threads.
        for (threads, values) in
            [("all".into(), all), (Value::from(1u64), one.into_iter().collect())]
        {
            let single = |ran: &CaseParameters| {
                ran[0].1 == 1u64.into() || ran.iter().any(|p| p.0 == "cores")
            };
            let ran = vec![("thread_count", threads)];
            if !values.is_empty()
                && !self.all.iter().any(|(known, _)| single(known) == single(&ran))
            {
                self.of(&ran).insert("both", (n, values));
            }
        }
    }
    pub(crate) fn end(self, found: &mut Found) {
        for (mut ran, ratings) in self.all {
            ran.retain(|(name, _)| *name != "run" || self.alone > 1);
            for (of, (n, ratings)) in ratings {
                let case = found.case(n, ProbeId::Sevenzip, &ran);
                let samples: Vec<f64> = ratings.iter().map(|mips| mips * 1e6).collect();
                found.series(case, per_second(Metric::Rating), &[("of", of.into())], &samples);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::gathered::imported;

    /// Made up after the format of p7zip 16 and 7-Zip 26: the signature stands behind the name or on its own line.
    #[test]
    fn the_processor_stands_above_its_frequency() {
        let name = "Intel(R) Core(TM) i5-6500 CPU @ 3.20GHz";
        for (model, freq) in [
            (format!("{name} (506E3)"), "CPU Freq:  2861  3208"),
            (format!("{name}\n(506E3)  (LP)"), "1T CPU Freq (MHz):  2861  3208"),
            ("LE".into(), "CPU Freq:  1238  1287"),
        ] {
            let text = format!(
                "7-Zip [64] 16.02 : Copyright (c) 1999-2016 Igor Pavlov\np7zip Version 16.02\n\n{model}\n\n{freq}\n\nRAM usage: 1765 MB,  # Benchmark threads:      8\n\nAvr:             670   2634  17637  |              795   2386  18965\nTot:             732   2510  18301\n"
            );
            let record = imported("7z.txt", &text);
            // On 32-bit Arm it is not named.
            let name = Some(name).filter(|_| model != "LE");
            assert_eq!(record.machine.text("cpu.model"), name, "{text}");
            let design = record.machine.text("cpu.microarchitecture");
            assert_eq!(design, name.map(|_| "Skylake"), "{text}");
            assert_eq!(record.runs.len(), 3);
        }
    }
}
