//! Both sides at once, each in a control group of its own, of which one is frozen while the other runs: what the host does
//! meets both alike, and copies of one side are beside each other and never beside the other's.
//!
//! Time goes on for the side that is frozen, so that counts over CPU time can be compared, and rates only as far as both had the same
//! half of it. Limits: root, and a freezer: control groups of version 2, or of version 1 with `freezer` and `cpuacct`. Caches
//! are refilled in each turn.
use crate::{
    call::{Call, CallResult},
    shared::RestoreOnExit,
};
use std::{
    fs,
    path::{Path, PathBuf},
    thread::{scope, sleep},
    time::Duration,
};
use xtask::tree::read;

/// The time that one side runs before the other's turn.
const TURN: Duration = Duration::from_millis(50);
/// Looking whether all of a group has come to rest, and how often at most: who waits for a disk (sync(2)) rests only then, and
/// nobody else's turn comes meanwhile.
const GLANCE: Duration = Duration::from_micros(100);
const GLANCES: usize = 600_000;
/// Glances after which a group goes on for a moment: a parent that waits for its vfork(2) child does not rest before that runs
/// another program, which a child at rest never does.
const STUCK: usize = 50;
/// Tries to take an emptied group away, a hundredth of a second each.
const TRIES: usize = 1000;
/// Above the sides, which are round-robin threads of priority 20, so that turns are of one length.
const ABOVE: &str = "60";

/// A control group, gone with all that is in it when dropped, or when this program is.
#[derive(Debug)]
struct Group {
    /// Its folders: one, or those of both controllers.
    folders: Vec<PathBuf>,
    _gone: RestoreOnExit,
}

impl Group {
    fn new(name: &str) -> Result<Group, String> {
        let root = Path::new("/sys/fs/cgroup");
        let parents = match root.join("cgroup.controllers").exists() {
            true => vec![root.to_owned()],
            false => vec![root.join("freezer"), root.join("cpuacct")],
        };
        let folders: Vec<PathBuf> = parents.iter().map(|p| p.join(name)).collect();
        for folder in &folders {
            fs::create_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        let words: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
        let (all, first) = (words.join(" "), &words[0]);
        // Ending takes being thawed, and what just ended may still be leaving the group.
        let _gone = RestoreOnExit::start(&format!(
            "for f in {all}; do\n\
             while read -r p; do kill -9 $p; done < $f/cgroup.procs\n\
             [ -e $f/cgroup.freeze ] && echo 0 > $f/cgroup.freeze\n\
             [ -e $f/freezer.state ] && echo THAWED > $f/freezer.state\ndone 2> /dev/null\n\
             for i in $(seq {TRIES}); do rmdir {all} 2> /dev/null; [ -e {first} ] || exit 0; sleep 0.01; done; exit 1"
        ))?;
        Ok(Group { folders, _gone })
    }
    fn file(&self, name: &str) -> Option<PathBuf> {
        self.folders.iter().map(|f| f.join(name)).find(|f| f.exists())
    }
    /// The lists of its processes.
    fn lists(&self) -> Vec<PathBuf> {
        self.folders.iter().map(|f| f.join("cgroup.procs")).collect()
    }
    fn frozen(&self, frozen: bool) -> Result<(), String> {
        let (file, word, state, rest) = match self.file("cgroup.freeze") {
            Some(file) => (file, ["0", "1"], self.file("cgroup.events"), "frozen 1"),
            None => {
                let file = self.file("freezer.state").ok_or("no freezer in /sys/fs/cgroup")?;
                (file.clone(), ["THAWED", "FROZEN"], Some(file), "FROZEN")
            }
        };
        let set =
            |word: &str| fs::write(&file, word).map_err(|e| format!("{}: {e}", file.display()));
        set(word[usize::from(frozen)])?;
        let Some(state) = state.filter(|_| frozen) else { return Ok(()) };
        for glance in 1..=GLANCES {
            if read(&state)?.lines().any(|line| line == rest) {
                return Ok(());
            }
            if glance % STUCK == 0 {
                set(word[0])?;
                sleep(GLANCE);
                set(word[1])?;
            }
            sleep(GLANCE);
        }
        Err(format!("{} does not come to rest", file.display()))
    }
    /// Seconds of CPU of all that was ever in it.
    fn used(&self) -> Result<f64, String> {
        let (file, key, unit) = match self.file("cpu.stat").filter(|_| self.folders.len() == 1) {
            Some(file) => (file, "usage_usec ", 1e6),
            None => (self.file("cpuacct.usage").ok_or("no cpuacct in /sys/fs/cgroup")?, "", 1e9),
        };
        let text = read(&file)?;
        let number = text.lines().find_map(|l| l.strip_prefix(key)?.parse::<f64>().ok());
        number.map(|n| n / unit).ok_or_else(|| format!("{}: {text}", file.display()))
    }
}

/// Runs both to their ends, in turns: what came of each, and the seconds of CPU that it used with all it started.
pub(crate) fn both(sides: [Call; 2]) -> Result<[(CallResult, f64); 2], String> {
    let groups = [Group::new("bench.ours")?, Group::new("bench.theirs")?];
    for group in &groups {
        group.frozen(true)?;
    }
    let [ours, theirs] = sides;
    let calls = [ours.inside(&groups[0].lists()), theirs.inside(&groups[1].lists())];
    scope(|scope| {
        let running = calls.each_ref().map(|call| scope.spawn(|| call.clone().in_turn().run()));
        let lifted = raise(true);
        let mut turn = 0;
        let mut failed = None;
        while running.iter().any(|side| !side.is_finished()) && failed.is_none() {
            let next = groups[1 - turn].frozen(true).and_then(|()| groups[turn].frozen(false));
            failed = next.err();
            sleep(TURN);
            turn = 1 - turn;
        }
        // Whatever became of it: what is frozen cannot end.
        let thawed = groups.each_ref().map(|group| group.frozen(false));
        let lowered = raise(false);
        let ended = running.map(|side| side.join().map_err(|_| "a side panicked".to_owned())?);
        for result in [lifted, failed.map_or(Ok(()), Err), lowered].into_iter().chain(thawed) {
            result?;
        }
        let [ours, theirs] = ended;
        Ok([(ours?, groups[0].used()?), (theirs?, groups[1].used()?)])
    })
}

/// Makes this thread, which deals out turns, real-time, or ordinary again.
fn raise(up: bool) -> Result<(), String> {
    let own = std::process::id().to_string();
    let how: &[&str] = if up { &["-f", "-p", ABOVE, &own] } else { &["-o", "-p", "0", &own] };
    Call::new(&[&["chrt"], how].concat()).done(&[0]).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Needs control groups and real-time threads.
    #[test]
    fn both_run_to_their_ends_and_leave_no_group() {
        let spin = |word: &str| {
            let script = format!("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo {word}");
            Call::new(&["sh", "-c", &script])
        };
        let able = Call::new(&["chrt", "-r", "20", "true"]).done(&[0]);
        if able.is_err() || Group::new("bench.able").is_err() {
            return;
        }
        let [(ours, one), (theirs, other)] = both([spin("ours"), spin("theirs")]).unwrap();
        assert_eq!((&*ours.text, &*theirs.text), ("ours\n", "theirs\n"));
        assert!(one > 0.0 && other > 0.0);
        assert!(Group::new("bench.ours").is_ok(), "the group was left");
    }

    /// Needs control groups; the numbers are the kernel's.
    #[test]
    fn a_frozen_group_waits_and_one_that_ran_has_used_its_cpu() {
        let Ok(group) = Group::new("bench.test") else { return };
        let spin = "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; echo done";
        let call = Call::new(&["sh", "-c", spin]).inside(&group.lists());
        if group.frozen(true).is_err() {
            return;
        }
        let ran = scope(|scope| {
            let running = scope.spawn(|| call.run());
            sleep(Duration::from_millis(300));
            assert!(!running.is_finished());
            group.frozen(false).unwrap();
            running.join().unwrap().unwrap()
        });
        assert_eq!(ran.text, "done\n");
        assert!(group.used().unwrap() > 0.0);
        let folders = group.folders.clone();
        drop(group);
        assert!(folders.iter().all(|f| !f.exists()));
    }

    /// Needs control groups. The supervisor acts in the same way when this program is killed.
    #[test]
    fn who_is_frozen_does_not_outlive_the_group() {
        let Ok(group) = Group::new("bench.left") else { return };
        let call = Call::new(&["sleep", "1000"]).inside(&group.lists());
        let folders = group.folders.clone();
        let ran = scope(|scope| {
            let running = scope.spawn(|| call.run());
            let list = group.lists().remove(0);
            while read(&list).unwrap().is_empty() {
                sleep(GLANCE);
            }
            if group.frozen(true).is_err() {
                println!("skipped: no freezer");
            }
            drop(group);
            running.join().unwrap().unwrap()
        });
        assert_eq!(ran.code, None, "it ended by itself: {ran:?}");
        assert!(folders.iter().all(|f| !f.exists()));
    }
}
