//! `7z b` and `7zz b`, the benchmark of 7-Zip: its rating, compressing and decompressing, by number of threads.
//!
//! Limits: the rating is a unit of its own, millions of "instructions" a second of what an old reference CPU needed.
//! Source: 7-Zip, CPP/7zip/UI/Common/Bench.cpp.
use crate::found::{Found, Problem};
use crate::importer::Importer;
use crate::metric::per_second;
use crate::number::{number, whole};
use crate::text::Text;
use record::{Metric, ProbeId, Value};
use std::collections::BTreeMap;

#[derive(Debug)]
pub struct Sevenzip;

const THREADS: &str = "# Benchmark threads:";

impl Importer for Sevenzip {
    fn title(&self) -> &'static str {
        "7-Zip"
    }
    /// sbc-bench's results hold the same lines, which are read as its.
    fn recognises(&self, text: &Text) -> bool {
        text.any(|l| version(l).is_some())
            && text.any(|l| l.contains(THREADS))
            && !text.any(|l| l.contains("sbc-bench v"))
    }
    fn read(&self, text: &Text, found: &mut Found) -> Result<(), Problem> {
        let mut ratings = Ratings::default();
        for line in text.lines() {
            match version(line.text) {
                Some(version) => found.version(version),
                None => _ = ratings.line(line.number, line.text.trim()),
            }
        }
        let cut = ratings.all.is_empty();
        ratings.end(found);
        if cut { Err(Problem::whole("no rating is in it: it is cut short")) } else { Ok(()) }
    }
}

/// `7-Zip (z) 26.02 (x64) : Copyright`, `7-Zip [64] 16.02 : Copyright`.
fn version(line: &str) -> Option<&str> {
    let words = line.strip_prefix("7-Zip ")?.split_once(" : Copyright")?.0;
    words.split(' ').find(|w| w.starts_with(|c: char| c.is_ascii_digit()))
}

/// Ratings by threads and by what they are of, with the first line.
#[derive(Default)]
pub(crate) struct Ratings {
    threads: Option<u64>,
    all: BTreeMap<(u64, &'static str), (u32, Vec<f64>)>,
}

impl Ratings {
    /// Whether the line is one of the benchmark's that hold a rating or the number of threads.
    pub(crate) fn line(&mut self, n: u32, line: &str) -> bool {
        if let Some((_, threads)) = line.split_once(THREADS) {
            self.threads = whole(threads.trim());
        } else if line.starts_with("Avr:") || line.starts_with("Tot:") {
            self.rating(n, line);
        } else {
            return false;
        }
        true
    }
    /// `Avr: 719 3919 28199 | 795 3510 27911` and `Tot: 757 3715 28055`: use, rating per use, rating.
    fn rating(&mut self, n: u32, line: &str) {
        let Some(threads) = self.threads else { return };
        let last = |part: &str| part.split_whitespace().last().and_then(number);
        let parts: Vec<(&'static str, Option<f64>)> = match line.split_once('|') {
            Some((compress, rest)) => {
                vec![("compressing", last(compress)), ("decompressing", last(rest))]
            }
            None if line.starts_with("Tot:") => vec![("both", last(line))],
            None => vec![],
        };
        for (of, rating) in parts {
            let Some(rating) = rating.filter(|r| *r > 0.0) else { continue };
            self.all.entry((threads, of)).or_insert_with(|| (n, vec![])).1.push(rating);
        }
    }
    /// ` (3 consecutive runs): 28055, 28069, 28086 (28070 avg), single-threaded: 3617`, where the runs themselves are not.
    pub(crate) fn summary(&mut self, n: u32, rest: &str) {
        let Some((_, values)) = rest.split_once("):") else { return };
        let all = values.split('(').next().unwrap_or("");
        let all: Vec<f64> = all.split(',').filter_map(|x| number(x.trim())).collect();
        let one = values.split_once("single-threaded:").and_then(|(_, x)| number(x.trim()));
        for (threads, values) in [(0, all), (1, one.into_iter().collect())] {
            let known = self.all.keys().any(|(t, _)| (*t == 1) == (threads == 1));
            if !known && !values.is_empty() {
                self.all.insert((threads, "both"), (n, values));
            }
        }
    }
    pub(crate) fn end(self, found: &mut Found) {
        for ((threads, of), (n, ratings)) in self.all {
            // The summary does not state the number of threads.
            let many: Value = if threads == 0 { "all".into() } else { threads.into() };
            let case = found.case(n, ProbeId::Sevenzip, &[("thread_count", many)]);
            let samples: Vec<f64> = ratings.iter().map(|mips| mips * 1e6).collect();
            found.series(case, per_second(Metric::Rating), &[("of", of.into())], &samples);
        }
    }
}
