//! The figures of `openssl speed`, by the installed OpenSSL: ciphers, a hash and signatures.
//!
//! Method: `openssl speed -mr -seconds 1` on the case's CPUs, of which its machine-readable lines are read: bytes per second
//! at its six block sizes for `aes-256-gcm`, `sha256` and `chacha20-poly1305` (`-evp`) and for `aes-256-ige`, and signatures
//! and verifications per second for `rsa2048`. With several copies `-multi`, which adds up what its processes report. The
//! version and what it found the CPU capable of stand as the code that ran. Limits: it measures the installed build:
//! other versions and other build options have other code, and figures compare between equal ones only. `openssl
//! speed` knows no `aes-256-ige` from version 3 on. Copies are confined to the case's CPUs together and not pinned one by one,
//! as where others publish such figures. By default the divisor is CPU time for one copy. One run a series, so that it has no interval; three at thorough depth. The
//! library is
//! not linked in: docs/adr/0018. Source: openssl-speed(1).
use crate::{
    bench::Bench,
    probe::{Depth, Probe, Setting},
};
use host::{cpus, programs};
use record::{Better, Case, CpuSet, Reason, Series, Unit};

/// Bytes and signatures per second of the installed OpenSSL.
#[derive(Debug)]
pub struct Openssl;

const REMEDY: &str = "apt install openssl";
/// What is measured, and the words that ask for it.
const ALGORITHMS: [(&str, &[&str]); 5] = [
    ("aes-256-ige", &["aes-256-ige"]),
    ("aes-256-gcm", &["-evp", "aes-256-gcm"]),
    ("sha256", &["-evp", "sha256"]),
    ("chacha20-poly1305", &["-evp", "chacha20-poly1305"]),
    ("rsa2048", &["rsa2048"]),
];
/// What `-multi` was given where such figures were published, beside one and all.
const SOME: usize = 32;

impl Probe for Openssl {
    fn title(&self) -> &'static str {
        "openssl speed of the installed OpenSSL"
    }
    fn version(&self) -> u32 {
        1
    }
    fn cases(&self, setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
        let every = setting.every_variant() || setting.wish.named.iter().any(|n| n == "openssl");
        if setting.depth < Depth::Standard && !every {
            return Ok(vec![]);
        }
        let mut cases = vec![];
        for (copies, cpus) in places(setting) {
            for (algorithm, _) in ALGORITHMS {
                // On all CPUs the two that published figures and programs of today use.
                if every || copies == 1 || algorithm.starts_with("aes") {
                    let params = [("algorithm", algorithm.into()), ("copies", copies.into())];
                    let seconds = if algorithm == "rsa2048" { 2.2 } else { 6.2 };
                    let runs = f64::from(runs(setting.depth));
                    cases.push(setting.case(cpus.clone(), &params, seconds * runs));
                }
            }
        }
        Ok(cases)
    }
    fn lacks(&self, case: &Case) -> Option<Reason> {
        match programs::first_line(&["openssl", "version"], REMEDY) {
            Err(why) => Some(why),
            Ok(version) => unknown(&version, case.text("algorithm").unwrap_or_default()),
        }
    }
    fn run(&self, case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
        let code = code(&programs::first_line(&["openssl", "version"], REMEDY)?);
        let wanted = case.text("algorithm").unwrap_or_default();
        let (_, ask) = ALGORITHMS
            .iter()
            .find(|(name, _)| *name == wanted)
            .ok_or_else(|| Reason::new(format!("openssl is not asked for {wanted}")))?;
        let first = case.place.cpus.first().ok_or_else(|| Reason::new("no CPU to run on"))?;
        let _here = cpus::confined(&case.place.cpus).map_err(|e| cpus::refusal(first, &e))?;
        let copies = case.place.cpus.len().to_string();
        let mut words = vec!["openssl", "speed", "-mr", "-seconds", "1"];
        if case.place.cpus.len() > 1 {
            words.extend(["-multi", &copies]);
        }
        words.extend_from_slice(ask);
        let mut all: Vec<Series> = vec![];
        let runs = runs(bench.depth);
        for run in 0..runs {
            let text = programs::printed(&words, REMEDY)?;
            let found = figures(&text);
            if found.is_empty() {
                return Err(Reason::mended_by(
                    format!("{} printed no figures", words.join(" ")),
                    REMEDY,
                ));
            }
            for series in found {
                match all.iter_mut().find(|s| s.metric == series.metric && s.at == series.at) {
                    Some(known) => known.samples.extend(series.samples),
                    None => all.push(Series { variant: Some(code.clone()), ..series }),
                }
            }
            bench.done(f64::from(run + 1) / f64::from(runs));
            if bench.cancelled() {
                break;
            }
        }
        Ok(all)
    }
}

fn runs(depth: Depth) -> u32 {
    depth.pick(1, 1, 3)
}

/// One copy, 32 where there are more CPUs than that, and all.
fn places(setting: &Setting<'_>) -> Vec<(u64, CpuSet)> {
    let mut places = vec![(1, [setting.main_cpu()].into_iter().collect())];
    if setting.cpus.len() > SOME {
        places.push((SOME as u64, setting.cpus.iter().take(SOME).collect()));
    }
    if setting.cpus.len() > 1 {
        places.push((setting.cpus.len() as u64, setting.cpus.clone()));
    }
    places
}

/// Why this version does not measure that.
fn unknown(version: &str, algorithm: &str) -> Option<Reason> {
    let old = ["OpenSSL 0.", "OpenSSL 1."].iter().any(|start| version.starts_with(start));
    (algorithm == "aes-256-ige" && !old).then(|| {
        let name = version.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
        Reason::mended_by(
            format!("the speed test of {name} has no aes-256-ige"),
            "put an openssl of version 1.1.1 first in PATH",
        )
    })
}

/// The version, and what it found the CPU capable of, where it says so.
fn code(version: &str) -> String {
    let version = version.split(" (").next().unwrap_or(version);
    match programs::first_line(&["openssl", "info", "-cpusettings"], REMEDY) {
        Ok(settings) => format!("{version}, {settings}"),
        Err(_) => version.to_owned(),
    }
}

/// What `-mr` prints: `+H:16:64:...` names block sizes, `+F:number:algorithm:...` bytes per second at them, `+F2:...`
/// signatures and verifications, per second or as seconds each. Lines of single processes (`Got: ...`) are theirs alone.
fn figures(text: &str) -> Vec<Series> {
    let fields = |start: &str| -> Vec<f64> {
        let line = text.lines().find_map(|l| l.strip_prefix(start)).unwrap_or_default();
        line.split(':').filter_map(|f| f.trim().parse().ok()).collect()
    };
    let of_processes =
        |line: &str| Some(line.strip_prefix("Got: +H:")?.split(" from").next()?.to_owned());
    let mut sizes = fields("+H:");
    if sizes.is_empty() {
        let theirs = text.lines().find_map(of_processes).unwrap_or_default();
        sizes = theirs.split(':').filter_map(|f| f.trim().parse().ok()).collect();
    }
    // The algorithm's number is a field of its own, its name parses as none.
    let rates = fields("+F:");
    let rates = rates.get(1..).unwrap_or_default();
    let rate = |(size, rate): (&f64, &f64)| Series {
        samples: vec![*rate],
        steps: 1,
        ..Series::new("throughput", Unit::BytesPerSecond, Better::Higher).at("block", *size as u64)
    };
    let mut all: Vec<Series> = if sizes.len() == rates.len() {
        sizes.iter().zip(rates).map(rate).collect()
    } else {
        vec![]
    };
    if let [_, _, sign, verify, ..] = fields("+F2:")[..] {
        for (metric, value) in [("sign", sign), ("verify", verify)] {
            // Versions before 3 state seconds.
            let per_second = if value < 1.0 { 1.0 / value.max(1e-12) } else { value };
            all.push(Series {
                samples: vec![per_second],
                steps: 1,
                ..Series::new(metric, Unit::PerSecond, Better::Higher)
            });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, Option<u64>, f64)> {
        let row = |s: Series| {
            let block = s.at.get("block").and_then(|b| b.integer());
            (s.metric, block, s.samples[0])
        };
        figures(text).into_iter().map(row).collect()
    }

    #[test]
    fn lines_for_programs_are_read_with_their_block_sizes() {
        let one = "+H:16:64:256\n+F:25:sha256:111746514.29:305139200.00:904657920.00\n";
        let expected = [(16, 111_746_514.29), (64, 305_139_200.0), (256, 904_657_920.0)];
        let expected = expected.map(|(b, rate)| ("throughput".to_owned(), Some(b), rate));
        assert_eq!(read(one), expected);
        let two = "Forked child 0\nGot: +H:64 from 0\nGot: +F:25:sha256:43.5 from 0\nGot: +H:64 from 1\n\
                   Got: +F:25:sha256:45.0 from 1\n+F:25:sha256:88.5\n";
        assert_eq!(read(two), [("throughput".to_owned(), Some(64), 88.5)]);
    }

    #[test]
    fn signatures_are_counted_by_the_second_in_old_and_new_versions() {
        let expected = [("sign".to_owned(), None, 2000.0), ("verify".to_owned(), None, 50_000.0)];
        assert_eq!(read("+F2:2:2048:2000.0:50000.0\n"), expected);
        let old = read("+F2:2:2048:0.0005:0.00002\n");
        assert!((old[0].2 - 2000.0).abs() < 1e-6 && (old[1].2 - 50_000.0).abs() < 1e-6);
    }

    #[test]
    fn what_is_cut_short_or_says_no_is_no_figure() {
        for text in [
            "",
            "+H:16:64\n+F:25:sha256:1.0\n",
            "+F:25:sha256\n",
            "speed: Unknown algorithm\n",
            "+F2:2:2048\n",
        ] {
            assert!(read(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn new_versions_have_no_ige() {
        let new = unknown("OpenSSL 3.0.19 27 Jan 2026", "aes-256-ige").unwrap();
        assert!(new.why.contains("OpenSSL 3.0.19 has no") && new.remedy.is_some());
        assert_eq!(unknown("OpenSSL 1.1.1k  FIPS 25 Mar 2021", "aes-256-ige"), None);
        assert_eq!(unknown("OpenSSL 3.0.19 27 Jan 2026", "sha256"), None);
    }
}
