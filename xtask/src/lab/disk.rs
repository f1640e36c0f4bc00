//! The memory disk that a machine boots from: a "newc" cpio archive, as the kernel's early-userspace documentation has it.
use cpio::{NewcBuilder, newc::ModeFileType};
use std::io::{self, Cursor};

/// An archive being put together.
#[derive(Default)]
pub(super) struct Archive(Vec<(NewcBuilder, Cursor<Vec<u8>>)>);

impl Archive {
    pub(super) fn folder(&mut self, path: &str) {
        self.add(path, 0o755, ModeFileType::Directory, vec![]);
    }

    pub(super) fn program(&mut self, path: &str, content: Vec<u8>) {
        self.add(path, 0o755, ModeFileType::Regular, content);
    }

    pub(super) fn text(&mut self, path: &str, content: Vec<u8>) {
        self.add(path, 0o644, ModeFileType::Regular, content);
    }

    /// The kernel opens /dev/console for its first process before anything is mounted.
    pub(super) fn console(&mut self) {
        let console = NewcBuilder::new("dev/console").mode(0o600).rdev_major(5).rdev_minor(1);
        self.0.push((console.set_mode_file_type(ModeFileType::Char), Cursor::default()));
    }

    pub(super) fn finish(self) -> io::Result<Vec<u8>> {
        cpio::write_cpio(self.0.into_iter(), vec![])
    }

    fn add(&mut self, path: &str, mode: u32, kind: ModeFileType, content: Vec<u8>) {
        let file = NewcBuilder::new(path).mode(mode).set_mode_file_type(kind);
        self.0.push((file, Cursor::new(content)));
    }
}
