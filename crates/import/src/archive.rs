//! Files inside a tar, a gzipped tar or one gzipped file, in memory and bounded: nothing is unpacked onto a disk.
//!
//! Source: POSIX.1-2024, pax (ustar); RFC 1952.
use crate::found::Problem;
use crate::text::MAX_BYTES;
use flate2::read::MultiGzDecoder;
use std::io::{self, Read as _};

/// The largest archive that is read, unpacked.
pub const MAX_ARCHIVE: usize = 256 << 20;
/// The most files of one archive.
const MOST_FILES: usize = 4_000;
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
    let damaged = |e: io::Error| Problem::whole(format!("the archive is damaged: {e}"));
    let mut files = vec![];
    for entry in tar::Archive::new(bytes).entries().map_err(damaged)? {
        let entry = entry.map_err(damaged)?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        if files.len() == MOST_FILES {
            return Err(Problem::whole(format!("it holds more than {MOST_FILES} files")));
        }
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let (size, mut content) = (entry.size(), vec![]);
        // Longer than any importer reads: its name is kept and refused there.
        let read = entry.take(MAX_BYTES as u64 + 1).read_to_end(&mut content).map_err(damaged)?;
        if (read as u64) < size.min(MAX_BYTES as u64 + 1) {
            return Err(Problem::whole("the archive is cut short"));
        }
        files.push((name, content));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BLOCK: usize = 512;

    fn packed(files: &[(&str, tar::EntryType, &str)]) -> Vec<u8> {
        let mut all = tar::Builder::new(vec![]);
        for (name, kind, content) in files {
            let mut head = tar::Header::new_gnu();
            head.set_entry_type(*kind);
            head.set_size(content.len() as u64);
            all.append_data(&mut head, name, content.as_bytes()).unwrap();
        }
        all.into_inner().unwrap()
    }

    #[test]
    fn files_are_listed_and_others_left_out() {
        // Names of more than 100 bytes have an entry of their own before the file's.
        let long = format!("a/{}/long.txt", "b".repeat(120));
        let tar = packed(&[
            ("a/lscpu.txt", tar::EntryType::Regular, "CPU(s): 2"),
            ("a/link", tar::EntryType::Symlink, ""),
            (&long, tar::EntryType::Regular, "x"),
        ]);
        let files = members("x.tar", &tar).unwrap();
        let names: Vec<&str> = files.iter().map(|(name, _)| &**name).collect();
        assert_eq!(
            (names, files[0].1.as_slice()),
            (vec!["a/lscpu.txt", &*long], &b"CPU(s): 2"[..])
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
