//! Machines that lack something: the report comes out, and says what is missing and the remedy.
use super::{Complaints, list, words};
use lab::Machine;
use lab_init::DISK;
use serde_json::Value;

/// The inventory and the report of a run in this place, and what the run said on its error output.
pub(super) fn check(
    machine: &Machine,
    found: &record::Machine,
    report: &Value,
    said: &str,
) -> Complaints {
    let place = &machine.place;
    let mut wrong = Complaints::new();
    let mut expect = |true_: bool, what: String| {
        if !true_ {
            wrong.push(what);
        }
    };
    let judgement = &report["judgement"];
    let reasons = || list(&judgement["reasons"]).iter().filter_map(|r| words(&r["why"]));
    expect(
        words(&judgement["environment"]).is_some(),
        format!("no environment check: {judgement}"),
    );
    expect(!list(&report["estimates"]).is_empty(), "the report holds no estimate".into());

    if machine.usable().len() == 1 {
        let skipped = list(&report["not_measured"]).iter().find(|c| is_probe(c, "core_to_core"));
        let reason = skipped.map(|c| &c["outcome"]["skipped"]);
        let stated =
            reason.is_some_and(|r| words(&r["why"]).is_some() && words(&r["remedy"]).is_some());
        expect(
            stated,
            format!("one CPU, yet core_to_core is not skipped with a reason: {skipped:?}"),
        );
    }
    if let Some(unplug) = &machine.unplug {
        // A case that needs all CPUs cannot run any more, and says which one is missing; the others go on.
        let name = format!("CPU {}", unplug.cpu);
        let stated = |c: &&Value| {
            let why = &c["outcome"]["failed"];
            words(&why["why"]).is_some_and(|w| w.contains(&name)) && words(&why["remedy"]).is_some()
        };
        let failed: Vec<&Value> = list(&report["not_measured"]).iter().filter(stated).collect();
        let all = |c: &&Value| c["case"]["params"]["threads"] == "all";
        expect(
            failed.iter().any(all),
            format!(
                "{name} went offline, and no case on all CPUs says so: {}",
                report["not_measured"]
            ),
        );
        let alone = |e: &Value| e["probe"] == "bandwidth" && e["params"]["threads"] == "one";
        expect(
            list(&report["estimates"]).iter().any(alone),
            format!("{name} went offline, and what does not need it was not measured"),
        );
    }
    if let Some(cpuset) = &place.cpuset {
        let stated = reasons().any(|why| why.contains("may be used"));
        expect(
            stated,
            format!(
                "only CPUs {cpuset} may be used, and the environment check does not say so: {judgement}"
            ),
        );
        expect(
            judgement["environment"] != "pass",
            "a cpuset of one CPU passes the environment check".into(),
        );
    }
    if let Some(memory) = &place.memory {
        let limit = found.integer("limits.memory");
        let bytes = memory.strip_suffix('M').and_then(|n| n.parse::<u64>().ok()).map(|n| n << 20);
        expect(limit == bytes, format!("the memory limit is {memory}, and info says {limit:?}"));
    }
    if place.readonly {
        let stated =
            said.contains("cannot write in") && said.contains("/.local/share/cpulens/records");
        expect(stated, format!("nothing says that the record is not saved, and where: {said}"));
    }
    if place.disk.is_some() {
        let stated =
            said.lines().any(|line| line.contains("could not be saved") && line.contains(DISK));
        expect(stated, format!("the disk is full, and nothing says so: {said}"));
        let claimed = format!("\nRecord: {DISK}");
        expect(!said.contains(&claimed), format!("a record is claimed to be saved: {said}"));
    }
    if place.no_sys {
        for part in ["caches", "dimms"] {
            // CPUID may describe the caches, and not who shares them.
            let missing = &found.topology.missing;
            let mut reasons = missing.iter().filter(|(name, _)| name.starts_with(part));
            let stated = reasons.any(|(_, reason)| reason.to_string().contains("/sys"));
            expect(stated, format!("nothing says that {part} need /sys: {missing:?}"));
        }
    }
    if !machine.modules.is_empty() {
        // A hypervisor's modules need not be real: no finding, and no all-clear either.
        let verdict = list(&report["verdicts"]).iter().find(|v| v["rule"] == "dimm_below_rating");
        let right = verdict.is_some_and(|v| {
            v["verdict"] == "cannot_tell" && v["missing"]["why"].to_string().contains("hypervisor")
        });
        expect(right, format!("dimm_below_rating on emulated modules: {verdict:?}"));
    }
    wrong
}

fn is_probe(case: &Value, probe: &str) -> bool {
    case["case"]["probe"] == probe
}
