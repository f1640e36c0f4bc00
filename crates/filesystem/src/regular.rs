//! Opens files that somebody names for reading, without waiting: a pipe with a name or a device could block for ever.
//! Source: open(2), statfs(2).
use rustix::fs::{self as sys, FileType, Mode, OFlags};
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// `PIPEFS_MAGIC` of linux/magic.h: a pipe without a name, which a shell made for `<(command)`.
const PIPEFS: i64 = 0x5049_5045;

/// Opens a regular file, or the pipe of a shell's `<(command)`.
///
/// # Errors
/// As open(2); `InvalidInput` that says what it is, for everything that is not a file.
pub fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = sys::open(path, flags, Mode::empty())?;
    let what = match FileType::from_raw_mode(sys::fstat(&file)?.st_mode) {
        FileType::RegularFile => return Ok(file.into()),
        FileType::Fifo if is_unnamed(&file) => {
            // To be waited for, as standard input is.
            sys::fcntl_setfl(&file, OFlags::empty())?;
            return Ok(file.into());
        }
        FileType::Directory => "a folder",
        FileType::Fifo => "a named pipe",
        FileType::CharacterDevice | FileType::BlockDevice => "a device",
        FileType::Socket => "a socket",
        _ => "something else",
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what}, not a file")))
}

/// The text of such a file, of this many bytes at most.
///
/// # Errors
/// As [`open`]; `InvalidData` for a longer file, and for one that is not UTF-8.
pub fn text(path: &Path, most: u64) -> io::Result<String> {
    let mut text = String::new();
    if open(path)?.take(most + 1).read_to_string(&mut text)? as u64 > most {
        let why = format!("it is longer than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    Ok(text)
}

fn is_unnamed(file: &impl std::os::fd::AsFd) -> bool {
    #[allow(clippy::unnecessary_cast, reason = "the type differs between architectures")]
    sys::fstatfs(file).is_ok_and(|on| on.f_type as i64 == PIPEFS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::{Read, Write},
        os::fd::AsRawFd,
    };

    #[test]
    fn files_and_a_shells_pipes_are_opened_and_others_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "text").unwrap();
        let mut text = String::new();
        open(&at("file")).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "text");
        assert_eq!(super::text(&at("file"), 4).unwrap(), "text");
        assert!(super::text(&at("file"), 3).unwrap_err().to_string().contains("longer than 3"));
        sys::mkfifoat(sys::CWD, at("pipe"), Mode::RUSR | Mode::WUSR).unwrap();
        let named =
            [(at("pipe"), "named pipe"), (at(""), "folder"), ("/dev/null".into(), "device")];
        for (path, what) in named {
            assert!(open(&path).unwrap_err().to_string().contains(what), "{}", path.display());
        }
        let (read, mut write) = io::pipe().unwrap();
        let path = format!("/proc/self/fd/{}", read.as_raw_fd());
        let mut opened = open(Path::new(&path)).unwrap();
        let writer = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            write.write_all(b"late").unwrap();
        });
        let mut late = [0; 4];
        opened.read_exact(&mut late).unwrap();
        writer.join().unwrap();
        assert_eq!(&late, b"late");
    }
}
