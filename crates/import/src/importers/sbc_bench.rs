//! sbc-bench's result file, and the summary of its review mode: measured frequencies, tinymembench, ramlat and 7-zip; openssl's
//! lines in it are read as openssl's. Also the output of tinymembench alone.
//!
//! Limits: tinymembench's latencies are what comes on top of the first cache's; 7-zip's rating is its own unit of a million
//! "instructions", by its own frequency estimate. The host's name is left out.
//! Source: ThomasKaiser/sbc-bench, sbc-bench.sh, and its published results of versions 0.4 to 0.9.72, of which 60 were read;
//! ssvb/tinymembench, main.c.
use super::sevenzip::Ratings;
use crate::prelude::*;

pub(crate) static IMPORTER: Importer = Importer::new("sbc-bench", recognises, read);

/// More columns than ramlat has are no table of it.
const COLUMNS: usize = 16;

/// `sbc-bench v0.9.71 ...`, `Tested with sbc-bench v0.9.71 on ...`.
fn version(line: &str) -> Option<&str> {
    let line = line.trim();
    let rest = line.strip_prefix("Tested with ").unwrap_or(line).strip_prefix("sbc-bench v")?;
    let version = rest.split([' ', ',']).next()?;
    version.starts_with(|c: char| c.is_ascii_digit()).then_some(version)
}

const MEMORY: &str = "tinymembench v";

fn recognises(text: &Text) -> bool {
    text.any(|l| version(l).is_some() || l.starts_with(MEMORY))
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut reading = Reading::default();
    if !text.any(|l| version(l).is_some()) {
        found.source.tool = "tinymembench".into();
        let named = text.lines().find_map(|l| l.text.strip_prefix(MEMORY)?.split(' ').next());
        named.into_iter().for_each(|version| found.version(version));
    }
    for line in text.lines() {
        if let Some(version) = version(line.text) {
            if found.source.version.is_none() {
                found.version(version);
            }
            continue;
        }
        reading.line(line.number, line.text.trim(), found);
    }
    reading.ratings.end(found);
    Problem::when(found.without_series(), "it holds no result: it is cut short")
}

/// State from the lines before.
#[derive(Default)]
struct Reading {
    /// `cpu0` and `Cortex-A55`, if the part states its core.
    on: Vec<(&'static str, Value)>,
    /// Version of the tinymembench whose lines follow.
    memory: Option<String>,
    /// Pages of the latency table that is being read.
    pages: Option<&'static str>,
    /// Heads of ramlat's columns.
    columns: Vec<String>,
    ratings: Ratings,
}

impl Reading {
    fn line(&mut self, n: u32, line: &str, found: &mut Found) {
        if line.starts_with("Executing ") || line.starts_with("Checking cpufreq OPP") {
            self.on = on(line);
            (self.memory, self.pages) = (None, None);
            self.columns.clear();
        } else if line.starts_with("####") {
            (self.memory, self.pages) = (None, None);
            self.columns.clear();
            self.on.clear();
        } else if let Some(rest) = line.strip_prefix(MEMORY) {
            self.memory = Some(tidy(rest.split(' ').next().unwrap_or("")));
        } else if let Some(kind) =
            line.strip_prefix("block size : single random read / dual random read")
        {
            self.pages = Some(match kind {
                k if k.contains("NOHUGEPAGE") => "base",
                k if k.contains("HUGEPAGE") => "thp",
                _ => "as the kernel likes",
            });
        } else if let Some(rest) = line.strip_prefix("Cpufreq OPP:") {
            self.frequency(n, rest, found);
        } else if let Some(heads) = line.strip_prefix("size:") {
            self.columns = heads.split_whitespace().take(COLUMNS).map(tidy).collect();
        } else if self.ratings.line(n, line, &self.on) {
        } else if let Some(rest) = line.strip_prefix("* 7-zip MIPS") {
            self.ratings.summary(n, rest);
        } else if let Some((name, rest)) =
            line.split_once(" MB/s").and_then(|(l, r)| Some((l.split_once(" : ")?, r)))
        {
            if self.memory.is_some() && (rest.is_empty() || rest.starts_with(" (")) {
                self.bandwidth(n, name, found);
            }
        } else if let Some((size, rest)) = line.split_once(':') {
            self.latency(n, size.trim(), rest, found);
        } else if let Some(release) = line.strip_prefix("Linux ")
            && line.ends_with(" CPU)")
        {
            // The host's name follows the release.
            let release = release.split(' ').next().unwrap_or("");
            if found.machine.value("kernel.release").is_none() {
                found.fact(n, "kernel.release", release);
            }
        }
    }
    /// The case of a part on the core that it ran on.
    fn case(&mut self, n: u32, probe: ProbeId, more: &[(&str, Value)], found: &mut Found) -> usize {
        let mut params: Vec<(&str, Value)> = more.to_vec();
        params.extend_from_slice(&self.on);
        found.case_of(n, probe, &params)
    }
    fn bandwidth(&mut self, n: u32, (name, value): (&str, &str), found: &mut Found) {
        let Some(rate) = number(value.trim()) else { return };
        let of = self.memory.clone().unwrap_or_default();
        let params = [("statistic", "best".into()), ("tinymembench", of.into())];
        let case = self.case(n, ProbeId::Tinymembench, &params, found);
        found.series(case, BANDWIDTH, &[("kernel", tidy(name).into())], &[rate * 1e6]);
    }
    /// A row of tinymembench's two columns, or of ramlat's eight.
    fn latency(&mut self, n: u32, size: &str, rest: &str, found: &mut Found) {
        if let Some(pages) = self.pages
            && let (Some(size), Some((one, two))) = (whole(size), rest.split_once('/'))
        {
            let case = self.case(n, ProbeId::Tinymembench, &[("pages", pages.into())], found);
            for (loads, text) in [(1u64, one), (2, two)] {
                let Some((ns, "ns")) = leading(text.trim()) else { continue };
                let at = [("working_set", Value::from(size)), ("loads", loads.into())];
                let metric = seconds(Metric::LatencyBeyondL1);
                found.series(case, metric, &at, &[ns * 1e-9]);
            }
        } else if !self.columns.is_empty()
            && let Some(size) = bytes(size)
        {
            let heads = self.columns.clone();
            let cells: Vec<&str> = rest.split_whitespace().collect();
            if cells.len() != heads.len() {
                let (numbers, columns) = (cells.len(), heads.len());
                return found
                    .warn(n, format!("this row has {numbers} numbers for {columns} columns"));
            }
            let case = self.case(n, ProbeId::Ramlat, &[], found);
            for (head, cell) in heads.iter().zip(cells) {
                let Some(ns) = number(cell) else { continue };
                let at = [("working_set", Value::from(size)), ("loads", head.as_str().into())];
                found.series(case, LOAD_TO_USE, &at, &[ns * 1e-9]);
            }
        }
    }
    /// ` 2500    Measured: 2498 (2499.161/2499.067/2498.630)`; before 0.7 the three stood alone.
    fn frequency(&mut self, n: u32, rest: &str, found: &mut Found) {
        let Some((opp, measured)) = rest.split_once("Measured:") else { return };
        let Some(stated) = number(opp.trim()) else { return };
        let three = measured.split_once('(').map_or(measured, |(_, inside)| inside);
        let three = three.split_once(')').map_or(three, |(inside, _)| inside);
        let values: Vec<f64> = three.split('/').filter_map(|x| number(x.trim())).collect();
        let hertz = values.iter().map(|mhz| mhz * 1e6).filter(|hz| *hz > 0.0);
        let frequencies: Vec<f64> = hertz.collect();
        let case = self.case(n, ProbeId::SbcBench, &[], found);
        let at = [("stated", Value::from(stated * 1e6)), ("line", u64::from(n).into())];
        found.series(case, (Metric::Frequency, Unit::Hertz, Better::Higher), &at, &frequencies);
        let middle = values.get(values.len() / 2).copied().unwrap_or(stated);
        if (middle / stated - 1.0).abs() > 0.05 {
            let what =
                format!("a frequency of {stated} MHz was set, and {middle} MHz were measured");
            found.warn(n, what);
        }
    }
}

/// `Executing benchmark on cpu0 (Phytium FTC862):`, `Checking cpufreq OPP (Phytium FTC862):`, `Executing benchmark
/// single-threaded on cpu0`, `Executing tinymembench on a little core:`.
fn on(line: &str) -> Vec<(&'static str, Value)> {
    let (before, rest) = line.split_once('(').unwrap_or((line, ""));
    let core = rest.split_once(')').map(|(core, _)| tidy(core));
    let cpu = before
        .split_whitespace()
        .map(|w| w.trim_end_matches(':'))
        .find(|w| w.starts_with("cpu") && w.len() > 3 && w.as_bytes()[3].is_ascii_digit());
    let kind = ["little", "big"].into_iter().find(|k| before.contains(&format!(" on a {k} core")));
    let cpu = cpu.or(core.as_ref().map(|_| "any"));
    let core = core.or(kind.map(str::to_owned));
    known([("cpu", cpu.map(|cpu| tidy(cpu).into())), ("core", core.map(Value::from))])
}

#[cfg(test)]
mod tests {
    use crate::Gathered;
    use record::{ProbeId, Provenance, Record, Series};

    /// Made up after published results of 0.9.71 and 0.4: their lines with other numbers.
    const EXAMPLE: &str = "sbc-bench v0.9.71 some board (Mon, 05 May 2025 00:04:40 +1000)

Linux 6.6.84 (secret-host) \t05/05/25 \t_aarch64_\t(8 CPU)

##########################################################################

Checking cpufreq OPP (Cortex-A76):

Cpufreq OPP: 2400    Measured: 2398 (2399.1/2398.0/2397.6)
Cpufreq OPP:  600    Measured:  720    (721.1/720.0/719.9)

##########################################################################

Executing benchmark on cpu4 (Cortex-A76):

tinymembench v0.4.9-nuumio (simple benchmark for memory throughput and latency)

 C copy backwards                                 :  13459.0 MB/s (3, 1.5%)
 libc memcpy copy                                 :  15094.1 MB/s (2)
 ---
block size : single random read / dual random read, [MADV_NOHUGEPAGE]
      1024 :    0.0 ns          /     0.0 ns 
  67108864 :  107.7 ns          /   132.3 ns 

block size : single random read / dual random read, [MADV_HUGEPAGE]
  67108864 :  100.0 ns          /   122.6 ns 

##########################################################################

Executing ramlat on cpu4 (Cortex-A76), results in ns:

       size:  1x32  2x32  1x64  2x64 1xPTR 2xPTR 4xPTR 8xPTR
         4k: 1.616 1.609 1.609 1.608 1.609 1.609 1.608 3.062 
    131072k: 135.9 135.3 135.9 135.2 135.9 134.8 135.4 139.9 

##########################################################################

OpenSSL 3.2.4, built on 11 Feb 2025 (Library: OpenSSL 3.2.4 11 Feb 2025)
type             16 bytes     64 bytes    256 bytes   1024 bytes   8192 bytes  16384 bytes
aes-256-cbc     587227.48k  1174792.36k  1353980.67k  1406049.28k  1423706.79k  1425118.55k

##########################################################################

RAM usage:    435 MB,  # Benchmark threads:      1
Avr:             100   3680   3662  |              100   3587   3571
Tot:             100   3634   3617
RAM usage:   1765 MB,  # Benchmark threads:      8
Avr:             719   3919  28199  |              795   3510  27911
Tot:             757   3715  28055
Avr:             719   3919  28300  |              795   3510  27900
Tot:             757   3715  28069
  * 7-zip MIPS (2 consecutive runs): 28055, 28069 (28062 avg), single-threaded: 3617
";

    fn read(text: &str) -> (Record, crate::Read) {
        let mut gathered = Gathered::default();
        let read = gathered.add("b.txt", text.as_bytes()).unwrap();
        (gathered.record(Provenance::default()), read)
    }

    fn series<'a>(record: &'a Record, probe: &str) -> Vec<&'a Series> {
        let of = record.runs.iter().filter(|r| r.case.probe == probe);
        of.flat_map(|r| r.series()).collect()
    }

    #[test]
    fn every_part_is_read_and_the_host_is_not() {
        let (record, read) = read(EXAMPLE);
        assert_eq!(read.formats, ["openssl speed 3.2.4", "sbc-bench 0.9.71"]);
        assert_eq!(series(&record, "tinymembench").len(), 2 + 4 + 2);
        assert_eq!(series(&record, "ramlat").len(), 16);
        let frequencies = series(&record, "sbc_bench");
        assert_eq!(
            (frequencies.len(), frequencies[0].samples.len(), frequencies[0].samples[1]),
            (2, 3, 2.398e9)
        );
        let multi: Vec<_> =
            series(&record, "sevenzip").into_iter().filter(|s| s.samples.len() == 2).collect();
        assert_eq!(multi.len(), 3);
        let both = multi.iter().find(|s| s.at["of"] == "both".into()).unwrap();
        assert_eq!(both.samples, [28055e6, 28069e6]);
        let memory = record.runs.iter().find(|r| r.case.probe == ProbeId::Tinymembench).unwrap();
        assert_eq!(
            (&memory.case.params["cpu"], &memory.case.params["core"]),
            (&"cpu4".into(), &"Cortex-A76".into())
        );
        let warnings =
            &record.provenance.sources.iter().find(|s| s.format == "sbc_bench").unwrap().warnings;
        assert_eq!(warnings.len(), 1, "a frequency that was set and not held: {warnings:?}");
        assert!(!format!("{record:?}").contains("secret-host"));
        assert_eq!(record.machine.text("kernel.release"), Some("6.6.84"));
    }

    /// Made up after published results of 0.4 and 0.9: threads on one core of each kind, then on all.
    #[test]
    fn ratings_of_one_core_stay_apart_from_those_of_all() {
        let run = |threads: u32, use_: u32, both: u32| {
            format!(
                "RAM usage:   1323 MB,  # Benchmark threads:      {threads}\nAvr:             {use_}    812    {both}  |              {use_}   1328   {both}\nTot:             {use_}   1070   {both}\n"
            )
        };
        let rest = |cpu: u32| format!("Executing benchmark single-threaded on cpu{cpu}\n");
        let old = [
            "sbc-bench v0.4\n".into(),
            run(6, 100, 1069),
            run(6, 100, 1755),
            "####\n".into(),
            run(6, 480, 6274),
            run(6, 484, 6344),
        ];
        let new = [
            "sbc-bench v0.9.71\n".into(),
            rest(0),
            run(1, 100, 1627),
            rest(4),
            run(1, 100, 3144),
            "####\n".into(),
            run(8, 711, 16740),
        ];
        let both = |text: String| -> Vec<(String, Vec<f64>)> {
            let (record, _) = read(&text);
            let runs = record.runs.into_iter().filter(|r| r.case.probe == "sevenzip");
            runs.filter_map(|run| {
                let of = run.series().iter().find(|s| s.at["of"] == "both".into())?;
                let named = ["cores", "run", "cpu"]
                    .iter()
                    .filter_map(|n| Some(format!("{n} {}", run.case.params.get(*n)?)));
                Some((named.collect::<Vec<_>>().join(", "), of.samples.clone()))
            })
            .collect()
        };
        let expected = [
            ("cores 1, run 1", vec![1069e6]),
            ("cores 1, run 2", vec![1755e6]),
            ("", vec![6274e6, 6344e6]),
        ];
        assert_eq!(both(old.concat()), expected.map(|(of, all)| (of.to_owned(), all)));
        let expected =
            [("cpu cpu0", vec![1627e6]), ("cpu cpu4", vec![3144e6]), ("", vec![16740e6])];
        assert_eq!(both(new.concat()), expected.map(|(of, all)| (of.to_owned(), all)));
    }

    #[test]
    fn a_summary_alone_and_old_frequencies_are_read() {
        let old = "sbc-bench v0.4 -- Sun, 29 Jul 2018\nCpufreq OPP:  666    Measured: 666.337/666.299/665.970\n";
        let (record, _) = read(old);
        assert_eq!(series(&record, "sbc_bench")[0].samples.len(), 3);
        let review = "Tested with sbc-bench v0.9.72 on Thu.\n  * 7-zip MIPS (3 consecutive runs): 28055, 28069, 28086 (28070 avg), single-threaded: 3617\n";
        let (record, _) = read(review);
        let counts: Vec<usize> =
            series(&record, "sevenzip").iter().map(|s| s.samples.len()).collect();
        assert_eq!(counts, [3, 1]);
        let cut = "sbc-bench v0.9.71 some board\n\nDistributor ID:\tDebian\n";
        assert!(Gathered::default().add("c.txt", cut.as_bytes()).is_err());
    }
}
