//! Hashes the sources of this crate, so that a record says which machine code made its numbers.
use sha2::{Digest, Sha256};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    let mut files = Vec::new();
    collect(Path::new("src"), &mut files)?;
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        // Name and length keep two files from trading text across their border.
        let text = fs::read(&file)?;
        hash.update(file.to_string_lossy().as_bytes());
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    let digits: String = hash.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect();
    println!("cargo::rustc-env=KERNELS_SOURCE_HASH={digits}");
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
