//! The initramfs of a guest: a "newc" cpio archive (kernel: Documentation/driver-api/early-userspace).
use cpio::{NewcBuilder, newc::ModeFileType};
use std::io::{self, Cursor};

/// An archive under construction.
#[derive(Default)]
pub(super) struct Disk(Vec<(NewcBuilder, Cursor<Vec<u8>>)>);

impl Disk {
    pub(super) fn folder(&mut self, path: &str) {
        self.add(path, 0o755, ModeFileType::Directory, vec![]);
    }

    pub(super) fn program(&mut self, path: &str, content: Vec<u8>) {
        self.add(path, 0o755, ModeFileType::Regular, content);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand after the format: 110 bytes of header, the name and its end, padded to four; then the content.
    #[test]
    fn entries_are_as_the_kernel_documents_them() {
        let mut disk = Disk::default();
        disk.program("init", b"hello".to_vec());
        disk.console();
        let bytes = disk.finish().unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert_eq!((&text[..14], &text[14..22]), ("07070100000000", "000081ed"));
        assert_eq!((&text[54..62], &text[94..102]), ("00000005", "00000005"));
        assert_eq!(&text[110..124], "init\0\0hello\0\0\0");
        let console = &text[124..];
        assert_eq!((&console[14..22], &console[78..94]), ("00002180", "0000000500000001"));
        assert!(text.contains("TRAILER!!!\0") && bytes.len() % 4 == 0);
    }
}
