//! Machines with several names, and names of several machines.
use super::*;

#[test]
fn renamed_machines_stay_themselves_and_names_of_two_are_listed() {
    let mut rng = Rng::new(2);
    let mut inputs: Vec<Input> = vec![];
    for i in 0..20 {
        for hour in [0, 3] {
            let mut run = digest(3 * i + 1, hour, &mut rng);
            // Looked at by root, the machine says who it is; the last of them at one run only.
            let name = if i == 4 && hour == 3 { "new".to_owned() } else { run.host.clone() };
            let known = i < 19 || hour == 0;
            run.host = if known { format!("{i:032x}") } else { name.clone() };
            run.name = Some(name);
            if i == 4 {
                worsen(&mut run, &["read_bandwidth"], 0.2);
            }
            inputs.push((format!("{i}-{hour}.json"), Ok(run)));
        }
    }
    let found = fleet(inputs.clone(), &["host0058".into()]);
    assert_eq!((found.hosts, found.runs, found.left_out.len()), (20, 40, 0));
    assert_eq!((found.flagged.len(), found.flagged[0].name.as_str()), (1, "new"));
    assert_eq!(found.flagged[0].standing, Standing::Slow, "both runs are of one machine");
    assert_eq!(
        found.notes,
        ["host0013, new: one machine that was renamed, or several with one identity"]
    );
    // A name that two machines have: by their identities, or since both were looked at in one moment.
    let mut twin = inputs[0].1.clone().unwrap();
    twin.host = "f".repeat(32);
    let mut double = inputs[2].1.clone().unwrap();
    worsen(&mut double, &["l1_latency"], 0.01);
    inputs.extend([("twin.json".into(), Ok(twin)), ("double.json".into(), Ok(double))]);
    // One that began 10 s after another that took 18 s, and boots that alternate.
    for (i, run) in inputs.iter_mut().filter_map(|(_, d)| d.as_mut().ok()).enumerate() {
        run.took = Some(18.0);
        if run.name.as_deref() == Some("host0010") {
            run.boot = Some(["a", "b"][i % 2].into());
        }
    }
    for (name, minute, boot) in
        [("host0007", "00:00:10", None), ("host0010", "09:00:00", Some("a"))]
    {
        let of = |(_, d): &&Input| d.as_ref().is_ok_and(|d| d.name.as_deref() == Some(name));
        let mut run = inputs.iter().find(of).unwrap().1.clone().unwrap();
        run.started = Some(format!("2026-11-01T{minute}Z"));
        run.boot = boot.map(str::to_owned);
        inputs.push((format!("{name}-more.json"), Ok(run)));
    }
    let notes = fleet(inputs, &[]).notes;
    for words in [
        "host0001 is the name of 2 machines",
        "host0004: a run began before",
        "host0007: a run began before",
        "host0010: two boots alternate",
    ] {
        assert!(notes.iter().any(|n| n.contains(words)), "{words}: {notes:?}");
    }
}

/// Two hosts of one name without an identity, a minute apart.
#[test]
fn facts_that_go_to_and_fro_are_of_two_hosts() {
    let notes = |fact: &str, values: &[&str]| {
        let mut rng = Rng::new(2);
        let runs = values.iter().enumerate().map(|(i, value)| {
            let mut run = digest(1, 0, &mut rng);
            run.started = Some(format!("2026-11-01T{:02}:{:02}:00Z", i / 2 * 3, i % 2));
            run.facts.insert(fact.into(), (*value).into());
            (format!("{i}.json"), Ok(run))
        });
        fleet(runs.collect(), &[]).notes
    };
    let said =
        |notes: Vec<record::Text>| notes.iter().any(|n| n.contains("two hosts may have this name"));
    for (fact, values, two) in [
        ("kernel.release", &["5.10", "6.18", "5.10", "6.18"][..], true),
        ("kernel.release", &["5.10", "6.18", "5.10"], false),
        ("kernel.release", &["5.10", "5.10", "6.18", "6.18"], false),
        ("memory.modules", &["8 x 32 GiB", "4 x 32 GiB", "8 x 32 GiB"], true),
        ("memory.modules", &["8 x 32 GiB", "4 x 32 GiB"], false),
    ] {
        assert_eq!(said(notes(fact, values)), two, "{fact} {values:?}");
    }
    let line = "host0001: kernel.release alternates between 5.10 and 6.18, so";
    let all = notes("kernel.release", &["5.10", "6.18", "5.10", "6.18"]);
    assert!(all.iter().any(|n| n.starts_with(line)), "{all:?}");
}

/// A boot is over when another begins, whatever the kind of machine was meanwhile.
#[test]
fn boots_follow_each_other_in_time() {
    let said = |boots: &[&str]| {
        let mut rng = Rng::new(2);
        let runs = boots.iter().enumerate().map(|(i, boot)| {
            let mut run = digest(1, 3 * i, &mut rng);
            run.boot = Some((*boot).into());
            run.key.cpus -= i % 2;
            (format!("{i}.json"), Ok(run))
        });
        let notes = fleet(runs.collect(), &[]).notes;
        notes.iter().filter(|n| n.contains("two boots alternate")).count()
    };
    assert_eq!(said(&["a", "a", "b", "b", "c", "d"]), 0);
    assert_eq!(said(&["a", "b", "a", "b"]), 1);
    assert_eq!(said(&["a", "b", "b", "a"]), 1);
}

/// The same run as a record, as its digest and as a copy with another name.
#[test]
fn a_run_counts_once_whichever_way_it_came() {
    let mut rng = Rng::new(2);
    let mut inputs: Vec<Input> = (0..6)
        .map(|i| {
            let mut run = digest(3 * i + 1, 0, &mut rng);
            run.run = Some(format!("{i:016x}"));
            (format!("{i}.json"), Ok(run))
        })
        .collect();
    let mut named = inputs[0].1.clone().unwrap();
    (named.host, named.name) = ("web".into(), Some("web".into()));
    let mut later = inputs[1].1.clone().unwrap();
    (later.run, later.facts) = (None, BTreeMap::new());
    inputs.extend([("named.jsonl:1".into(), Ok(named)), ("old.jsonl:1".into(), Ok(later))]);
    let found = fleet(inputs, &[]);
    assert_eq!((found.hosts, found.runs), (6, 6));
    let left: Vec<_> = found.left_out.iter().map(|l| (l.name.as_str(), l.why.as_str())).collect();
    let same =
        [("0.json", "the same run as named.jsonl:1"), ("old.jsonl:1", "the same run as 1.json")];
    assert_eq!(left, same);
}

/// A run by a user who is not root has no identity: the machine is one all the same, and a slow one gives no limits.
#[test]
fn limits_are_of_machines_and_not_of_names() {
    let mut rng = Rng::new(2);
    let mut inputs: Vec<Input> = vec![];
    for (i, hour) in (0..12).flat_map(|i| [(i, 0), (i, 3)]) {
        let mut run = digest(3 * i + 1, hour, &mut rng);
        run.name = Some(run.host.clone());
        if hour == 3 {
            run.host = format!("{i:032x}");
        }
        if i == 4 {
            worsen(&mut run, &["read_bandwidth"], 0.2);
        }
        inputs.push((format!("{i}-{hour}.json"), Ok(run)));
    }
    let digests: Vec<Digest> = inputs.iter().filter_map(|(_, d)| d.clone().ok()).collect();
    let (_, profile) = golden(&fleet(inputs, &[]), digests.iter()).unwrap();
    assert!(profile.title.unwrap().starts_with("11 healthy machines"));
}

/// A run may say its name with its domain or without, and in another case, than the list of those that should be there.
#[test]
fn a_host_of_another_spelling_is_not_said_to_be_silent() {
    let mut rng = Rng::new(2);
    let names = ["node1", "Node2", "node3", "node4.example.com", "10.0.0.1"];
    let runs = names.iter().enumerate().map(|(i, name)| {
        let mut run = digest(3 * i + 1, 0, &mut rng);
        (run.host, run.name) = ((*name).into(), Some((*name).into()));
        (format!("{i}.json"), Ok(run))
    });
    let expected =
        ["NODE1", "node2", "node3.example.com", "node4", "node5.example.com", "10.0.0.2"];
    let found = fleet(runs.collect(), &expected.map(String::from));
    let left: Vec<(&str, &str)> =
        found.left_out.iter().map(|l| (l.name.as_str(), l.why.as_str())).collect();
    let silent = "no run: it never answered";
    assert_eq!(
        left,
        [
            ("10.0.0.2", silent),
            ("node3.example.com", "no run has this name, and node3 has one"),
            ("node4", "no run has this name, and node4.example.com has one"),
            ("node5.example.com", silent),
        ]
    );
}

#[test]
fn names_of_one_boot_are_listed() {
    let mut rng = Rng::new(2);
    let mut run = |i: usize, boot: &str| {
        let mut run = digest(3 * i + 1, 0, &mut rng);
        (run.name, run.boot) = (Some(run.host.clone()), Some(boot.into()));
        (format!("{i}.json"), Ok(run))
    };
    let notes = |inputs: Vec<Input>| fleet(inputs, &[]).notes;
    assert_eq!(notes((0..9).map(|i| run(i, &i.to_string())).collect()), Vec::<String>::new());
    let words = "one boot, so one machine with several names, or its containers";
    let renamed = notes((0..9).map(|i| run(i, &i.min(7).to_string())).collect());
    assert_eq!(renamed, [format!("host0022, host0025: {words}")]);
    let containers = notes((0..9).map(|i| run(i, "a")).collect());
    assert_eq!(containers, [format!("host0001, host0004, host0007, host0010, + 5: {words}")]);
}

/// A clock that starts in 1970 says nothing of how far two runs are from each other.
#[test]
fn a_run_of_a_wrong_clock_confirms_nothing() {
    for (started, standing) in
        [("1970-01-01T00:02:00Z", Standing::Suspect), ("2026-10-31T00:00:00Z", Standing::Slow)]
    {
        let mut rng = Rng::new(2);
        let mut runs: Vec<Digest> = (0..20).map(|i| digest(3 * i + 1, 0, &mut rng)).collect();
        runs.push(digest(1, 0, &mut rng));
        runs[20].started = Some(started.into());
        for i in [0, 20] {
            worsen(&mut runs[i], &["read_bandwidth"], 0.3);
        }
        let inputs = runs.into_iter().enumerate().map(|(i, d)| (format!("{i}.json"), Ok(d)));
        let found = fleet(inputs.collect(), &[]);
        let flagged: Vec<_> = found.flagged.iter().map(|f| (f.host.as_str(), f.standing)).collect();
        assert_eq!(flagged, [("host0001", standing)]);
    }
}

/// Runs that are known by the id of the operating system: `hosts` are name, hour, boot, product UUID; and whether CPUs differ.
fn by_system(runs: &[(&str, usize, &str, Option<&str>)], other_kind: bool) -> Fleet {
    let mut rng = Rng::new(2);
    let run = |(i, (name, hour, boot, uuid)): (usize, &(&str, usize, &str, Option<&str>))| {
        let mut run = digest(1, *hour, &mut rng);
        (run.name, run.boot) = (Some((*name).into()), Some((*boot).into()));
        run.os_id = Some("e".repeat(32));
        run.host = uuid.map_or("e".repeat(32), str::to_owned);
        run.key.cpus -= usize::from(other_kind && i == 0);
        (format!("{i}.json"), Ok(run))
    };
    fleet(runs.iter().enumerate().map(run).collect(), &[])
}

#[test]
fn a_renamed_machine_without_a_uuid_stays_itself_and_clones_are_told_apart() {
    let said = |found: &Fleet, words: &str| found.notes.iter().any(|n| n.contains(words));
    for (runs, kinds, hosts) in [
        (&[("old", 0, "a", None), ("new", 3, "b", None)][..], false, 1),
        (&[("old", 0, "a", None), ("new", 3, "a", Some("f"))], false, 1),
        (&[("old", 0, "a", None), ("new", 3, "b", None), ("old", 6, "a", None)], false, 2),
        (&[("old", 0, "a", None), ("new", 3, "b", None)], true, 1),
        (&[("old", 0, "a", None), ("new", 3, "b", None), ("new", 0, "c", None)], true, 2),
        (&[("old", 0, "a", Some("f")), ("new", 3, "b", Some("0"))], false, 2),
    ] {
        let found = by_system(runs, kinds);
        assert_eq!(found.hosts, hosts, "{runs:?} {:?}", found.notes);
        let listed = found.notes.iter().any(|n| n.contains("machines with one id"));
        assert_eq!(listed, hosts == 2, "{runs:?} {:?}", found.notes);
        assert_eq!(said(&found, "one machine that was renamed"), hosts == 1, "{runs:?}");
        let known = hosts == 1 && runs.iter().all(|run| run.3.is_none());
        assert_eq!(said(&found, "1 known by the id of their"), known, "{:?}", found.notes);
    }
    // Two without a name of their own, by their boots.
    let same =
        by_system(&[("web", 0, "a", None), ("web", 3, "b", None), ("web", 6, "a", None)], false);
    assert!(said(&same, "two boots alternate"), "{:?}", same.notes);
}

/// Golden images: machines of one image have one id of the operating system, whether they were measured at once or one after another.
#[test]
fn machines_of_one_image_are_not_united() {
    let mut rng = Rng::new(2);
    let mut hosts = |seconds: usize, up: Option<f64>, boots: bool| {
        let run = |i: usize| {
            let mut run = digest(3 * i + 1, 0, &mut rng);
            let at = i * seconds;
            let (hour, minute, second) = (at / 3600, at / 60 % 60, at % 60);
            run.started = Some(format!("2026-11-01T{hour:02}:{minute:02}:{second:02}Z"));
            (run.host, run.os_id) = ("e".repeat(32), Some("e".repeat(32)));
            (run.name, run.uptime) = (Some(format!("node{i:03}")), up);
            run.boot = boots.then(|| format!("boot {i}"));
            (format!("{i}.json"), Ok(run))
        };
        fleet((0..200).map(run).collect(), &[]).hosts
    };
    for seconds in [0, 30, 400] {
        for (up, boots) in [(None, false), (None, true), (Some(86_400.0), true)] {
            assert_eq!(hosts(seconds, up, boots), 200, "{seconds} {up:?} {boots}");
        }
    }
}

/// Two boots of one image are one machine's if the later began after the last run in the earlier, whatever changed meanwhile.
#[test]
fn a_machine_without_a_uuid_whose_name_and_kind_change_stays_itself() {
    for (up, hosts) in [(3600.0, 1), (86_400.0, 2)] {
        let mut rng = Rng::new(2);
        let run = |i: usize| {
            let mut run = digest(1, 3 * i, &mut rng);
            (run.host, run.os_id) = ("e".repeat(32), Some("e".repeat(32)));
            run.name = Some(["old", "new"][i].into());
            (run.boot, run.uptime) = (Some(format!("boot {i}")), Some(up));
            run.key.cpus += 64 * i;
            (format!("{i}.json"), Ok(run))
        };
        let found = fleet((0..2).map(run).collect(), &[]);
        assert_eq!((found.hosts, found.runs), (hosts, 2), "{:?}", found.notes);
        let kinds: Vec<usize> = found.groups.iter().map(|group| group.key.cpus).collect();
        assert_eq!(kinds, if hosts == 1 { vec![128] } else { vec![64, 128] });
    }
}
