//! Programs whose rates are known.
use super::*;
use host::{
    child::{Ended, Status},
    clock::Monotonic,
};
use std::sync::{Arc, Mutex};

fn words(all: &[&str]) -> Vec<OsString> {
    all.iter().map(|w| (*w).into()).collect()
}

fn proof(script: &str, rate: Rate) -> Proof {
    let here: CpuSet = host::cpus::affinity().unwrap();
    let place = Place { cpus: here, nodes: CpuSet::default() };
    Proof {
        words: words(&["sh", "-c", script]),
        places: vec![place.clone(), place],
        several_nodes: false,
        repeats: 2,
        rate,
        limit: Some(60.0),
        end_children: false,
    }
}

fn ended(status: Status) -> Ended {
    Ended {
        pid: 1,
        status,
        began: 0.0,
        ended: 1.0,
        used: host::usage::Usage::default(),
        queue: None,
    }
}

#[test]
fn what_ends_badly_is_gathered_by_how() {
    let done = |all: &[Status]| GroupResult {
        ended: all.iter().map(|s| ended(*s)).collect(),
        ..GroupResult::default()
    };
    assert_eq!(verdict(&done(&[Status::Exited(0); 2]), 2, None), Ok(()));
    let bad = [Status::Exited(3), Status::Exited(0), Status::Exited(3), Status::Killed(9)];
    let why = verdict(&done(&bad), 4, None).unwrap_err();
    assert_eq!(why.why, "3 of 4 copies failed: exit code 3 (2), killed by signal 9 (1)");
    let why = verdict(&done(&[]), 2, None).unwrap_err();
    assert!(why.why.contains("2 of 2"), "{why}");
    let why = verdict(&done(&[Status::Exited(STOPPED)]), 1, None).unwrap_err();
    assert!(why.remedy.is_some_and(|r| r.starts_with("timeout(1)")));
    let late = GroupResult { timed_out: true, ..done(&[Status::Killed(15)]) };
    let why = verdict(&late, 1, Some(7.0)).unwrap_err();
    assert!(why.why.contains("7 s") && why.remedy.is_some(), "{why}");
}

#[test]
fn placeholders_are_filled_and_what_is_none_stays() {
    let place = Place { cpus: "0-3".parse().unwrap(), nodes: "1".parse().unwrap() };
    let copy = Copy::of(
        &words(&["a{index}", "{cpus}:{node}", "{}{other}", "{count}{count}"]),
        2,
        4,
        &place,
    );
    assert_eq!(copy.words, words(&["a2", "0-3:1", "{}{other}", "44"]));
    let of = |name: &str| copy.variables.iter().find(|(n, _)| n == name).unwrap().1.clone();
    assert_eq!((of("CPULENS_INDEX"), of("CPULENS_CPUS")), ("2".into(), "0-3".into()));
    let bound = copy.clone().bound(&place, true);
    assert_eq!((bound.cpus.unwrap(), bound.nodes), (place.cpus.clone(), place.nodes.clone()));
    assert!(copy.bound(&place, false).nodes.is_empty());
}

#[test]
fn copies_run_where_they_belong_and_say_so() {
    let cpus = host::cpus::affinity().unwrap();
    let script = "echo $CPULENS_INDEX $CPULENS_CPUS $(grep Cpus_allowed_list /proc/self/status); exit {index}";
    let copies: Vec<Copy> = cpus
        .iter()
        .enumerate()
        .map(|(index, cpu)| {
            let place = Place { cpus: [cpu].into_iter().collect(), nodes: CpuSet::default() };
            Copy::of(&words(&["sh", "-c", script]), index, cpus.len(), &place).bound(&place, false)
        })
        .collect();
    let said = Arc::new(Mutex::new(vec![]));
    let kept = Arc::clone(&said);
    let take = move |line: WholeLines| {
        kept.lock().unwrap().push(String::from_utf8(line.bytes).unwrap());
    };
    let ran = run(&copies, &Monotonic::new(), (Some(60.0), false), take, |_| ());
    let ran = ran.unwrap();
    let codes: Vec<i32> = ran.done.ended.iter().map(|e| e.status.code()).collect();
    assert_eq!(codes, (0..cpus.len() as i32).collect::<Vec<_>>());
    let mut said = said.lock().unwrap().clone();
    said.sort_by_key(|line| line.split(' ').next().unwrap().parse::<usize>().unwrap());
    for (index, cpu) in cpus.iter().enumerate() {
        assert_eq!(said[index], format!("{index} {cpu} Cpus_allowed_list: {cpu}"));
    }
    assert!(ran.heard);
    let nowhere = Place { cpus: [CpuSet::MAX].into_iter().collect(), nodes: CpuSet::default() };
    let copy = Copy::of(&words(&["true"]), 0, 1, &nowhere).bound(&nowhere, false);
    assert!(run(&[copy], &Monotonic::new(), (None, false), |_| {}, |_| ()).is_err());
}

#[test]
fn every_arm_is_measured_as_often_and_in_turn() {
    let mut calls = vec![];
    let all =
        proof("true", Rate::Runs).measure(&Monotonic::new(), |n, of, arm| calls.push((n, of, arm)));
    let all = all.unwrap().rates;
    let order: Vec<Arm> = all.iter().map(|(arm, _)| *arm).collect();
    let up = [Arm::One, Arm::OneBound, Arm::All, Arm::AllBound];
    assert_eq!(order[..4], up);
    assert_eq!(order[4..], [up[3], up[2], up[1], up[0]]);
    assert!(all.iter().all(|(_, rate)| *rate > 0.0));
    assert_eq!((calls.len(), calls[8].0, calls[8].1), (9, 9, 9));
}

#[test]
fn rates_are_read_from_output_and_from_files_and_added_up() {
    let rate = Rate::matching("did ([0-9.,]+) a second").unwrap();
    let script = "echo did 1 a second; echo did 1,000.5 a second >&2";
    let all = proof(script, rate).measure(&Monotonic::new(), |_, _, _| {}).unwrap().rates;
    for (arm, rate) in all {
        let copies = if arm < Arm::All { 1.0 } else { 2.0 };
        // The two streams race: the last match is of either.
        let each = rate / copies;
        assert!((1.0..=1000.5).contains(&each), "{arm:?} {rate}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rate-{index}");
    let script = format!("echo \"qps: $((2 + {{index}}))\" > {}", file.display());
    let all =
        proof(&script, Rate::File(file.into_os_string())).measure(&Monotonic::new(), |_, _, _| {});
    for (arm, rate) in all.unwrap().rates {
        assert_eq!(rate, if arm < Arm::All { 2.0 } else { 5.0 });
    }
}

#[test]
fn what_tells_no_rate_or_fails_is_said_in_words() {
    let measure = |script: &str, rate: Rate| {
        proof(script, rate).measure(&Monotonic::new(), |_, _, _| {}).unwrap_err().why
    };
    assert!(measure("echo hello", Rate::matching("x([0-9]+)").unwrap()).why.contains("hello"));
    assert!(measure("echo x.", Rate::matching("x(.)").unwrap()).why.contains("no number"));
    assert!(measure("true", Rate::File("/no/such/file".into())).why.contains("no rate"));
    let why = measure("echo no luck >&2; exit 4", Rate::Runs);
    assert!(why.why.contains("exit code 4") && why.why.contains("no luck"), "{why}");
    assert!(measure("echo 0", Rate::matching("([0-9])").unwrap()).why.contains("no throughput"));
    assert!(Rate::matching("[").unwrap_err().why.contains("no regular expression"));
    assert!(Rate::matching("a").unwrap_err().remedy.is_some());
}
