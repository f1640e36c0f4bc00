//! The memory disk that a machine boots from: a "newc" cpio archive, as the kernel's early-userspace documentation has it.
use cpio::{NewcBuilder, newc::ModeFileType};
use std::io;

/// An archive being written.
#[derive(Debug, Default)]
pub(super) struct Archive {
    bytes: Vec<u8>,
    files: u32,
}

impl Archive {
    pub(super) fn folder(&mut self, path: &str) -> io::Result<()> {
        let folder = NewcBuilder::new(path).mode(0o755).set_mode_file_type(ModeFileType::Directory);
        self.entry(folder, &[])
    }

    pub(super) fn program(&mut self, path: &str, content: &[u8]) -> io::Result<()> {
        let file = NewcBuilder::new(path).mode(0o755).set_mode_file_type(ModeFileType::Regular);
        self.entry(file, content)
    }

    pub(super) fn text(&mut self, path: &str, content: &[u8]) -> io::Result<()> {
        let file = NewcBuilder::new(path).mode(0o644).set_mode_file_type(ModeFileType::Regular);
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
