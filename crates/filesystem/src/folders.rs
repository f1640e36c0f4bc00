//! Properties of folders: filesystem, free space, and whether programs may be executed there. Files in memory. Source: statfs(2), statvfs(3), sync(2), memfd_create(2).
use rustix::fs::{self as sys, MemfdFlags, StatVfsMountFlags};
use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};

/// The filesystem of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filesystem {
    /// Its kind, such as `ext4`; the number of an unknown one.
    pub kind: String,
    /// Free bytes for this user.
    pub free: u64,
    /// Whether programs may be executed there.
    pub executes: bool,
}

/// Numbers of statfs(2) and linux/magic.h. ext2, ext3 and ext4 share one.
const KINDS: [(i64, &str); 12] = [
    (0xef53, "ext4"),
    (0x5846_5342, "xfs"),
    (0x9123_683e, "btrfs"),
    (0x0102_1994, "tmpfs"),
    (0x794c_7630, "overlay"),
    (0x6969, "nfs"),
    (0xf2f5_2010, "f2fs"),
    (0x2fc1_2fc1, "zfs"),
    (0x6573_5546, "fuse"),
    (0x0102_1997, "9p"),
    (0x8584_58f6, "ramfs"),
    (0xff53_4d42, "cifs"),
];

/// The filesystem of this folder.
pub fn filesystem(folder: &Path) -> io::Result<Filesystem> {
    let (raw, mount) = (sys::statfs(folder)?, sys::statvfs(folder)?);
    #[allow(clippy::unnecessary_cast, reason = "the types differ between architectures")]
    let (number, block, free) = (raw.f_type as i64, raw.f_bsize as u64, raw.f_bavail as u64);
    let known = KINDS.iter().find(|(n, _)| *n == number).map(|(_, kind)| (*kind).to_owned());
    Ok(Filesystem {
        kind: known.unwrap_or_else(|| format!("filesystem {number:#x}")),
        free: block.saturating_mul(free),
        executes: !mount.f_flag.contains(StatVfsMountFlags::NOEXEC),
    })
}

/// Writes all dirty data to disks, and waits for it.
pub fn write_back() {
    sys::sync();
}

/// A file in memory, executable where every folder forbids it. It exists as long as it is open.
pub fn in_memory(name: &str, bytes: &[u8]) -> io::Result<File> {
    let mut file = File::from(sys::memfd_create(name, MemfdFlags::CLOEXEC)?);
    file.write_all(bytes)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{io::Read, os::fd::AsRawFd};

    #[test]
    fn folders_are_on_something_and_missing_ones_are_not() {
        let here = filesystem(Path::new("/proc")).unwrap();
        assert!(here.kind.starts_with("filesystem 0x9fa0"), "{here:?}");
        assert!(filesystem(&std::env::temp_dir()).unwrap().free > 0);
        assert!(filesystem(Path::new("/no/such/folder")).is_err());
    }

    #[test]
    fn a_file_in_memory_can_be_read_by_its_descriptor() {
        let file = in_memory("x", b"one").unwrap();
        let mut text = String::new();
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        File::open(path).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "one");
    }
}
