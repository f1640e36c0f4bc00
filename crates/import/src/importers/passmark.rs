//! PassMark PerformanceTest for Linux: `results_cpu.yml`, `results_all.yml` and the text of its screen: CPU Mark, Memory Mark
//! and the tests under them.
//!
//! Limits: marks are comparable within one major version. MB and KB are powers of 1024, as the parts of the encryption test,
//! which the file states in bytes, show. Memory modules are left: their `clkspeed` is half of the transfer rate.
//! Source: published results of PerformanceTest Linux 11.0 in both forms.
use crate::{cells::spaced, prelude::*};

pub(crate) static IMPORTER: Importer = Importer::new("PassMark", recognises, read);

const RATE: Quantity = per_second(Metric::Rate);
const KIB: f64 = 1024.0;
const MIB: f64 = 1_048_576.0;

/// A test in the file, on the screen (none where it is not there), the unit printed there, its quantity and the factor to it.
type Test = (&'static str, &'static str, &'static str, Quantity, f64);
#[rustfmt::skip]
const TESTS: &[Test] = &[
    ("SUMM_CPU", "CPU Mark", "", SCORE, 1.0),
    ("CPU_INTEGER_MATH", "Integer Math", "Million Operations/s", RATE, 1e6),
    ("CPU_FLOATINGPOINT_MATH", "Floating Point Math", "Million Operations/s", RATE, 1e6),
    ("CPU_PRIME", "Prime Numbers", "Million Primes/s", RATE, 1e6),
    ("CPU_SORTING", "Sorting", "Thousand Strings/s", RATE, 1e3),
    ("CPU_ENCRYPTION", "Encryption", "MB/s", BANDWIDTH, MIB),
    ("CPU_COMPRESSION", "Compression", "KB/s", BANDWIDTH, KIB),
    ("CPU_SINGLETHREAD", "CPU Single Threaded", "Million Operations/s", RATE, 1e6),
    ("CPU_PHYSICS", "Physics", "Frames/s", RATE, 1.0),
    ("CPU_MATRIX_MULT_SSE", "Extended Instructions (SSE)", "Million Matrices/s", RATE, 1e6),
    ("CPU_mm", "Matrices, plain", "", RATE, 1e6),
    ("CPU_sse", "Matrices, SSE", "", RATE, 1e6),
    ("CPU_fma", "Matrices, FMA", "", RATE, 1e6),
    ("CPU_avx", "Matrices, AVX", "", RATE, 1e6),
    ("CPU_avx512", "Matrices, AVX-512", "", RATE, 1e6),
    ("m_CPU_enc_SHA", "Encryption, SHA", "", BANDWIDTH, 1.0),
    ("m_CPU_enc_AES", "Encryption, AES", "", BANDWIDTH, 1.0),
    ("m_CPU_enc_ECDSA", "Encryption, ECDSA", "", BANDWIDTH, 1.0),
    ("SUMM_ME", "Memory Mark", "", SCORE, 1.0),
    ("ME_ALLOC_S", "Database Operations", "Thousand Operations/s", RATE, 1e3),
    ("ME_READ_S", "Memory Read Cached", "MB/s", BANDWIDTH, MIB),
    ("ME_READ_L", "Memory Read Uncached", "MB/s", BANDWIDTH, MIB),
    ("ME_WRITE", "Memory Write", "MB/s", BANDWIDTH, MIB),
    ("ME_LARGE", "Available RAM", "Megabytes", neither(Metric::Count, Unit::Bytes), MIB),
    ("ME_LATENCY", "Memory Latency", "Nanoseconds", LOAD_TO_USE, 1e-9),
    ("ME_THREADED", "Memory Threaded", "MB/s", BANDWIDTH, MIB),
];

/// Tests of one thread whatever the number of processes.
const OF_ONE: [&str; 7] = [
    "CPU_SINGLETHREAD",
    "ME_ALLOC_S",
    "ME_READ_S",
    "ME_READ_L",
    "ME_WRITE",
    "ME_LARGE",
    "ME_LATENCY",
];

const FACTS: &FactTable = &[
    ("Processor", "cpu.model", Kind::Words),
    ("Manufacturer", "cpu.vendor", Kind::Words),
    ("NumSockets", "cpu.sockets", Kind::Integer),
    ("NumLogicals", "cpu.count", Kind::Integer),
    ("OSName", "os.name", Kind::Words),
    ("Kernel", "kernel.release", Kind::Words),
];

const SCREEN: &str = "PassMark PerformanceTest Linux (";

fn test(line: &str, in_file: bool) -> Option<(&'static Test, &str)> {
    let (name, value) = match (in_file, &spaced(line)[..]) {
        (true, _) => line.trim().split_once(": ")?,
        (false, [name, value]) => (name.trim_end_matches(':'), *value),
        _ => return None,
    };
    TESTS.iter().find(|t| name == if in_file { t.0 } else { t.1 }).map(|t| (t, value))
}

fn recognises(text: &Text) -> bool {
    // Sessions lose the first line of the screen.
    text.any(|l| test(l, true).is_some_and(|(t, _)| t.0 == "SUMM_CPU"))
        || (text.any(|l| test(l, false).is_some_and(|(t, _)| t.1 == "CPU Mark"))
            && text.any(|l| test(l, false).is_some_and(|(t, _)| t.1 == "Integer Math")))
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let in_file = text.any(|l| test(l, true).is_some());
    let field =
        |name: &str| text.lines().filter_map(|l| Field::parse(l, ":")).find(|f| f.name == name);
    let plain = |name: &str| field(name).map(|f| f.value.trim_matches('"'));
    if in_file {
        let numbers = ["Major", "Minor", "Build"].map(|name| plain(name).unwrap_or("?"));
        found.version(&numbers.join("."));
        let unquoted = |name: &str| {
            let Field { line, name, value } = field(name)?;
            let value = value.trim_matches('"').trim();
            (!value.is_empty()).then_some(Field { line, name, value })
        };
        facts(FACTS, unquoted, found);
        if let (Some(cores), Some("1")) = (field("NumCores"), plain("NumSockets")) {
            found.known(cores.line, "cpu.cores_per_socket", whole(cores.value));
        }
        if let Some(Field { line, value, .. }) = field("ptArchitecture") {
            found.fact(line, "kernel.arch", tidy(value.trim_end_matches("_linux")));
        }
    } else {
        screen(text, found);
    }
    let count = |name: &str| plain(name).and_then(leading).map(|(n, _)| n as u64);
    let processes = count("NumTestProcesses").or_else(|| count("Number of Processes"));
    let threads = processes.filter(|n| count("NumLogicals").is_some_and(|all| all != *n));
    // Marks are of a major version.
    let version = found.source.version.clone().unwrap_or_default();
    found.version(version.split('.').next().unwrap_or(""));
    let param = threads.map_or(("threads", "all".into()), |n| ("thread_count", n.into()));
    let cases = [param, ("threads", "one".into())]
        .map(|param| found.case_of(1, ProbeId::Passmark, &[param]));
    found.version(&version);
    for line in text.lines() {
        result(line, in_file, cases, found);
    }
    if plain("Results Complete") == Some("false") {
        found.warn(0, "the file says that its results are not complete");
    }
    Problem::when(found.without_series(), "no test has a result: it is cut short")
}

fn result(line: Line<'_>, in_file: bool, cases: [usize; 2], found: &mut Found) {
    let unknown =
        |name: &str| ["CPU_", "ME_", "SUMM_", "m_CPU_"].iter().any(|p| name.starts_with(p));
    let Some((test, printed)) = test(line.text, in_file) else {
        if in_file && unknown(line.text.trim()) {
            found.warn(line.number, format!("a test that is not known: {}", tidy(line.text)));
        }
        return;
    };
    let (field, name, unit, quantity, factor) = *test;
    let case = cases[usize::from(OF_ONE.contains(&field))];
    let value = match in_file {
        true => number(printed),
        false => leading(printed).filter(|(_, of)| *of == unit).map(|(value, _)| value),
    };
    match value {
        // A test that did not run has 0.
        Some(value) if value > 0.0 => {
            let at = [("of", name.into())];
            found.series(case, quantity, &at, &[value * factor]);
        }
        Some(_) => {}
        None => found.warn(line.number, format!("'{}' is no {name} in {unit}", tidy(printed))),
    }
}

/// `PassMark PerformanceTest Linux (11.0.1002)`, then `AMD EPYC 7313 16-Core Processor (x86_64)`, then
/// `2 cores @ 0 MHz  |  3.8 GiB RAM`.
fn screen(text: &Text, found: &mut Found) {
    let mut before: Option<Line<'_>> = None;
    for line in text.lines() {
        if let Some((version, _)) =
            line.text.trim().strip_prefix(SCREEN).and_then(|rest| rest.split_once(')'))
        {
            found.version(version);
        } else if line.text.contains(" cores @ ")
            && let Some(above) = before
            && let Some((model, arch)) = above.text.trim().rsplit_once(" (")
        {
            found.fact(above.number, "cpu.model", tidy(model));
            found.fact(above.number, "kernel.arch", tidy(arch.trim_end_matches(')')));
        }
        before = Some(line);
    }
}

#[cfg(test)]
mod tests {
    use crate::gathered::imported;

    /// Made up after the format of 11.0.
    #[test]
    fn quotes_are_no_name_and_tests_of_one_thread_stay_apart() {
        let text = "Results:\n  NumTestProcesses: 8\n  CPU_INTEGER_MATH: 53168.2\n  CPU_SINGLETHREAD: 2647.1\n  ME_LATENCY: 40.5\n  SUMM_CPU: 16952.1\nSystemInformation:\n  Processor: \"Some Processor 5               \"\n  NumLogicals: 8\n";
        let record = imported("results.yml", text);
        assert_eq!(record.machine.text("cpu.model"), Some("Some Processor 5"));
        let of = |threads: &str| {
            let runs = record.runs.iter().filter(|r| r.case.params["threads"] == threads.into());
            runs.flat_map(|r| r.series()).count()
        };
        assert_eq!((of("all"), of("one")), (2, 2));
    }
}
