//! The memory disk that a guest boots from: a "newc" cpio archive, as the kernel's early-userspace documentation has it.

/// An archive being written.
#[derive(Debug, Default)]
pub(super) struct Disk {
    bytes: Vec<u8>,
    files: u32,
}

const FOLDER: u32 = 0o040_755;
const PROGRAM: u32 = 0o100_755;
const TERMINAL: u32 = 0o020_600;

impl Disk {
    pub(super) fn folder(&mut self, path: &str) {
        self.entry(path, FOLDER, (0, 0), &[]);
    }

    pub(super) fn program(&mut self, path: &str, content: &[u8]) {
        self.entry(path, PROGRAM, (0, 0), content);
    }

    /// The kernel opens /dev/console for its first process before anything is mounted.
    pub(super) fn console(&mut self) {
        self.entry("dev/console", TERMINAL, (5, 1), &[]);
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.entry("TRAILER!!!", 0, (0, 0), &[]);
        self.bytes
    }

    fn entry(&mut self, path: &str, mode: u32, (major, minor): (u32, u32), content: &[u8]) {
        self.files += 1;
        let fields = [
            self.files,
            mode,
            0,
            0,
            1,
            0,
            // The format's sizes are 32 bits; a program of 4 GB would not fit the guest either.
            u32::try_from(content.len()).unwrap_or(u32::MAX),
            0,
            0,
            major,
            minor,
            path.len() as u32 + 1,
            0,
        ];
        self.bytes.extend_from_slice(b"070701");
        for field in fields {
            self.bytes.extend_from_slice(format!("{field:08X}").as_bytes());
        }
        self.bytes.extend_from_slice(path.as_bytes());
        self.bytes.push(0);
        self.pad();
        self.bytes.extend_from_slice(content);
        self.pad();
    }

    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand after the format: 110 bytes of header, the name and its end, padded to four; then the content.
    #[test]
    fn entries_are_as_the_kernel_documents_them() {
        let mut disk = Disk::default();
        disk.program("init", b"hello");
        disk.console();
        let bytes = disk.finish();
        let text = String::from_utf8_lossy(&bytes);
        assert_eq!((&text[..14], &text[14..22]), ("07070100000001", "000081ED"));
        assert_eq!((&text[54..62], &text[94..102]), ("00000005", "00000005"));
        assert_eq!(&text[110..124], "init\0\0hello\0\0\0");
        let console = &text[124..];
        assert_eq!((&console[14..22], &console[78..94]), ("00002180", "0000000500000001"));
        assert!(text.contains("TRAILER!!!\0") && bytes.len() % 4 == 0);
    }
}
