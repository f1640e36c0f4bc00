//! Files inside a tar, a gzipped tar or one gzipped file, in memory and bounded: nothing is unpacked onto a disk.
//!
//! Source: POSIX.1-2024, pax (ustar); GNU tar's long names; RFC 1952.
use crate::found::Problem;
use crate::text::MAX_BYTES;
use flate2::read::MultiGzDecoder;
use std::io::Read as _;

/// The largest archive that is read, unpacked.
pub const MAX_ARCHIVE: usize = 256 << 20;
/// The most files of one archive.
const MOST_FILES: usize = 4_000;
const BLOCK: usize = 512;
const GZIP: &[u8] = &[0x1f, 0x8b];
const USTAR: &[u8] = b"ustar";

/// A file's name and its bytes.
pub type Member = (String, Vec<u8>);

/// Whether bytes begin as an archive does.
pub fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(GZIP) || bytes.get(257..262) == Some(USTAR)
}

/// The files in an archive with their names. What is no file (links, folders, devices) is left out.
///
/// # Errors
/// If it is damaged, or unpacks to more than is read.
pub fn members(name: &str, bytes: &[u8]) -> Result<Vec<Member>, Problem> {
    if bytes.starts_with(GZIP) {
        let mut unpacked = vec![];
        let mut from = MultiGzDecoder::new(bytes).take(MAX_ARCHIVE as u64 + 1);
        from.read_to_end(&mut unpacked).map_err(|e| Problem::whole(format!("gzip: {e}")))?;
        if unpacked.len() > MAX_ARCHIVE {
            return Err(Problem::whole(format!("it unpacks to more than {MAX_ARCHIVE} bytes")));
        }
        let inside = name.strip_suffix(".gz").unwrap_or(name).to_owned();
        return match is_one(&unpacked) {
            true => tar(&unpacked),
            false => Ok(vec![(inside, unpacked)]),
        };
    }
    tar(bytes)
}

fn tar(bytes: &[u8]) -> Result<Vec<Member>, Problem> {
    let cut = || Problem::whole("the archive is cut short or damaged");
    let (mut files, mut at, mut long) = (vec![], 0, None);
    while let Some(head) = bytes.get(at..at + BLOCK).filter(|head| head[0] != 0) {
        let size = octal(&head[124..136]).filter(|n| *n <= bytes.len()).ok_or_else(cut)?;
        let content = bytes.get(at + BLOCK..at + BLOCK + size).ok_or_else(cut)?;
        at += BLOCK + size.div_ceil(BLOCK) * BLOCK;
        match head[156] {
            b'L' => long = Some(text(content)),
            b'0' | 0 => {
                let name = long.take().unwrap_or_else(|| text(&head[..100]));
                // Longer than any importer reads: its name is kept and refused there.
                files.push((name, content[..size.min(MAX_BYTES + 1)].to_vec()));
            }
            b'x' | b'g' => {}
            _ => long = None,
        }
        if files.len() > MOST_FILES {
            return Err(Problem::whole(format!("it holds more than {MOST_FILES} files")));
        }
    }
    Ok(files)
}

fn octal(field: &[u8]) -> Option<usize> {
    let digits = text(field);
    usize::from_str_radix(digits.trim(), 8).ok()
}

/// Up to the first zero.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A tar as POSIX describes it: heads and contents in blocks, two empty blocks at the end.
    fn packed(files: &[(&str, u8, &str)]) -> Vec<u8> {
        let mut all = vec![];
        for (name, kind, content) in files {
            let mut head = [0u8; BLOCK];
            head[..name.len()].copy_from_slice(name.as_bytes());
            head[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
            head[156] = *kind;
            head[257..262].copy_from_slice(b"ustar");
            all.extend(head);
            all.extend(content.as_bytes());
            all.resize(all.len().div_ceil(BLOCK) * BLOCK, 0);
        }
        all.resize(all.len() + 2 * BLOCK, 0);
        all
    }

    #[test]
    fn files_are_listed_and_others_left_out() {
        let tar = packed(&[
            ("a/lscpu.txt", b'0', "CPU(s): 2"),
            ("a/link", b'2', ""),
            ("././@LongLink", b'L', "a/long.txt\0"),
            ("a/lo", b'0', "x"),
        ]);
        let files = members("x.tar", &tar).unwrap();
        let names: Vec<&str> = files.iter().map(|(name, _)| &**name).collect();
        assert_eq!(
            (names, files[0].1.as_slice()),
            (vec!["a/lscpu.txt", "a/long.txt"], &b"CPU(s): 2"[..])
        );
        assert!(is_one(&tar) && !is_one(b"CPU(s): 2"));
        assert!(members("x.tar", &tar[..BLOCK + 5]).is_err(), "cut short");
        use std::io::Write as _;
        let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
        gzip.write_all(b"CPU(s): 2").unwrap();
        let one = members("lscpu.txt.gz", &gzip.finish().unwrap()).unwrap();
        assert_eq!(one, [("lscpu.txt".to_owned(), b"CPU(s): 2".to_vec())]);
    }

    proptest! {
        #[test]
        fn any_bytes_survive(mut bytes in proptest::collection::vec(any::<u8>(), 0..2048)) {
            _ = members("x", &bytes);
            if bytes.len() > 262 {
                bytes[257..262].copy_from_slice(b"ustar");
            }
            _ = members("x", &bytes);
        }
    }
}
