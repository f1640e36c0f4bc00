//! The memory disk a machine boots from: a "newc" cpio archive (kernel: Documentation/driver-api/early-userspace).

/// An archive being written.
#[derive(Debug, Default)]
pub(super) struct Archive {
    bytes: Vec<u8>,
    files: u32,
}

const FOLDER: u32 = 0o040_755;
const PROGRAM: u32 = 0o100_755;
const TEXT: u32 = 0o100_644;
const TERMINAL: u32 = 0o020_600;

impl Archive {
    pub(super) fn folder(&mut self, path: &str) {
        self.entry(path, FOLDER, (0, 0), &[]);
    }

    pub(super) fn program(&mut self, path: &str, content: &[u8]) {
        self.entry(path, PROGRAM, (0, 0), content);
    }

    pub(super) fn text(&mut self, path: &str, content: &[u8]) {
        self.entry(path, TEXT, (0, 0), content);
    }

    /// The kernel opens /dev/console for its first process before anything is mounted.
    pub(super) fn console(&mut self) {
        self.entry("dev/console", TERMINAL, (5, 1), &[]);
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.entry("TRAILER!!!", 0, (0, 0), &[]);
        self.bytes
    }

    fn entry(&mut self, path: &str, mode: u32, device: (u32, u32), content: &[u8]) {
        self.files += 1;
        // The format's sizes are 32 bits; a program of 4 GB would not fit the machine either.
        let size = u32::try_from(content.len()).unwrap_or(u32::MAX);
        let name = u32::try_from(path.len() + 1).unwrap_or(u32::MAX);
        let (major, minor) = device;
        let fields = [self.files, mode, 0, 0, 1, 0, size, 0, 0, major, minor, name, 0]
            .map(|f| format!("{f:08X}"));
        self.bytes.extend_from_slice(b"070701");
        self.bytes.extend_from_slice(fields.concat().as_bytes());
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

    #[test]
    fn entries_are_as_the_kernel_documents_them() {
        let mut archive = Archive::default();
        archive.text("a", b"hello");
        let bytes = archive.finish();
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert_eq!(&text[..14], "07070100000001");
        assert_eq!(&text[14..22], "000081A4");
        assert_eq!(&text[54..62], "00000005");
        assert_eq!(&text[94..102], "00000002");
        // 110 bytes of header, the name and its end, padded to 112.
        assert_eq!(&text[110..112], "a\0");
        assert_eq!(&text[112..120], "hello\0\0\0");
        assert_eq!(&text[120..126], "070701");
        assert!(text[230..].starts_with("TRAILER!!!\0"));
        assert_eq!(bytes.len() % 4, 0);
    }
}
