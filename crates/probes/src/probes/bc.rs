//! Time of the installed `bc`: arbitrary-precision integer arithmetic in one thread.
//!
//! Method: `pow` is `7^999999`, a number of 845,098 digits; `pi` is `scale=5000; 4*a(1)` with `bc -l`; both with
//! `BC_LINE_LENGTH=0`. Copies start together, each pinned to its own CPU. A shell pipeline compares the checksum
//! (`pow`) or length (`pi`) of the output, so a wrong result is no result. `elapsed`: until the last copy ended.
//! `cpu_time`: CPU seconds of a copy with its shell, mean over copies. One run, three at thorough depth.
//! Limits: it measures the installed program; its version is recorded, and different versions or builds are not
//! comparable. A run takes 8 to 22 s, so it is planned at thorough depth and by name only.
//! Source: GNU bc; the commands are those that comparisons of
//! servers are published with (`echo "7^999999" | bc`).
use crate::prelude::*;
use host::{
    child::{GroupResult, ProcessGroup, Program, Status},
    programs,
};

/// Seconds that the installed bc takes.
pub static PROBE: Probe =
    Probe { lacks, ..Probe::new(320, 1, "Long arithmetic of the installed bc", cases, run) };

const REMEDY: &str = "apt install bc";
/// Seconds after which a copy has hung: the slowest server that figures are known of takes 40.
const HUNG: f64 = 1200.0;

/// The shell's commands, which succeed if the result is right. The checksum and length of 7^999999 and a line's end are
/// arithmetic; pi has 5000 digits behind its point.
const TASKS: [(&str, &str); 2] = [
    ("pow", r#"[ "$(echo '7^999999' | BC_LINE_LENGTH=0 bc | cksum)" = '2942549777 845099' ]"#),
    ("pi", r#"[ "$(echo 'scale=5000; 4*a(1)' | BC_LINE_LENGTH=0 bc -l | wc -c)" -eq 5003 ]"#),
];

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    if setting.depth < Depth::Thorough && !setting.is_named(ProbeId::Bc) {
        return Ok(vec![]);
    }
    let mut cases = vec![];
    for (copies, cpus) in placement_check::thread_counts(setting) {
        for (task, _) in TASKS {
            let runs = f64::from(runs(setting.depth));
            let params = [param::TASK.set(task), param::ONE_OR_ALL_COPIES.set(copies)];
            cases.push(setting.case(cpus.clone(), &params, 20.0 * runs));
        }
    }
    Ok(cases)
}

fn lacks(_case: &Case) -> Option<Reason> {
    programs::first_line(&["bc", "--version"], REMEDY).err()
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let version = programs::first_line(&["bc", "--version"], REMEDY)?;
    let task = case.get(param::TASK).unwrap_or_default();
    let (_, command) = TASKS
        .iter()
        .find(|(name, _)| *name == task)
        .ok_or_else(|| Reason::new(format!("bc has no task {task}")))?;
    let runs = runs(bench.depth);
    let (mut elapsed, mut cpu) = (vec![], vec![]);
    for run in 0..runs {
        let mut processes = ProcessGroup::new()?;
        for id in case.place.cpus.iter() {
            let here: CpuSet = [id].into_iter().collect();
            let program = Program::new(&["sh", "-c", command])?;
            processes.hold(&program.quiet().on(here))?;
        }
        let seconds = seconds(&processes.run(bench.clock, Some(HUNG))?)?;
        elapsed.push(seconds.0);
        cpu.push(seconds.1);
        if !bench.done(f64::from(run + 1) / f64::from(runs)) {
            break;
        }
    }
    let series = |metric, samples| Series {
        samples,
        steps: 1,
        variant: Some(version.clone()),
        ..Series::new(metric, Unit::Seconds, Better::Lower)
    };
    Ok(vec![series("elapsed", elapsed), series("cpu_time", cpu)])
}

fn runs(depth: Depth) -> u32 {
    depth.pick(1, 1, 3)
}

/// Seconds from the first start to the last end, and seconds of CPU per copy.
fn seconds(done: &GroupResult) -> Result<(f64, f64), Reason> {
    if done.timed_out {
        return Err(Reason::new(format!("bc had not ended after {HUNG} s and was stopped")));
    }
    if let Some(bad) = done.ended.iter().find(|e| e.status != Status::Exited(0)) {
        return Err(Reason::mended_by(
            format!(
                "bc printed another result than it should (the shell says {})",
                bad.status.code()
            ),
            "install GNU bc; sh, wc and cksum are needed, too",
        ));
    }
    let cpu: f64 = done.ended.iter().map(|e| e.used.cpu_seconds).sum();
    match done.ended.len() {
        0 => Err(Reason::new("no copy of bc ran")),
        copies => Ok((done.elapsed(), cpu / copies as f64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::child::Ended;
    use record::Machine;

    fn ended(began: f64, ended: f64, cpu_seconds: f64, status: Status) -> Ended {
        let used = host::usage::Usage { cpu_seconds, ..Default::default() };
        Ended { pid: 1, status, began, ended, used, queue: None }
    }

    #[test]
    fn elapsed_is_until_the_last_and_cpu_time_that_of_a_copy() {
        let ok = Status::Exited(0);
        let both = vec![ended(1.0, 5.0, 3.0, ok), ended(1.5, 8.0, 5.0, ok)];
        assert_eq!(seconds(&GroupResult { ended: both, ..GroupResult::default() }), Ok((7.0, 4.0)));
        assert!(seconds(&GroupResult::default()).is_err());
    }

    #[test]
    fn a_wrong_result_and_one_that_never_comes_are_none() {
        let all =
            vec![ended(0.0, 1.0, 1.0, Status::Exited(0)), ended(0.0, 1.0, 1.0, Status::Exited(1))];
        let wrong = seconds(&GroupResult { ended: all, ..GroupResult::default() }).unwrap_err();
        assert!(wrong.why.contains("another result") && wrong.remedy.is_some());
        assert!(
            seconds(&GroupResult { timed_out: true, ..GroupResult::default() })
                .unwrap_err()
                .why
                .contains("stopped")
        );
    }

    #[test]
    fn it_is_planned_at_thorough_depth_or_when_named() {
        let mut machine = Machine::default();
        for id in 0..4 {
            let siblings = [id].into_iter().collect();
            let (online, allowed) = (true, true);
            let cpu = record::Cpu { id, online, allowed, siblings, ..record::Cpu::default() };
            machine.topology.cpus.push(cpu);
        }
        let count = |depth, named: &[ProbeId]| {
            let mut setting = Setting::new(&machine, machine.topology.usable(), depth);
            setting.options.named = named.to_vec();
            cases(&setting).unwrap().len()
        };
        assert_eq!((count(Depth::Quick, &[]), count(Depth::Quick, &[ProbeId::Bc])), (0, 4));
        assert_eq!((count(Depth::Standard, &[]), count(Depth::Thorough, &[])), (0, 4));
    }
}
