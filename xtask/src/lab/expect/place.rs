//! What a hard place must lead to: the report comes out, and says what is missing and what would mend it.
use super::{Complaints, inventory::usable, list, words};
use crate::lab::machine::Machine;
use serde_json::Value;

/// The inventory and the report of a run in this place, and what the run said on its error output.
pub(super) fn check(machine: &Machine, info: &Value, report: &Value, said: &str) -> Complaints {
    let place = &machine.place;
    let mut wrong = Complaints::new();
    let mut expect = |true_: bool, what: String| {
        if !true_ {
            wrong.push(what);
        }
    };
    let judgement = &report["judgement"];
    let reasons = || list(&judgement["reasons"]).iter().filter_map(|r| words(&r["why"]));
    expect(words(&judgement["validity"]).is_some(), format!("no verdict on validity: {judgement}"));
    expect(!list(&report["estimates"]).is_empty(), "the report holds no estimate".into());

    if usable(machine).len() == 1 {
        let skipped = list(&report["not_measured"]).iter().find(|c| is_probe(c, "core_to_core"));
        let reason = skipped.map(|c| &c["outcome"]["skipped"]);
        let told =
            reason.is_some_and(|r| words(&r["why"]).is_some() && words(&r["remedy"]).is_some());
        expect(
            told,
            format!("one CPU, yet core_to_core is not skipped with a reason: {skipped:?}"),
        );
    }
    if let Some((cpu, _)) = place.taken_away {
        // Whoever needs all CPUs cannot be measured any more, and says which one is missing; the others go on.
        let name = format!("CPU {cpu}");
        let told = |c: &&Value| {
            let why = &c["outcome"]["failed"];
            words(&why["why"]).is_some_and(|w| w.contains(&name)) && words(&why["remedy"]).is_some()
        };
        let failed: Vec<&Value> = list(&report["not_measured"]).iter().filter(told).collect();
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
    if let Some(cpuset) = place.cpuset {
        let told = reasons().any(|why| why.contains("may be used"));
        expect(
            told,
            format!("only CPUs {cpuset} may be used, and validity does not say so: {judgement}"),
        );
        expect(judgement["validity"] != "valid", "a cpuset of one CPU is called valid".into());
    }
    if let Some(memory) = place.memory {
        let limit = info["facts"]["limits.memory"]["value"].as_u64();
        let bytes = memory.strip_suffix('M').and_then(|n| n.parse::<u64>().ok()).map(|n| n << 20);
        expect(limit == bytes, format!("the memory limit is {memory}, and info says {limit:?}"));
    }
    if place.readonly {
        let told = said.contains("not saved") && said.contains("/.local/share/cpulens/records");
        expect(told, format!("nothing says that the record is not saved, and where: {said}"));
    }
    if place.disk.is_some() {
        let told = said.lines().any(|line| {
            line.contains("could not be saved") && line.contains(super::super::job::DISK)
        });
        expect(told, format!("the disk is full, and nothing says so: {said}"));
        expect(!said.contains("\nRecord: "), format!("a record is claimed to be saved: {said}"));
    }
    if place.nosys {
        for part in ["caches", "dimms"] {
            let missing = list(&info["topology"]["missing"]);
            // CPUID may describe the caches, and not who shares them.
            let of = |m: &&Value| m[0].as_str().is_some_and(|name| name.starts_with(part));
            let told = missing.iter().filter(of).any(|m| m[1].to_string().contains("/sys"));
            expect(told, format!("nothing says that {part} need /sys: {missing:?}"));
        }
    }
    if !machine.hardware.modules.is_empty() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::machine;
    use serde_json::json;

    fn report() -> Value {
        json!({
            "judgement": {"validity": "doubtful", "reasons": [{"why": "Only 1 of 4 online CPUs may be used"}]},
            "estimates": [{}],
            "not_measured": [{"case": {"probe": "core_to_core"},
                              "outcome": {"skipped": {"why": "one CPU", "remedy": "allow more"}}}],
        })
    }

    #[test]
    fn a_cpuset_must_be_told() {
        let machine = machine("cpuset-one").unwrap();
        assert_eq!(check(&machine, &json!({}), &report(), ""), Complaints::new());
        for lie in
            ["/judgement/validity", "/judgement/reasons/0/why", "/not_measured", "/estimates"]
        {
            let mut report = report();
            *report.pointer_mut(lie).unwrap() = json!(null);
            assert!(!check(&machine, &json!({}), &report, "").is_empty(), "{lie}");
        }
    }

    #[test]
    fn a_cpu_that_goes_offline_must_be_told() {
        let machine = machine("cpu-taken-away").unwrap();
        let mut report = report();
        report["estimates"] = json!([{"probe": "bandwidth", "params": {"threads": "one"}}]);
        report["not_measured"] = json!([{"case": {"probe": "bandwidth", "params": {"threads": "all"}},
            "outcome": {"failed": {"why": "CPU 3 cannot be used", "remedy": "choose others"}}}]);
        assert_eq!(check(&machine, &json!({}), &report, ""), Complaints::new());
        for lie in [
            "/estimates/0/params/threads",
            "/not_measured/0/outcome/failed/why",
            "/not_measured/0/outcome/failed/remedy",
            "/not_measured/0/case/params/threads",
        ] {
            let mut report = report.clone();
            *report.pointer_mut(lie).unwrap() = json!(null);
            assert!(!check(&machine, &json!({}), &report, "").is_empty(), "{lie}");
        }
    }

    #[test]
    fn a_record_that_is_not_saved_must_be_told() {
        let disk = machine("full-disk").unwrap();
        let told =
            "cpulens: the record could not be saved as /data/x: No space left; measuring goes on";
        assert_eq!(check(&disk, &json!({}), &report(), told), Complaints::new());
        assert!(!check(&disk, &json!({}), &report(), "").is_empty());
        assert!(
            !check(&disk, &json!({}), &report(), &format!("{told}\nRecord: /data/x")).is_empty()
        );
        let readonly = machine("readonly-root").unwrap();
        let told = "the record is not saved: cannot write in /.local/share/cpulens/records";
        assert_eq!(check(&readonly, &json!({}), &report(), told), Complaints::new());
        assert!(!check(&readonly, &json!({}), &report(), "").is_empty());
    }
}
