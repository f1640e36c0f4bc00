//! Every published figure arrives in the record of its machine, with its value, unit and line; nothing is dropped.
#![allow(clippy::unwrap_used, reason = "a test that cannot read the data has failed")]
use catalogue::{Measurement, Reference};
use record::{Better, Outcome, ProbeId, Record, Unit, param};
use std::collections::BTreeMap;
use std::path::Path;

fn reference() -> &'static Reference {
    catalogue::reference().unwrap()
}

fn all() -> BTreeMap<&'static str, Record> {
    catalogue::names().map(|name| (name, catalogue::record(name).unwrap().unwrap())).collect()
}

/// The factors once more, so that a slip in the program's own table is seen.
fn base(unit: &str) -> (Unit, f64) {
    match unit {
        "s" => (Unit::Seconds, 1.0),
        "ns" => (Unit::Seconds, 1e-9),
        "kB/s" => (Unit::BytesPerSecond, 1000.0),
        "MB/s" => (Unit::BytesPerSecond, 1_000_000.0),
        "KBps" => (Unit::BytesPerSecond, 1024.0),
        "GB" | "GiB" => (Unit::Bytes, (1u64 << 30) as f64),
        "TB" => (Unit::Bytes, (1u64 << 40) as f64),
        "GHz" => (Unit::Hertz, 1e9),
        "MHz" => (Unit::Hertz, 1e6),
        "MT/s" => (Unit::TransfersPerSecond, 1e6),
        "QPS" | "lps" => (Unit::PerSecond, 1.0),
        "MWIPS" => (Unit::PerSecond, 1e6),
        "tpmC" | "lpm" => (Unit::PerSecond, 1.0 / 60.0),
        "insn/cycle" => (Unit::PerCycle, 1.0),
        "%" => (Unit::Ratio, 0.01),
        "x" => (Unit::Ratio, 1.0),
        "count" | "cores" | "tsc_ticks" | "index" | "score" | "V" => (Unit::Count, 1.0),
        other => panic!("{other}"),
    }
}

#[test]
fn all_machines_and_figures_are_there() {
    assert_eq!((catalogue::names().count(), reference().machines.len()), (26, 26));
    let ids: Vec<&str> = reference().measurements.iter().map(|m| m.id.as_str()).collect();
    let expected: Vec<String> = (1..=1004).map(|n| format!("m{n:04}")).collect();
    assert_eq!(ids, expected);
    let count = |by: fn(&Measurement) -> &String| -> BTreeMap<&str, usize> {
        reference().measurements.iter().fold(BTreeMap::new(), |mut all, m| {
            *all.entry(by(m).as_str()).or_default() += 1;
            all
        })
    };
    let kinds = count(|m| &m.kind);
    assert_eq!(
        kinds.into_iter().collect::<Vec<_>>(),
        [
            ("derived-by-author", 37),
            ("derived-by-tool", 65),
            ("measured", 762),
            ("not-applicable", 5),
            ("reference", 36),
            ("restated", 3),
            ("stated", 64),
            ("summary", 32),
        ]
    );
    let by_machine = count(|m| &m.machine);
    for (machine, figures) in [
        ("phytium-ft2500", 153),
        ("kunpeng-920-4826", 114),
        ("intel-8269cy-numa-off", 108),
        ("unspecified-ctx1-host", 2),
    ] {
        assert_eq!(by_machine[machine], figures, "{machine}");
    }
    let by_workload = count(|m| &m.workload);
    assert_eq!(
        (by_workload.len(), by_workload["lmbench-stream"], by_workload["tpcc"]),
        (23, 278, 49)
    );
}

/// A sample of a record: its publication, the indices of its run and series, its value.
type Slot<'r> = (&'r str, usize, usize, f64);

fn slots(record: &Record) -> Vec<Slot<'_>> {
    let mut all = vec![];
    for (r, run) in record.runs.iter().enumerate() {
        let file = record.provenance.sources[run.origin.unwrap().source as usize].file.as_str();
        for (s, series) in run.series().iter().enumerate() {
            all.extend(series.samples.iter().map(|x| (file, r, s, *x)));
        }
    }
    all
}

/// Takes each published figure of a machine from its record; runs and series of the samples that are left.
fn take(name: &str, record: &Record, counted: &mut [usize; 3]) -> Vec<(usize, usize)> {
    let mut left = slots(record);
    let mut readings: Vec<_> = record.runs.iter().flat_map(|run| &run.readings).collect();
    let mut reasons: Vec<_> = record.runs.iter().filter_map(|run| run.outcome.why()).collect();
    for m in reference().of(name) {
        let (unit, factor) = base(&m.unit);
        let near = |x: f64| {
            let value = m.value.unwrap() * factor;
            (x - value).abs() <= value.abs() * 1e-12
        };
        let timed = m.kind == "measured"
            && ["latency", "tsc_delta", "elapsed"].contains(&m.metric.as_str());
        let of = |(file, r, s, x): &Slot<'_>| {
            let series = &record.runs[*r].series()[*s];
            let lower = !timed || series.better == Better::Lower;
            *file == m.publication && series.unit == unit && near(*x) && lower
        };
        if m.value.is_none() {
            let at = reasons.iter().position(|why| why.why.contains(&m.printed));
            reasons.remove(at.unwrap_or_else(|| panic!("{}", m.id)));
            counted[2] += 1;
        } else if let Some(at) = left.iter().position(of) {
            left.remove(at);
            counted[0] += 1;
        } else {
            let share = m.counted_percent.unwrap_or(100.0) / 100.0;
            let at = readings.iter().position(|reading| {
                let same = reading.unit == unit && reading.coverage == share;
                same && near(reading.value) && m.metric.ends_with(&reading.name)
            });
            readings.remove(at.unwrap_or_else(|| panic!("{}", m.id)));
            counted[1] += 1;
        }
    }
    assert!(readings.is_empty() && reasons.is_empty(), "{name}: {readings:?} {reasons:?}");
    left.into_iter().map(|(_, r, s, _)| (r, s)).collect()
}

/// Figures arrive with their values, units and directions, and no sample is there that was not published: the rest stand in the
/// same cells.
#[test]
fn every_figure_arrives_and_nothing_is_added() {
    let (mut counted, mut beside) = ([0; 3], BTreeMap::new());
    for (name, record) in all() {
        for (r, s) in take(name, &record, &mut counted) {
            *beside.entry(record.runs[r].series()[s].metric.as_str()).or_insert(0) += 1;
        }
        for run in &record.runs {
            assert!(
                run.outcome.why().is_some() || !run.series().is_empty() || !run.readings.is_empty()
            );
            assert_eq!(run.case.version, 0, "no definition of cpulens");
            assert!(run.case.get(param::TOOL).is_some_and(|t| !t.is_empty()));
            let source = &record.provenance.sources[run.origin.unwrap().source as usize];
            assert!(source.publication.as_ref().is_some_and(|p| !p.title.is_empty()));
        }
    }
    assert_eq!(counted, [842, 154, 8], "samples, counters, cells without a number");
    assert_eq!(
        beside.into_iter().collect::<Vec<_>>(),
        [
            ("cpus_used", 44),
            ("ipc", 61),
            // Counted on all CPUs: five dumps, two cells of a table, and one of them again above its dump.
            ("ipc_of_machine", 8),
        ]
    );
}

#[test]
fn results_without_an_equivalent_series_keep_their_words_and_a_reason() {
    let (mut foreign, mut own) = (0, BTreeMap::new());
    for (_, record) in all() {
        for run in &record.runs {
            if run.case.probe == ProbeId::ReferenceResult {
                foreign += 1;
                for name in [param::NOT_COMPARABLE, param::WORKLOAD] {
                    assert!(
                        run.case.get(name).is_some_and(|t| t.len() > 2),
                        "{}",
                        run.case.label()
                    );
                }
            } else {
                *own.entry(run.case.probe.as_str()).or_insert(0) += 1;
            }
        }
    }
    let names: Vec<&str> = own.keys().copied().collect();
    assert_eq!(
        names,
        [
            "bc",
            "lat_mem_rd",
            "lmbench_stream",
            "openssl_speed",
            "perf_stat",
            "sysbench",
            "time",
            "tpcc",
            "unixbench"
        ]
    );
    assert_eq!((foreign, own["lmbench_stream"], own["sysbench"]), (48, 48, 59));
}

/// Three runs of each pinning are three samples, so their spread is known; nearly all else is one printed figure.
#[test]
fn repeats_are_samples_of_one_series() {
    let record = catalogue::record("kunpeng-v200-48c96t").unwrap().unwrap();
    let mut lengths = BTreeMap::new();
    for run in &record.runs {
        let Outcome::Measured(all) = &run.outcome else { panic!() };
        for series in all {
            *lengths.entry((series.metric.as_str(), series.samples.len())).or_insert(0) += 1;
        }
    }
    assert_eq!(
        lengths.into_iter().collect::<Vec<_>>(),
        [(("gain_one_to_one_over_range", 1), 12), (("score", 3), 24)]
    );
}

#[test]
fn the_same_data_gives_the_same_record_and_it_loads_again() {
    for name in catalogue::names() {
        let record = catalogue::record(name).unwrap().unwrap();
        assert_eq!(catalogue::record(name).unwrap().unwrap(), record);
        let bytes = record::to_vec(&record).unwrap();
        assert_eq!(record::from_slice(&bytes).unwrap(), record, "{name}");
        assert_eq!(record.provenance.name.as_deref(), Some(name));
        assert!(record.machine.text("reference.title").is_some());
    }
    assert!(catalogue::record("no-such").unwrap().is_none());
}

/// The outputs are those that the importers are tested with, word for word.
#[test]
fn printed_outputs_are_the_importers_samples() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../import/tests/samples");
    let mut outputs = 0;
    for output in reference().machines.iter().flat_map(|m| &m.outputs) {
        let text = std::fs::read_to_string(samples.join(&output.file)).unwrap();
        assert_eq!(output.text.join("\n"), text, "{}", output.file);
        outputs += 1;
    }
    assert!(outputs >= 40, "{outputs}");
}

/// Outputs of lscpu, numactl and dmidecode are read by their importers into parts.
#[test]
fn machines_have_their_parts() {
    let part = |name: &str| catalogue::record(name).unwrap().unwrap().machine;
    let kunpeng = part("kunpeng-920-4826");
    assert_eq!(kunpeng.topology.nodes.len(), 4);
    assert_eq!(kunpeng.topology.nodes[3].distances, [22, 24, 12, 10]);
    assert_eq!(kunpeng.text("cpu.model"), Some("Kunpeng 920-4826"));
    let guest = part("amd-epyc-7h12-ecs");
    assert_eq!(guest.text("os.name"), Some("CentOS 7.9"));
    assert_ne!(guest.text("virtual.hypervisor"), Some("none"));
    assert_eq!(part("intel-8163").text("virtual.hypervisor"), Some("none"));
    assert_eq!(part("intel-8163").number("cpu.frequency.label"), Some(2.5e9));
    assert_eq!(part("dimm-home-machine").topology.dimms.len(), 2);
    assert_eq!(part("shenwei-3231").integer("memory.nodes"), Some(2));
}
