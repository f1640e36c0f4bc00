//! Settings and counters beside the CPU's own that move results: memory errors, uncore frequency, the scheduler's variants,
//! page merging and reclaim, tuned's profile.
//! Source: Linux, Documentation/driver-api/edac.rst, admin-guide/pm/intel_uncore_frequency_scaling.rst, scheduler/sched-ext.rst,
//! admin-guide/mm/{ksm,zswap}.rst, admin-guide/mm/damon/usage.rst.
use crate::{
    evidence::Evidence,
    reading::{Files, Presence, Unavailable, absent, clean, listed},
};
use record::{Machine, Unit, Value};

/// More memory controllers, dies or monitors than any machine has.
const MOST: usize = 256;

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    let files = evidence.files;
    errors(files, machine);
    uncore(files, machine);
    scheduler(files, machine);
    memory(files, machine);
    profile(files, machine);
}

/// Errors that the memory controllers counted since their driver was loaded, and the modules that were concerned.
fn errors(files: Files<'_>, machine: &mut Machine) {
    const PLACE: &str = "/sys/devices/system/edac/mc";
    let ids = files.some(PLACE, "mc", MOST).into_iter();
    let controllers: Vec<String> = ids.map(|id| format!("{PLACE}/mc{id}")).collect();
    for (name, file) in
        [("memory.errors.corrected", "ce_count"), ("memory.errors.uncorrected", "ue_count")]
    {
        // A controller that does not say makes the sum unknown.
        let counts = controllers.iter().map(|dir| files.number(&format!("{dir}/{file}")).ok());
        let sum = counts.reduce(|a, b| a?.checked_add(b?));
        if let Some(sum) = sum.flatten() {
            machine.set_in(name, sum, Unit::Count, PLACE);
        }
    }
    let mut modules = vec![];
    for dir in &controllers {
        for kind in ["dimm", "rank"] {
            for at in files.some(dir, kind, 64) {
                let dir = format!("{dir}/{kind}{at}");
                let count = |file: &str| files.number(&format!("{dir}/dimm_{file}_count"));
                let (ce, ue) = (count("ce").unwrap_or(0), count("ue").unwrap_or(0));
                if (ce > 0 || ue > 0) && modules.len() < MOST {
                    let label = files.line(&format!("{dir}/dimm_label"));
                    let label: String = match label {
                        Ok(label) => label.chars().take(64).collect(),
                        Err(_) => dir[PLACE.len() + 1..].replace('/', " "),
                    };
                    modules.push(Value::Text(format!("{label}: {ce} corrected, {ue} not")));
                }
            }
        }
    }
    if !modules.is_empty() {
        machine.set("memory.errors.modules", Value::List(modules), PLACE);
    }
}

/// The frequency of mesh, last-level cache and memory controllers: limits of all dies, and what they run at.
fn uncore(files: Files<'_>, machine: &mut Machine) {
    const PLACE: &str = "/sys/devices/system/cpu/intel_uncore_frequency";
    let mut dies = files.0.list(PLACE).unwrap_or_default();
    dies.retain(|name| name.starts_with("package_"));
    dies.sort_unstable();
    let read = |file: &'static str| {
        let path = move |die| format!("{PLACE}/{die}/{file}_freq_khz");
        let all = dies.iter().take(MOST).filter_map(move |die| files.number(&path(die)).ok());
        all.filter(|khz| (100_000..=10_000_000).contains(khz))
    };
    for (name, khz) in [
        ("cpu.uncore.min", read("min").min()),
        ("cpu.uncore.max", read("max").max()),
        ("cpu.uncore.current", read("current").min()),
    ] {
        if let Some(khz) = khz {
            machine.set_in(name, khz as f64 * 1e3, Unit::Hertz, PLACE);
        }
    }
}

/// A scheduler that was loaded, and whether tasks of a process are gathered in a last-level cache.
fn scheduler(files: Files<'_>, machine: &mut Machine) {
    const EXT: &str = "/sys/kernel/sched_ext";
    files.fact(machine, "kernel.sched_ext", &format!("{EXT}/state"), Presence::IfThere);
    files.fact(machine, "kernel.sched_ext.ops", &format!("{EXT}/root/ops"), Presence::IfThere);
    const CACHE: &str = "/sys/kernel/debug/sched/llc_balancing/enabled";
    const NAME: &str = "kernel.cache_aware";
    match files.line(CACHE) {
        Ok(text) => machine.set(NAME, !["0", "N"].contains(&text.as_str()), CACHE),
        // debugfs is closed to all but root, whatever the kernel has in it.
        Err(Unavailable::Denied) if machine.flag("kernel.config.sched_cache") != Some(true) => {}
        Err(why) => absent(machine, NAME, &why, CACHE, Presence::IfThere),
    }
}

/// Page merging, compressed swap, and what DAMON does with pages.
fn memory(files: Files<'_>, machine: &mut Machine) {
    const KSM: &str = "/sys/kernel/mm/ksm/run";
    if let Ok(run) = files.number(KSM) {
        machine.set("memory.ksm", run == 1, KSM);
    }
    let switch = |path: &str| files.line(path).ok().map(|text| text == "Y" || text == "1");
    const ZSWAP: &str = "/sys/module/zswap/parameters/enabled";
    if let Some(on) = switch(ZSWAP) {
        machine.set("memory.zswap", on, ZSWAP);
    }
    const DAMON: &str = "/sys/kernel/mm/damon/admin/kdamonds";
    let mut working = vec![];
    let mut known = false;
    for id in files.some(DAMON, "", MOST) {
        let state = files.line(&format!("{DAMON}/{id}/state"));
        known |= state.is_ok();
        if state.as_deref() == Ok("on") {
            working.push(format!("kdamond {id}"));
        }
    }
    for module in ["reclaim", "lru_sort", "stat"] {
        let on = switch(&format!("/sys/module/damon_{module}/parameters/enabled"));
        known |= on.is_some();
        if on == Some(true) {
            working.push(module.into());
        }
    }
    known |= files.number(&format!("{DAMON}/nr_kdamonds")).is_ok();
    if known {
        let words = if working.is_empty() { "off".into() } else { working.join(", ") };
        machine.set("memory.damon", words, DAMON);
    }
}

/// tuned's profile by name where it is one that tuned brings; others have names of their owners.
fn profile(files: Files<'_>, machine: &mut Machine) {
    const PATH: &str = "/etc/tuned/active_profile";
    if let Ok(text) = files.line(PATH) {
        machine.set("os.tuned", impersonal(&text), PATH);
    }
}

/// Names of profiles, those that tuned does not bring replaced.
pub(crate) fn impersonal(profiles: &str) -> String {
    const BROUGHT: &str = include_str!("words/tuned_profiles.txt");
    let word = |word| if listed(BROUGHT, word) { word } else { "own" };
    clean(profiles).split_whitespace().take(16).map(word).collect::<Vec<_>>().join(" ")
}
