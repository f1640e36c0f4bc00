//! likwid-bench: bytes per second of a kernel, with its threads and the size of what it went through.
//!
//! Limits: the rate counts the bytes of the kernel's loads and stores; a cache line that a store fetches first is not in it.
//! Source: RRZE-HPC/likwid, bench/likwid-bench.c.
use crate::prelude::*;

pub(crate) static IMPORTER: Importer = Importer::new("likwid-bench", recognises, read);

const HEAD: &str = "LIKWID MICRO BENCHMARK";

fn recognises(text: &Text) -> bool {
    text.any(|l| l.trim() == HEAD)
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let head = |line| (str::trim(line) == HEAD).then_some(());
    for run in sections(text, head, |line| Field::parse(line, ":")) {
        let value = |name: &str| run.get(name).map(|f| f.value);
        let Some(rate) = value("MByte/s").and_then(number) else {
            return Err(Problem::at(run.line, "no MByte/s follows: it is cut short"));
        };
        // `Using 2 threads` is no field.
        let threads = text.lines().filter(|l| l.number > run.line).find_map(|l| {
            leading(l.text.strip_prefix("Using ")?).filter(|(_, w)| *w == "threads").map(|(n, _)| n)
        });
        let params = known([
            ("kernel", value("Test").map(|kernel| tidy(kernel).into())),
            ("thread_count", threads.map(|n| Value::from(n as u64))),
        ]);
        let case = found.case(run.line, ProbeId::LikwidBench, &params);
        let at = known([("working_set", value("Size (Byte)").and_then(whole).map(Value::from))]);
        found.series(case, BANDWIDTH, &at, &[rate * 1e6]);
    }
    Ok(())
}
