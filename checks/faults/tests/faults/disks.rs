//! Disks that are full, read-only or out of quota: the record goes to the next folder, or the report says that it is lost.
use crate::{
    alone::{After, alone, can_isolate},
    sandbox::{Sandbox, is_record, load, possible, reached},
};

/// A cheap run whose home, the folder `/run/disk`, this line prepares; `$user` runs it as another user.
fn run_on(prepare: &str, user: &str) -> Option<(After, Sandbox)> {
    if !can_isolate() {
        return None;
    }
    let sandbox = Sandbox::new();
    let line = format!(
        "chmod 777 . /run; mkdir /run/disk; {{ {prepare}; }} || exit 77
         {user} env XDG_DATA_HOME=/run/disk /run/cpulens run --only core_frequency; code=$?
         umount /run/disk; rm -rf /run/disk /run/image; (exit $code)"
    );
    let shell = format!("({line})");
    let after = alone(&sandbox, &shell, false);
    possible(&format!("no such disk: {}", after.said), after.code != 77).then_some((after, sandbox))
}

/// The record is complete in the working folder. A folder that was of no use from the beginning is named at once; a change of
/// folder during the run shows in the exit code, too.
#[track_caller]
fn moves(prepare: &str, user: &str, why: &str) {
    let Some((After { code, left, said }, sandbox)) = run_on(prepare, user) else { return };
    assert!(code == 4 || code == 0 && said.contains("the record goes to"), "{code}: {said}");
    assert_eq!(left, "", "{said}");
    assert!(said.contains("Core frequency") && said.contains(why), "{said}");
    let mut files = sandbox.everything();
    files.retain(|f| is_record(f));
    let [file] = &files[..] else { panic!("{files:?} {said}") };
    assert_eq!(reached(&load(file)), (3, 0));
}

const NOBODY: &str = "setpriv --reuid 65534 --regid 65534 --clear-groups";

#[test]
fn a_full_filesystem_moves_the_record() {
    for kib in [0, 4, 8] {
        let image = format!(
            "truncate -s 200k /run/image && mkfs.ext2 -q -m 0 /run/image 2>/dev/null &&
             mount -o loop /run/image /run/disk && cat /dev/zero > /run/disk/full 2>/dev/null;
             truncate -s -{kib}k /run/disk/full"
        );
        moves(&image, "", "No space left");
    }
    moves("mount -t tmpfs -o size=8k none /run/disk", "", "No space left");
}

#[test]
fn a_quota_moves_the_record() {
    let quota = "usrquota,usrquota_block_hardlimit=12k";
    let quota = format!("mount -t tmpfs -o {quota} none /run/disk && chmod 777 /run/disk");
    moves(&quota, NOBODY, "quota");
}

#[test]
fn a_read_only_filesystem_moves_the_record() {
    moves("mount -t tmpfs -o ro none /run/disk", "", "Read-only file system");
}
