//! What a supervisor does when we are gone, however we went: it removes a folder, a control group, or a module of the kernel.
//! Source: rmdir(2), delete_module(2); nothing is called but what signal-safety(7) lists, and delete_module.
use super::{Refused, candidates, errno, leave, reap, supervised::Waiting};
use std::{
    ffi::{CStr, CString, OsStr},
    io,
    os::unix::ffi::OsStrExt,
    path::Path,
    ptr,
};

/// Tells a supervisor to leave everything as it is.
pub(super) const KEEP: u8 = b'k';
/// How often it is tried: somebody who is about to end may still write into the folder, be in the group, or hold the module.
const TRIES: u32 = 50;
/// Nanoseconds between two tries.
const BETWEEN: libc::c_long = 100_000_000;
/// Where `rm` is looked for, whatever `PATH` says.
const FOLDERS: &str = "/bin:/usr/bin:/usr/local/bin";

/// Removes something when this is dropped, or when this process is gone.
#[derive(Debug)]
pub struct Cleanup(Waiting);

impl Cleanup {
    /// A supervisor over that folder and all that is in it.
    ///
    /// # Errors
    /// There can be no further process, or no program `rm`.
    pub fn of_folder(folder: &Path) -> Result<Cleanup, Refused> {
        let name = c_string(folder)?;
        let files: Vec<CString> = candidates(&c"rm".to_owned(), OsStr::new(FOLDERS))
            .into_iter()
            .filter(|file| Path::new(OsStr::from_bytes(file.as_bytes())).exists())
            .collect();
        let Some(rm) = files.first() else {
            return Err(Refused::ours(
                "guard a folder",
                &io::Error::other("there is no program rm"),
            ));
        };
        let words = [rm.as_ptr(), c"-rf".as_ptr(), c"--".as_ptr(), name.as_ptr(), ptr::null()];
        Waiting::to(Last::Folder(&words)).map(Cleanup)
    }
    /// A supervisor over a control group, whose folder goes once no process is in it; then a file is told something.
    ///
    /// # Errors
    /// There can be no further process.
    pub(crate) fn of_group(folder: &Path, then: Option<(&Path, &str)>) -> Result<Cleanup, Refused> {
        let folder = c_string(folder)?;
        let file = then.map(|(file, _)| c_string(file)).transpose()?;
        let then = file.as_deref().zip(then.map(|(_, text)| text.as_bytes()));
        Waiting::to(Last::Group { folder: &folder, then }).map(Cleanup)
    }
    /// A supervisor over a module of the kernel.
    ///
    /// # Errors
    /// There can be no further process.
    pub(crate) fn of_module(name: &CStr) -> Result<Cleanup, Refused> {
        Waiting::to(Last::Module(name)).map(Cleanup)
    }
    /// Ends it: everything stays as it is.
    pub fn keep(mut self) {
        self.0.keep();
    }
}

impl Drop for Cleanup {
    fn drop(&mut self) {
        self.0.finish();
    }
}

fn c_string(path: &Path) -> Result<CString, Refused> {
    let name = CString::new(path.as_os_str().as_bytes());
    name.map_err(|_| Refused::ours("guard a folder", &io::Error::other("a zero byte in its name")))
}

/// What is done in the end. All of it was made before there was a supervisor, which may not allocate.
#[derive(Clone, Copy)]
pub(super) enum Last<'a> {
    Nothing,
    /// `rm` and its arguments.
    Folder(&'a [*const libc::c_char]),
    /// A control group, and what is written where once it is gone.
    Group {
        folder: &'a CStr,
        then: Option<(&'a CStr, &'a [u8])>,
    },
    /// The name of a module.
    Module(&'a CStr),
}

impl Last<'_> {
    /// Does it, as often as it takes within some seconds.
    pub(super) fn done(self) {
        for _ in 0..TRIES {
            if self.tried() {
                break;
            }
            let time = libc::timespec { tv_sec: 0, tv_nsec: BETWEEN };
            // SAFETY: reads one timespec, and what is left of it is not asked for.
            unsafe { libc::nanosleep(&raw const time, ptr::null_mut()) };
        }
    }
    /// Whether there is nothing left to do.
    fn tried(self) -> bool {
        match self {
            Last::Nothing => true,
            Last::Folder(words) => removed(words),
            Last::Group { folder, then } => {
                // SAFETY: reads a string that ends with a zero byte.
                let done = unsafe { libc::rmdir(folder.as_ptr()) } == 0 || errno() == libc::ENOENT;
                if let (true, Some((file, text))) = (done, then) {
                    tell(file, text);
                }
                done
            }
            Last::Module(name) => {
                // SAFETY: takes a string that ends with a zero byte and an integer; without O_TRUNC the kernel unloads
                // nothing that is in use.
                let done = unsafe {
                    libc::syscall(libc::SYS_delete_module, name.as_ptr(), libc::O_NONBLOCK)
                };
                done == 0 || errno() == libc::ENOENT
            }
        }
    }
}

/// Writes to a file that is there.
fn tell(file: &CStr, text: &[u8]) {
    // SAFETY: reads a string that ends with a zero byte.
    let descriptor = unsafe { libc::open(file.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC) };
    if descriptor < 0 {
        return;
    }
    // SAFETY: reads as many bytes as the slice has.
    unsafe { libc::write(descriptor, text.as_ptr().cast(), text.len()) };
    // SAFETY: a descriptor of ours that nobody uses any more.
    unsafe { libc::close(descriptor) };
}

/// Whether `rm` ran and was content.
fn removed(words: &[*const libc::c_char]) -> bool {
    // SAFETY: the child makes one system call, or ends.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        let none = [ptr::null::<libc::c_char>()];
        // SAFETY: the strings live and the arrays end with a null pointer.
        unsafe { libc::execve(words[0], words.as_ptr(), none.as_ptr()) };
        leave(1);
    }
    pid > 0 && reap(pid, 0) == Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_goes_when_its_guardian_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let supervised = folder.path().join("-rf x"); // a name that rm could misread
        fs::create_dir_all(supervised.join("deep")).unwrap();
        fs::write(supervised.join("deep/file"), "x").unwrap();
        drop(Cleanup::of_folder(&supervised).unwrap());
        assert!(!supervised.exists() && folder.path().exists());
        fs::create_dir(&supervised).unwrap();
        Cleanup::of_folder(&supervised).unwrap().keep();
        assert!(supervised.exists());
    }

    #[test]
    fn a_group_goes_and_then_its_parent_is_told() {
        let outer = tempfile::tempdir().unwrap();
        let (group, control) = (outer.path().join("group"), outer.path().join("control"));
        fs::create_dir(&group).unwrap();
        fs::write(&control, "").unwrap();
        Cleanup::of_group(&group, Some((&control, "-cpuset"))).unwrap().keep();
        assert!(group.exists());
        drop(Cleanup::of_group(&group, Some((&control, "-cpuset"))).unwrap());
        assert!(!group.exists());
        assert_eq!(fs::read_to_string(&control).unwrap(), "-cpuset");
        // One that is gone already keeps nobody waiting.
        drop(Cleanup::of_group(&group, None).unwrap());
    }

    /// Who may not unload, or has no such module, is done with it at once or after some tries; nothing else happens.
    #[test]
    fn a_module_that_nobody_has_is_gone() {
        let name = c"cpulens_no_such_module";
        let gone = Last::Module(name).tried();
        // SAFETY: takes nothing and returns an integer.
        let root = unsafe { libc::geteuid() } == 0;
        assert!(gone || !root || errno() == libc::EPERM || errno() == libc::ENOSYS);
    }
}
