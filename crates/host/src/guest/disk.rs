//! The memory disk that a guest boots from: a "newc" cpio archive, as the kernel's early-userspace documentation has it.
use cpio::{NewcBuilder, newc::ModeFileType};
use std::io;

/// An archive being written.
#[derive(Debug, Default)]
pub(super) struct Disk {
    bytes: Vec<u8>,
    files: u32,
}

impl Disk {
    pub(super) fn folder(&mut self, path: &str) -> io::Result<()> {
        let folder = NewcBuilder::new(path).mode(0o755).set_mode_file_type(ModeFileType::Directory);
        self.entry(folder, &[])
    }

    pub(super) fn program(&mut self, path: &str, content: &[u8]) -> io::Result<()> {
        let file = NewcBuilder::new(path).mode(0o755).set_mode_file_type(ModeFileType::Regular);
        self.entry(file, content)
    }

    /// The kernel opens /dev/console for its first process before anything is mounted.
    pub(super) fn console(&mut self) -> io::Result<()> {
        let console = NewcBuilder::new("dev/console").mode(0o600).rdev_major(5).rdev_minor(1);
        self.entry(console.set_mode_file_type(ModeFileType::Char), &[])
    }

    pub(super) fn finish(self) -> io::Result<Vec<u8>> {
        cpio::newc::trailer(self.bytes)
    }

    fn entry(&mut self, file: NewcBuilder, content: &[u8]) -> io::Result<()> {
        self.files += 1;
        let size = u32::try_from(content.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let mut writer = file.ino(self.files).write(&mut self.bytes, size);
        io::Write::write_all(&mut writer, content)?;
        writer.finish().map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand after the format: 110 bytes of header, the name and its end, padded to four; then the content.
    #[test]
    fn entries_are_as_the_kernel_documents_them() {
        let mut disk = Disk::default();
        disk.program("init", b"hello").unwrap();
        disk.console().unwrap();
        let bytes = disk.finish().unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert_eq!((&text[..14], &text[14..22]), ("07070100000001", "000081ed"));
        assert_eq!((&text[54..62], &text[94..102]), ("00000005", "00000005"));
        assert_eq!(&text[110..124], "init\0\0hello\0\0\0");
        let console = &text[124..];
        assert_eq!((&console[14..22], &console[78..94]), ("00002180", "0000000500000001"));
        assert!(text.contains("TRAILER!!!\0") && bytes.len() % 4 == 0);
    }
}
