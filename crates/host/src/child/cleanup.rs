//! Cleanup by a supervisor process once this process has ended, even by SIGKILL: it removes a folder, a control group or a
//! kernel module, or ends processes. Source: rmdir(2), delete_module(2). It makes system calls only, and allocates nothing.
use super::{Refused, c_string, candidates, guard::Processes, leave, reap, supervised::Supervisor};
use rustix::{
    fs::{self as sys, Mode, OFlags},
    io::Errno,
    system::delete_module,
};
use std::{
    ffi::{CStr, CString, OsStr},
    io,
    os::unix::ffi::OsStrExt,
    path::Path,
    ptr,
};

/// The byte that cancels a cleanup.
pub(super) const CANCEL: u8 = b'k';
/// Attempts: an ending process may still write into the folder, be in the group, or hold the module.
const TRIES: u32 = 50;
/// Nanoseconds between two attempts.
const BETWEEN: libc::c_long = 100_000_000;
/// Folders in which `rm` is looked for, independent of `PATH`.
const FOLDERS: &str = "/bin:/usr/bin:/usr/local/bin";

/// Removes something when this is dropped, or when this process has ended.
#[derive(Debug)]
pub struct Cleanup(Supervisor);

impl Cleanup {
    /// Will remove a folder with its contents.
    pub fn of_folder(folder: &Path) -> Result<Cleanup, Refused> {
        let name = c_string(folder)?;
        let files: Vec<CString> = candidates(&c"rm".to_owned(), OsStr::new(FOLDERS))
            .into_iter()
            .filter(|file| Path::new(OsStr::from_bytes(file.as_bytes())).exists())
            .collect();
        let Some(rm) = files.first() else {
            return Err(Refused::ours(
                "clean up a folder",
                &io::Error::other("there is no program rm"),
            ));
        };
        let words = [rm.as_ptr(), c"-rf".as_ptr(), c"--".as_ptr(), name.as_ptr(), ptr::null()];
        Supervisor::start(Last::Folder(&words)).map(Cleanup)
    }
    /// Will remove a control group once it is empty, and then write a text to a file.
    pub(crate) fn of_group(folder: &Path, then: Option<(&Path, &str)>) -> Result<Cleanup, Refused> {
        let folder = c_string(folder)?;
        let file = then.map(|(file, _)| c_string(file)).transpose()?;
        let then = file.as_deref().zip(then.map(|(_, text)| text.as_bytes()));
        Supervisor::start(Last::Group { folder: &folder, then }).map(Cleanup)
    }
    /// Will unload a kernel module.
    pub(crate) fn of_module(name: &CStr) -> Result<Cleanup, Refused> {
        Supervisor::start(Last::Module(name)).map(Cleanup)
    }
    /// Ends the supervisor; nothing is removed.
    pub fn cancel(mut self) {
        self.0.cancel();
    }
}

impl Drop for Cleanup {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// The files to remove. Allocated before the fork, since the supervisor may not allocate.
#[derive(Clone, Copy)]
pub(super) enum Last<'a> {
    Nothing,
    /// `rm` and its arguments.
    Folder(&'a [*const libc::c_char]),
    /// A control group, and a file with the text to write once the group is gone.
    Group {
        folder: &'a CStr,
        then: Option<(&'a CStr, &'a [u8])>,
    },
    /// The name of a module.
    Module(&'a CStr),
    /// Commands and what they started.
    Processes(Processes<'a>),
}

impl Last<'_> {
    /// Tries for some seconds.
    pub(super) fn run(self) {
        for _ in 0..TRIES {
            if self.attempt() {
                break;
            }
            let time = libc::timespec { tv_sec: 0, tv_nsec: BETWEEN };
            // SAFETY: reads one timespec, and what is left of it is not asked for.
            unsafe { libc::nanosleep(&raw const time, ptr::null_mut()) };
        }
    }
    /// One attempt; whether nothing is left to do.
    fn attempt(self) -> bool {
        match self {
            Last::Nothing => true,
            Last::Folder(words) => removed(words),
            Last::Group { folder, then } => {
                let done = matches!(sys::rmdir(folder), Ok(()) | Err(Errno::NOENT));
                if let (true, Some((file, text))) = (done, then) {
                    write_to(file, text);
                }
                done
            }
            // Nothing that is in use is unloaded.
            Last::Module(name) => {
                matches!(delete_module(name, libc::O_NONBLOCK), Ok(()) | Err(Errno::NOENT))
            }
            Last::Processes(processes) => processes.attempt(),
        }
    }
}

/// Writes to an existing file.
pub(super) fn write_to(file: &CStr, text: &[u8]) {
    if let Ok(file) = sys::open(file, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty()) {
        // One that is refused is tried again.
        let _ = rustix::io::write(file, text);
    }
}

/// Runs `rm`; whether it succeeded.
fn removed(words: &[*const libc::c_char]) -> bool {
    // SAFETY: the child makes one system call, or ends.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        let none = [ptr::null::<libc::c_char>()];
        // SAFETY: the strings live and the arrays end with a null pointer.
        unsafe { libc::execve(words[0], words.as_ptr(), none.as_ptr()) };
        leave(1);
    }
    pid > 0 && reap(pid, 0) == Some((pid, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_is_removed_when_its_cleanup_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let supervised = folder.path().join("-rf x"); // a name that rm could misread
        fs::create_dir_all(supervised.join("deep")).unwrap();
        fs::write(supervised.join("deep/file"), "x").unwrap();
        drop(Cleanup::of_folder(&supervised).unwrap());
        assert!(!supervised.exists() && folder.path().exists());
        fs::create_dir(&supervised).unwrap();
        Cleanup::of_folder(&supervised).unwrap().cancel();
        assert!(supervised.exists());
    }

    #[test]
    fn a_group_is_removed_and_then_its_parent_changed() {
        let outer = tempfile::tempdir().unwrap();
        let (group, control) = (outer.path().join("group"), outer.path().join("control"));
        fs::create_dir(&group).unwrap();
        fs::write(&control, "").unwrap();
        Cleanup::of_group(&group, Some((&control, "-cpuset"))).unwrap().cancel();
        assert!(group.exists());
        drop(Cleanup::of_group(&group, Some((&control, "-cpuset"))).unwrap());
        assert!(!group.exists());
        assert_eq!(fs::read_to_string(&control).unwrap(), "-cpuset");
        // A group that is gone already costs no wait.
        drop(Cleanup::of_group(&group, None).unwrap());
    }

    #[test]
    fn a_module_that_does_not_exist_counts_as_unloaded() {
        let name = c"cpulens_no_such_module";
        let gone = Last::Module(name).attempt();
        let root = rustix::process::geteuid().is_root();
        let why = delete_module(name, libc::O_NONBLOCK);
        assert!(gone || !root || matches!(why, Err(Errno::PERM | Errno::NOSYS)));
    }
}
