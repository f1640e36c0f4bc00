//! Predictions on the machines whose outcome is known, and on those that say too little.
use super::*;
use crate::example::{add_scaling_run, counted, empty};
use record::{Metric, Record, param};
use std::fs;

fn record(name: &str) -> Record {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1");
    record::from_slice(&fs::read(format!("{folder}/{name}.json")).unwrap()).unwrap()
}

fn of(record: &Record, change: Change) -> Answer {
    whatif(&Report::new(record), &[change]).remove(0)
}

/// What was found afterwards, 3.6 times with both changes, lies inside what they allow together, and no change alone claims it.
#[test]
fn the_load_generator_is_predicted_around_what_it_did() {
    let record = record("load-generator-196");
    let memory = of(&record, Change::Dimms(2.933e9)).found.unwrap();
    assert_eq!(memory.words(), "1.00 to 1.40 times");
    let bound = of(&record, Change::Bound);
    assert_eq!(bound.title, "4 processes bound, one to each NUMA node");
    let bound = bound.found.unwrap();
    assert_eq!(bound.words(), "1.00 to 4.08 times");
    assert!(bound.basis.contains("1.69 ns") && bound.basis.contains("1.20 ns"), "{}", bound.basis);
    assert!((1.0..memory.times.1 * bound.times.1).contains(&3.6));
    assert!(memory.times.1 < 3.6);
}

#[test]
fn nothing_is_predicted_or_found_for_a_mixture_of_machines() {
    let mut record = record("load-generator-196");
    let other = record::Source { other_machine: Some("B 2".into()), ..Default::default() };
    record.provenance.sources.push(other);
    assert_eq!(of(&record, Change::Bound).found.unwrap_err().why, "the results are of 2 machines");
    let report = Report::new(&record);
    let fired = report
        .get::<crate::Verdicts>()
        .iter()
        .filter(|(rule, _)| report.get::<crate::Verdicts>().fires(rule));
    assert_eq!(fired.count(), 0);
}

#[test]
fn slower_modules_are_predicted_too_and_better_ones_are_said_to_be_others() {
    let record = record("load-generator-196");
    let slower = of(&record, Change::Dimms(1.05e9)).found.unwrap();
    assert_eq!(slower.times, (0.5, 1.0));
    let others = of(&record, Change::Dimms(3.2e9)).found.unwrap();
    assert!(
        others.assumes.starts_with("These modules are rated at 2933 MT/s"),
        "{}",
        others.assumes
    );
}

#[test]
fn threads_that_are_not_there_are_not_switched_off() {
    let mut record = record("scaling_run");
    assert!(of(&record, Change::SmtOff).found.is_ok());
    record.machine.set("cpu.smt", false, "example");
    let none = of(&record, Change::SmtOff).found.unwrap_err();
    assert_eq!(none.why, "no core here has a second thread");
}

/// No memory is faster than its CPU allows, nor than its kind has.
#[test]
fn modules_are_no_faster_than_the_cpu_and_their_kind() {
    let mut record = record("two-node-server");
    let faster = of(&record, Change::Dimms(3.2e9)).found.unwrap();
    assert_eq!(faster.times, (1.0, 1.0));
    assert_eq!(faster.held.unwrap(), "no gain: this CPU runs memory at 2666 MT/s at most");
    assert_eq!(faster.now.unwrap(), "now 2666 MT/s");
    let none = of(&record, Change::Dimms(9.999e9)).found.unwrap_err();
    assert_eq!(none.why, "DDR4 modules run at 3200 MT/s at most");
    for dimm in &mut record.machine.topology.dimms {
        (dimm.kind, dimm.configured) = (None, Some(2.133e9));
    }
    let capped = of(&record, Change::Dimms(3.2e9)).found.unwrap();
    assert!((1.24..1.26).contains(&capped.times.1), "{capped:?}");
    assert!(capped.basis.ends_with("This CPU runs memory at 2666 MT/s at most."));
    assert_eq!(capped.held.unwrap(), "this CPU runs memory at 2666 MT/s at most");
    let none = of(&record, Change::Dimms(13e9)).found.unwrap_err();
    assert!(none.why.contains("12800 MT/s"), "{none}");
    let free = of(&record, Change::Dimms(2.4e9)).found.unwrap();
    assert!(free.held.is_none() && free.times.1 > 1.1, "{free:?}");
}

/// Prime gains nothing from sibling threads and a database nearly doubles: the range is over both.
#[test]
fn sibling_threads_are_worth_what_the_programs_say_together() {
    let of_name = |name: &str| {
        let record = catalogue::record(name).unwrap().unwrap();
        of(&record, Change::SmtOff).found.unwrap()
    };
    let hygon = of_name("hygon-7280-8node");
    assert!(hygon.times.0 < 1.0 / 1.90 && hygon.times.1 > 1.0 / 1.04, "{hygon:?}");
    assert!(hygon.who.contains("TPC-C") && hygon.who.contains("sysbench cpu"), "{}", hygon.who);
    assert!(of_name("amd-epyc-7h12-ecs").times.0 < 1.0 / 1.47);
}

#[test]
fn siblings_and_cores_go_by_the_scaling_run() {
    let mut record = empty();
    let steps = [
        ("1 core", 1, 1, 100.0, 1.0),
        ("2 cores", 2, 2, 190.0, 2.0),
        ("4 cores", 4, 4, 345.0, 4.0),
        ("all cores", 8, 8, 580.0, 8.0),
        ("all threads", 8, 16, 725.0, 16.0),
    ];
    add_scaling_run(&mut record, "one-to-one", &steps);
    let off = of(&record, Change::SmtOff).found.unwrap();
    assert!(off.times.0 < 0.8 && 0.8 < off.times.1 && off.times.1 < 0.82, "{:?}", off.times);
    let more = of(&record, Change::Cores(16)).found.unwrap();
    assert!(1.2 < more.times.0 && more.times.1 < 2.0, "{:?}", more.times);
    let fewer = of(&record, Change::Cores(4)).found.unwrap();
    assert!((0.57..0.62).contains(&fewer.times.0), "{:?}", fewer.times);
    let far = of(&record, Change::Cores(64)).found.unwrap_err();
    assert!(far.why.contains("more than four times"), "{far}");
}

/// Publications have figures on some numbers of cores and no repeats: these answer, and nothing else is said to be known.
#[test]
fn published_figures_answer_for_their_own_numbers_of_cores() {
    let of_name = |name: &str, cores: usize| {
        let record = catalogue::record(name).unwrap().unwrap();
        of(&record, Change::Cores(cores)).found
    };
    let load = of_name("load-generator-196core", 48).unwrap();
    assert_eq!(load.times, (1.0, 1.0));
    assert_eq!(load.who, "load generation on 48 cores, against 196.");
    let none = of_name("load-generator-196core", 96).unwrap_err();
    assert_eq!(none.why, "load generation is published on 48 and 196 cores only");
    let tpcc = of_name("kunpeng-920-4826", 48).unwrap();
    assert!(1.0 < tpcc.times.0 && tpcc.times.1 < 2.0, "{tpcc:?}");
    assert!(tpcc.basis.contains("on 48 cores what it does on 32"), "{}", tpcc.basis);
    let select = of_name("kunpeng-920-4826", 16).unwrap();
    assert!(select.times.1 < 1.0, "{select:?}");
    let none = of_name("kunpeng-920-4826", 50).unwrap_err();
    assert!(none.why.contains("nothing is published on 50 cores"), "{none}");
}

/// A program that waits half of its time for memory gains half of what another frequency brings, and never all of it.
#[test]
fn a_counted_program_narrows_the_range() {
    let mut record = empty();
    let mut s = record::Series::new(Metric::Frequency, record::Unit::Hertz, record::Better::Higher);
    s.samples = vec![2e9; 7];
    crate::example::measured(&mut record, "core_frequency", &[], vec![s.at(param::CHAIN, "add")]);
    let any = of(&record, Change::Frequency(3e9)).found.unwrap();
    assert_eq!(any.times, (1.0, 1.5));
    // What the samples leave open is open in the prediction, too.
    let samples = |record: &mut record::Record, all: &[f64]| {
        let record::Outcome::Measured(series) = &mut record.runs[0].outcome else { panic!() };
        series[0].samples = all.to_vec();
    };
    samples(&mut record, &[1.9e9, 2.0e9]);
    let slower = of(&record, Change::Frequency(1e9)).found.unwrap();
    assert_eq!(slower.times, (1e9 / 2e9, 1.0));
    counted(
        &mut record,
        &[
            ("instructions", 9e9),
            ("stall_frontend", 1e9),
            ("stall_backend", 16e9),
            ("stall_l1_miss", 15.5e9),
            ("stall_l2_miss", 15.2e9),
            ("stall_l3_miss", 15e9),
            ("fills_memory", 0.1e9),
        ],
    );
    let half = of(&record, Change::Frequency(3e9)).found.unwrap();
    assert!((half.times.0 - 1.2).abs() < 1e-9 && half.times.0 < half.times.1, "{:?}", half.times);
}

/// Several sockets with one node: memory is far, and nothing can be bound to it before the nodes are shown.
#[test]
fn hidden_nodes_are_no_reason_to_call_all_memory_near() {
    for name in ["intel-8269cy-numa-off", "intel-8163", "kunpeng-920-4826-1node-lscpu"] {
        let record = catalogue::record(name).unwrap().unwrap();
        let why = of(&record, Change::Bound).found.unwrap_err();
        assert!(why.why.contains("hides the NUMA nodes of 2 sockets"), "{name}: {why}");
        assert!(why.remedy.is_some_and(|remedy| remedy.contains("firmware setup")), "{name}");
    }
    let mut guest = catalogue::record("intel-8163").unwrap().unwrap();
    guest.machine.set("virtual.hypervisor", "KVM", "test");
    let why = of(&guest, Change::Bound).found.unwrap_err();
    assert!(why.why.contains("need not be real"), "{why}");
}

#[test]
fn what_is_not_measured_is_not_predicted() {
    let record = empty();
    for change in [
        Change::Dimms(3.2e9),
        Change::Bound,
        Change::SmtOff,
        Change::HugePages,
        Change::Frequency(3e9),
        Change::Cores(4),
    ] {
        let why = of(&record, change).found.unwrap_err();
        assert!(!why.why.is_empty(), "{change:?}");
    }
    let one = of(&self::record("quiet-vm"), Change::Bound).found.unwrap_err();
    assert!(one.why.contains("one NUMA node"), "{one}");
}
