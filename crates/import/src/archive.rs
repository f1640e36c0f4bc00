//! Files inside a zip, a tar, and a tar or one file packed with gzip or Zstandard, in memory and bounded: nothing is unpacked onto
//! a disk.
//!
//! Source: POSIX.1-2024, pax (ustar); RFC 1952; RFC 8878; PKWARE, APPNOTE.
use crate::found::Problem;
use crate::text::MAX_BYTES;
use flate2::bufread::DeflateDecoder;
use flate2::read::MultiGzDecoder;
use rawzip::{CompressionMethod, ZipArchive, ZipFileHeaderRecord, ZipSliceArchive};
use std::fmt::Display;
use std::io::{self, Read};

/// The largest archive that is read, unpacked.
pub const MAX_ARCHIVE: usize = 256 << 20;
/// The most files of one archive.
const MOST_FILES: usize = 4_000;
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const USTAR: &[u8] = b"ustar";
/// A file's head, or of an empty one the end of the archive.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// A file's name and its bytes, or why they cannot be had.
pub type Member = (String, Result<Vec<u8>, Problem>);

/// Whether bytes begin as an archive does.
pub fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(GZIP) || bytes.starts_with(ZSTANDARD) || is_zip(bytes) || is_tar(bytes)
}

fn is_zip(bytes: &[u8]) -> bool {
    ZIP.iter().any(|start| bytes.starts_with(start))
}

fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(USTAR)
}

/// The files in an archive with their names. What is no file (links, folders, devices) is left out.
///
/// # Errors
/// If it is damaged, or unpacks to more than is read.
pub fn members(name: &str, bytes: &[u8]) -> Result<Vec<Member>, Problem> {
    if is_zip(bytes) {
        return zip(bytes, MAX_ARCHIVE);
    }
    let unpacked = if bytes.starts_with(GZIP) {
        gunzipped(bytes)?
    } else if bytes.starts_with(ZSTANDARD) {
        let plain = record::plain(bytes).map_err(|e| Problem::whole(format!("zstd: it {e}")))?;
        plain.into_owned()
    } else {
        return tar(bytes);
    };
    let inside = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(name).to_owned();
    match is_tar(&unpacked) {
        true => tar(&unpacked),
        false => Ok(vec![(inside, Ok(unpacked))]),
    }
}

fn gunzipped(bytes: &[u8]) -> Result<Vec<u8>, Problem> {
    let mut unpacked = vec![];
    let mut from = MultiGzDecoder::new(bytes).take(MAX_ARCHIVE as u64 + 1);
    from.read_to_end(&mut unpacked).map_err(|e| Problem::whole(format!("gzip: {e}")))?;
    if unpacked.len() > MAX_ARCHIVE { Err(too_large()) } else { Ok(unpacked) }
}

fn too_large() -> Problem {
    Problem::whole(format!("it unpacks to more than {MAX_ARCHIVE} bytes"))
}

fn damaged(why: impl Display) -> Problem {
    Problem::whole(format!("the archive is damaged: {why}"))
}

/// Another file, if there may be one more.
fn keep(
    files: &mut Vec<Member>,
    name: &[u8],
    content: Result<Vec<u8>, Problem>,
) -> Result<(), Problem> {
    if files.len() == MOST_FILES {
        return Err(Problem::whole(format!("it holds more than {MOST_FILES} files")));
    }
    files.push((String::from_utf8_lossy(name).into_owned(), content));
    Ok(())
}

/// A file's bytes; of one that is longer than any importer reads enough to be refused there by its name.
fn content(from: impl Read) -> io::Result<Vec<u8>> {
    let mut content = vec![];
    from.take(MAX_BYTES as u64 + 1).read_to_end(&mut content)?;
    Ok(content)
}

fn tar(bytes: &[u8]) -> Result<Vec<Member>, Problem> {
    let mut files = vec![];
    for entry in tar::Archive::new(bytes).entries().map_err(damaged)? {
        let entry = entry.map_err(damaged)?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let (size, name) = (entry.size(), entry.path_bytes().into_owned());
        let content = content(entry).map_err(damaged)?;
        if (content.len() as u64) < size.min(MAX_BYTES as u64 + 1) {
            return Err(Problem::whole("the archive is cut short"));
        }
        keep(&mut files, &name, Ok(content))?;
    }
    Ok(files)
}

fn zip(bytes: &[u8], most: usize) -> Result<Vec<Member>, Problem> {
    let archive = ZipArchive::from_slice(bytes).map_err(damaged)?;
    let (mut files, mut all) = (vec![], 0);
    for entry in archive.entries() {
        let entry = entry.map_err(damaged)?;
        if entry.is_dir() || entry.mode().is_symlink() {
            continue;
        }
        let content = unzipped(&archive, &entry);
        all += content.as_ref().map_or(0, Vec::len);
        if all > most {
            return Err(too_large());
        }
        keep(&mut files, entry.file_path().as_bytes(), content)?;
    }
    Ok(files)
}

fn unzipped(
    archive: &ZipSliceArchive<&[u8]>,
    entry: &ZipFileHeaderRecord<'_>,
) -> Result<Vec<u8>, Problem> {
    Problem::when(entry.flags().is_encrypted(), "it is encrypted; unpack it first")?;
    let stored = archive.get_entry(entry.wayfinder()).map_err(damaged)?;
    let content = match entry.compression_method() {
        CompressionMethod::STORE => content(stored.verifying_reader(stored.data())),
        CompressionMethod::DEFLATE => {
            content(stored.verifying_reader(DeflateDecoder::new(stored.data())))
        }
        other => {
            let why = format!("its compression ({other}) is not read; unpack it first");
            return Err(Problem::whole(why));
        }
    };
    content.map_err(damaged)
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
            (names, files[0].1.as_deref()),
            (vec!["a/lscpu.txt", &*long], Ok(&b"CPU(s): 2"[..]))
        );
        assert!(is_one(&tar) && !is_one(b"CPU(s): 2"));
        assert!(members("x.tar", &tar[..BLOCK + 5]).is_err(), "cut short");
        use std::io::Write as _;
        let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
        gzip.write_all(b"CPU(s): 2").unwrap();
        let one = members("lscpu.txt.gz", &gzip.finish().unwrap()).unwrap();
        assert_eq!(one, [("lscpu.txt".to_owned(), Ok(b"CPU(s): 2".to_vec()))]);
        let packed = record::compressed(&tar);
        assert!(is_one(&packed) && members("x.tar.zst", &packed).unwrap().len() == 2);
        assert!(members("x.tar.zst", &packed[..packed.len() - 3]).is_err(), "cut short");
        assert_eq!(members("lscpu.txt.zst", &record::compressed(b"CPU(s): 2")).unwrap(), one);
    }

    fn zipped(files: &[(&str, CompressionMethod, &[u8])]) -> Vec<u8> {
        use std::io::Write as _;
        let mut bytes = vec![];
        let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
        archive.new_dir("a/").create().unwrap();
        for (name, method, content) in files {
            let (mut entry, config) =
                archive.new_file(name).compression_method(*method).start().unwrap();
            let deflates = *method == CompressionMethod::DEFLATE;
            let level = flate2::Compression::new(if deflates { 6 } else { 0 });
            let descriptor = if deflates {
                let mut to = config.wrap(flate2::write::DeflateEncoder::new(&mut entry, level));
                to.write_all(content).unwrap();
                let (encoder, descriptor) = to.finish().unwrap();
                encoder.finish().unwrap();
                descriptor
            } else {
                let mut to = config.wrap(&mut entry);
                to.write_all(content).unwrap();
                to.finish().unwrap().1
            };
            entry.finish(descriptor).unwrap();
        }
        archive.finish().unwrap();
        bytes
    }

    #[test]
    fn files_of_a_zip_are_listed_and_bounded() {
        let (store, deflate) = (CompressionMethod::STORE, CompressionMethod::DEFLATE);
        let text = b"CPU(s): 2".as_slice();
        let bytes = zipped(&[("a/lscpu.txt", deflate, text), ("a/b.txt", store, text)]);
        let files = members("x.zip", &bytes).unwrap();
        let expected = ["a/lscpu.txt", "a/b.txt"].map(|name| (name.to_owned(), Ok(text.to_vec())));
        assert_eq!(files, expected);
        assert!(is_one(&bytes));
        assert_eq!(members("x.zip", &zipped(&[])).map(|files| files.len()), Ok(0));
        assert!(members("x.zip", &bytes[..bytes.len() / 2]).is_err(), "cut short");
        // A file's bytes that are not those it was made of.
        let at = bytes.windows(text.len()).position(|part| part == text).unwrap();
        let mut other = bytes.clone();
        other[at] ^= 1;
        let files = members("x.zip", &other).unwrap();
        assert!(files[0].1.is_ok() && files[1].1.is_err(), "{files:?}");
        let files = members("x.zip", &zipped(&[("c", CompressionMethod::XZ, text)])).unwrap();
        let why = files[0].1.as_ref().unwrap_err().to_string();
        assert!(why.contains("not read"), "{why}");
        // Files that together unpack to more than is read.
        let zeros = vec![0; 1 << 16];
        let bomb = zipped(&[("z", deflate, zeros.as_slice()); 3]);
        assert!(bomb.len() < zeros.len() / 100);
        assert_eq!(zip(&bomb, 3 << 16).map(|files| files.len()), Ok(3));
        let why = zip(&bomb, (3 << 16) - 1).unwrap_err().to_string();
        assert!(why.contains("unpacks to more than"), "{why}");
    }

    proptest! {
        #[test]
        fn any_bytes_survive(mut bytes in proptest::collection::vec(any::<u8>(), 0..2048)) {
            _ = members("x", &bytes);
            if bytes.len() > 262 {
                bytes[257..262].copy_from_slice(b"ustar");
                _ = members("x", &bytes);
                let end = zipped(&[("z", CompressionMethod::STORE, b"12")]);
                bytes[..4].copy_from_slice(ZIP[0]);
                bytes.extend(end);
            }
            _ = members("x", &bytes);
        }
    }
}
