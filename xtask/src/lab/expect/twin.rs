//! `cpulens info` on an emulated machine against the inventory of the machine it imitates, field by field. What QEMU
//! cannot present is named in the machine's `Twin`, and nothing else is left out.
use super::{Complaints, list};
use crate::{
    lab::machine::{Hidden, Machine, Twin},
    tree::{read, root},
};
use serde_json::Value;
use std::collections::BTreeMap;

/// What no emulated machine has as its original has it.
const HIDDEN_EVERYWHERE: &[Hidden] = &[
    Hidden("cpus/*/core", "QEMU numbers the cores anew in each die; siblings tell the cores"),
    Hidden("cpus/*/cluster", "kernels before 5.16 number no clusters, and the originals ran such"),
    Hidden("cpus/*/die", "kernels before 5.2 number no dies, and the originals ran such"),
    Hidden("cpus/*/max_hz", "emulated processors have no clock to set"),
    Hidden("nodes/*/bytes", "the memory of an emulated machine is small"),
    Hidden("nodes/*/free", "the memory of an emulated machine is small"),
    Hidden("nodes/*/huge", "reserved pages are a setting, which the descriptions do not state"),
    Hidden(
        "dimms",
        "firmware describes QEMU's own module; `sockets2-nodes4-smt` has modules of ours",
    ),
    Hidden("sources", "the same parts, read from files of another kernel"),
    Hidden("missing", "follows from the rest"),
];

/// More differences than this say nothing new.
const MOST: usize = 8;

pub(super) fn check(machine: &Machine, info: &Value) -> Complaints {
    let Some(twin) = machine.twin else { return Complaints::new() };
    let file = root().join("fixtures/machines").join(twin.fixture).with_extension("json");
    let original = read(&file).and_then(|text| {
        serde_json::from_str::<Value>(&text).map_err(|e| format!("{}: {e}", file.display()))
    });
    match original {
        Ok(original) => differences(&twin, &original["topology"], &info["topology"]),
        Err(error) => vec![error],
    }
}

fn differences(twin: &Twin, original: &Value, found: &Value) -> Complaints {
    let mut original = renumbered(twin, original);
    let mut found = found.clone();
    for Hidden(path, _) in HIDDEN_EVERYWHERE.iter().chain(twin.hidden) {
        let parts: Vec<&str> = path.split('/').collect();
        for side in [&mut original, &mut found] {
            hide(side, &parts);
        }
    }
    let mut wrong = Complaints::new();
    compare("", &original, &found, &mut wrong);
    let more = wrong.len().saturating_sub(MOST);
    wrong.truncate(MOST);
    if more > 0 {
        wrong.push(format!("and {more} more differences from {}", twin.fixture));
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
fn renumbered(twin: &Twin, original: &Value) -> Value {
    let mut original = original.clone();
    if !twin.threads_adjacent {
        return original;
    }
    let mut number: BTreeMap<u32, u64> = BTreeMap::new();
    for cpu in list(&original["cpus"]) {
        for thread in super::inventory::set_of(&cpu["siblings"]) {
            let next = number.len() as u64;
            number.entry(thread).or_insert(next);
        }
    }
    let mapped = |list: &Value| -> Value {
        let ids = super::inventory::set_of(list);
        let mut ids: Vec<u64> = ids.iter().filter_map(|id| number.get(id).copied()).collect();
        ids.sort_unstable();
        shown(&ids).into()
    };
    let cpus = original["cpus"].as_array_mut().into_iter().flatten();
    for cpu in cpus {
        let id = cpu["id"].as_u64().and_then(|id| u32::try_from(id).ok());
        cpu["id"] = id.and_then(|id| number.get(&id).copied()).into();
        cpu["siblings"] = mapped(&cpu["siblings"]);
    }
    for part in ["caches", "nodes"] {
        for member in original[part].as_array_mut().into_iter().flatten() {
            member["cpus"] = mapped(&member["cpus"]);
        }
    }
    if let Some(cpus) = original["cpus"].as_array_mut() {
        cpus.sort_by_key(|cpu| cpu["id"].as_u64());
    }
    if let Some(caches) = original["caches"].as_array_mut() {
        let first = |cache: &Value| super::inventory::set_of(&cache["cpus"]).first().copied();
        caches.sort_by_key(|c| (c["level"].as_u64(), c["kind"].to_string(), first(c)));
    }
    original
}

/// As the program prints a set: two neighbours are two numbers.
fn shown(ids: &[u64]) -> String {
    let runs = ids.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [one] => one.to_string(),
        [one, two] => format!("{one},{two}"),
        run => format!("{}-{}", run[0], run[run.len() - 1]),
    });
    runs.collect::<Vec<_>>().join(",")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::machines::MACHINES;
    use serde_json::json;

    const PLAIN: Twin = Twin { fixture: "x", threads_adjacent: true, hidden: &[] };

    fn topology(siblings: [&str; 4], ids: [u32; 4]) -> Value {
        let cpus: Vec<Value> = (0..4)
            .map(|n| json!({"id": ids[n], "core": n, "package": 0, "siblings": siblings[n]}))
            .collect();
        json!({"cpus": cpus, "nodes": [{"cpus": "0-3", "bytes": 5, "distances": [10]}],
               "caches": [{"level": 1, "cpus": siblings[0]}]})
    }

    #[test]
    fn numbers_are_qemus_and_the_rest_must_be_equal() {
        let original = topology(["0,2", "1,3", "0,2", "1,3"], [0, 1, 2, 3]);
        let mut twin = topology(["0,1", "0,1", "2,3", "2,3"], [0, 1, 2, 3]);
        twin["nodes"][0]["bytes"] = json!(1);
        assert_eq!(differences(&PLAIN, &original, &twin), Complaints::new());
        let lies = [
            ("/cpus/1/package", json!(1)),
            ("/cpus/1/siblings", json!("1")),
            ("/nodes/0/distances/0", json!(11)),
            ("/caches/0/cpus", json!("0,2")),
            ("/caches", json!([])),
        ];
        for (at, lie) in lies {
            let mut twin = twin.clone();
            *twin.pointer_mut(at).unwrap() = lie;
            assert_eq!(differences(&PLAIN, &original, &twin).len(), 1, "{at}");
        }
        let caches = Twin { hidden: &[Hidden("caches", "none")], ..PLAIN };
        twin["caches"] = json!([]);
        assert_eq!(differences(&caches, &original, &twin), Complaints::new());
    }

    /// A path that hides nothing hides something else than was meant.
    #[test]
    fn whatever_is_hidden_is_there_and_has_a_reason() {
        for twin in MACHINES.iter().filter_map(|m| m.twin) {
            let file = root().join("fixtures/machines").join(twin.fixture).with_extension("json");
            let original: Value = serde_json::from_str(&read(&file).unwrap()).unwrap();
            for Hidden(path, why) in twin.hidden {
                let mut less = original["topology"].clone();
                hide(&mut less, &path.split('/').collect::<Vec<_>>());
                assert!(
                    less != original["topology"] && !why.is_empty(),
                    "{}: {path}",
                    twin.fixture
                );
            }
        }
    }
}
