//! `cpulens info` on an emulated machine against the inventory of the machine it imitates, field by field. What QEMU
//! cannot present is named in the machine's `like`, and nothing else is left out.
use super::{Complaints, json};
use lab::{Like, Machine};
use record::{CpuSet, Topology};
use serde_json::{Value, json, to_value};
use std::{collections::BTreeMap, fs};

/// Facts that an emulated machine never has as its original has them.
const HIDDEN_EVERYWHERE: [(&str, &str); 10] = [
    ("cpus/*/core", "QEMU numbers the cores anew in each die; siblings tell the cores"),
    ("cpus/*/cluster", "kernels before 5.16 number no clusters, and the originals ran such"),
    ("cpus/*/die", "kernels before 5.2 number no dies, and the originals ran such"),
    ("cpus/*/max_hz", "emulated processors have no clock to set"),
    ("nodes/*/bytes", "the memory of an emulated machine is small"),
    ("nodes/*/free", "the memory of an emulated machine is small"),
    ("nodes/*/huge", "reserved pages are a setting, which the descriptions do not state"),
    ("dimms", "firmware describes QEMU's own module; `sockets2-nodes4-smt` has modules of ours"),
    ("sources", "the same parts, read from files of another kernel"),
    ("missing", "follows from the rest"),
];

/// More differences than this say nothing new.
const MOST: usize = 8;

pub(super) fn check(machine: &Machine, found: &Topology) -> Complaints {
    let Some(like) = &machine.like else { return Complaints::new() };
    match original(like) {
        Ok(original) => differences(like, &original, found),
        Err(error) => vec![error],
    }
}

fn original(like: &Like) -> Result<Topology, String> {
    let text = fs::read_to_string(like.file());
    let text = text.map_err(|e| format!("{}: {e}", like.file().display()))?;
    json::<record::Machine>(&like.fixture, &text).map(|machine| machine.topology)
}

fn differences(like: &Like, original: &Topology, found: &Topology) -> Complaints {
    let original = if like.threads_adjacent { renumbered(original) } else { original.clone() };
    let mut sides = [to_value(original), to_value(found)].map(Result::unwrap_or_default);
    let everywhere = HIDDEN_EVERYWHERE.iter().map(|(path, _)| *path);
    for path in everywhere.chain(like.hidden.keys().map(String::as_str)) {
        let parts: Vec<&str> = path.split('/').collect();
        sides.iter_mut().for_each(|side| hide(side, &parts));
    }
    let mut wrong = Complaints::new();
    compare("", &sides[0], &sides[1], &mut wrong);
    let more = wrong.len().saturating_sub(MOST);
    wrong.truncate(MOST);
    if more > 0 {
        wrong.push(format!("and {more} more differences from {}", like.fixture));
    }
    wrong
}

/// Forgets a member, `*` being every element of a list; or the elements of a list of which `member=value` is true.
fn hide(value: &mut Value, path: &[&str]) {
    match path {
        [] => {}
        ["*", rest @ ..] => {
            if let Some(list) = value.as_array_mut() {
                list.iter_mut().for_each(|v| hide(v, rest));
            }
        }
        [last] if last.contains('=') => {
            let (member, is) = last.split_once('=').unwrap_or((last, ""));
            if let Some(list) = value.as_array_mut() {
                let is: Value = serde_json::from_str(is).unwrap_or_default();
                list.retain(|v| v[member] != is);
            }
        }
        [last] => {
            if let Some(map) = value.as_object_mut() {
                map.remove(*last);
            }
        }
        [first, rest @ ..] => hide(&mut value[*first], rest),
    }
}

/// The original with the threads of a core numbered one after the other, as QEMU lists them to the kernel.
fn renumbered(original: &Topology) -> Topology {
    let mut original = original.clone();
    let mut number: BTreeMap<u32, u32> = BTreeMap::new();
    for thread in original.cpus.iter().flat_map(|cpu| cpu.siblings.iter().collect::<Vec<_>>()) {
        let next = number.len() as u32;
        number.entry(thread).or_insert(next);
    }
    let mapped =
        |set: &CpuSet| -> CpuSet { set.iter().filter_map(|id| number.get(&id).copied()).collect() };
    for cpu in &mut original.cpus {
        cpu.id = number.get(&cpu.id).copied().unwrap_or(cpu.id);
        cpu.siblings = mapped(&cpu.siblings);
    }
    original.caches.iter_mut().for_each(|cache| cache.cpus = mapped(&cache.cpus));
    original.nodes.iter_mut().for_each(|node| node.cpus = mapped(&node.cpus));
    original.cpus.sort_by_key(|cpu| cpu.id);
    original.caches.sort_by_key(|cache| (cache.level, cache.kind, cache.cpus.first()));
    original
}

fn compare(at: &str, original: &Value, found: &Value, wrong: &mut Complaints) {
    match (original, found) {
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (n, (a, b)) in a.iter().zip(b).enumerate() {
                compare(&format!("{at}/{n}"), a, b, wrong);
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            wrong.push(format!("{at} has {} members instead of {}", b.len(), a.len()));
        }
        (Value::Object(a), Value::Object(b)) => {
            let both: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for key in both {
                let of = |map: &serde_json::Map<_, _>| map.get(key).cloned().unwrap_or_default();
                compare(&format!("{at}/{key}"), &of(a), &of(b), wrong);
            }
        }
        (a, b) if a != b => wrong.push(format!("{at}: {b} instead of {a}")),
        _ => {}
    }
}

fn plain(hidden: &str) -> Like {
    let hidden = [(hidden.to_owned(), "none".to_owned())].into();
    Like { fixture: "x".into(), threads_adjacent: true, hidden }
}

pub(super) fn numbers_are_qemus() {
    let topology = |siblings: [&str; 4]| {
        let cpu = |n: usize| {
            json!({"id": n, "online": true, "allowed": true, "core": n, "package": 0,
                   "siblings": siblings[n]})
        };
        json!({"cpus": [cpu(0), cpu(1), cpu(2), cpu(3)], "dimms": [],
               "nodes": [{"id": 0, "cpus": "0-3", "bytes": 5, "distances": [10]}],
               "caches": [{"level": 1, "kind": "data", "cpus": siblings[0]}]})
    };
    let read = |value: &Value| -> Topology { serde_json::from_value(value.clone()).unwrap() };
    let original = read(&topology(["0,2", "1,3", "0,2", "1,3"]));
    let mut like = topology(["0,1", "0,1", "2,3", "2,3"]);
    like["nodes"][0]["bytes"] = json!(1);
    let nothing = plain("sources");
    assert_eq!(differences(&nothing, &original, &read(&like)), Complaints::new());
    for (at, lie) in [
        ("/cpus/1/package", json!(1)),
        ("/cpus/1/siblings", json!("1")),
        ("/nodes/0/distances/0", json!(11)),
        ("/caches/0/cpus", json!("0,2")),
        ("/caches", json!([])),
    ] {
        let mut like = like.clone();
        *like.pointer_mut(at).unwrap() = lie;
        assert_eq!(differences(&nothing, &original, &read(&like)).len(), 1, "{at}");
    }
    like["caches"] = json!([]);
    assert_eq!(differences(&plain("caches"), &original, &read(&like)), Complaints::new());
}

/// A path that hides nothing hides something else than was meant.
pub(super) fn whatever_is_hidden_is_there() {
    for like in lab::machines().unwrap().into_iter().filter_map(|machine| machine.like) {
        let original = to_value(original(&like).unwrap()).unwrap();
        for (path, why) in &like.hidden {
            let mut less = original.clone();
            hide(&mut less, &path.split('/').collect::<Vec<_>>());
            assert!(less != original && !why.is_empty(), "{}: {path}", like.fixture);
        }
    }
}
