//! Deflates the reference machines and their contradictions, to a quarter of their size in the program, and lists the machines.
use std::{collections::BTreeSet, env, error::Error, fs, io, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src/machines");
    println!("cargo::rerun-if-changed=src/warnings.json");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let deflate = |file: PathBuf| -> io::Result<String> {
        let name = file.file_stem().ok_or(io::ErrorKind::InvalidFilename)?.display().to_string();
        let deflated = miniz_oxide::deflate::compress_to_vec(&fs::read(&file)?, 9);
        fs::write(out.join(format!("{name}.deflated")), deflated)?;
        Ok(name)
    };
    deflate("src/warnings.json".into())?;
    let files = fs::read_dir("src/machines")?.map(|entry| deflate(entry?.path()));
    let row = |name: &String| format!("    ({name:?}, include_bytes!(\"{name}.deflated\")),\n");
    let rows: String = files.collect::<io::Result<BTreeSet<_>>>()?.iter().map(row).collect();
    fs::write(out.join("machines.rs"), format!("&[\n{rows}]\n"))?;
    Ok(())
}
