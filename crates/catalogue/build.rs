//! Deflates the reference machines and their contradictions: a quarter of their size in the program.
use std::{env, error::Error, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src/machines");
    println!("cargo::rerun-if-changed=src/warnings.json");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let machines = fs::read_dir("src/machines")?.map(|entry| entry.map(|e| e.path()));
    for file in machines.chain([Ok("src/warnings.json".into())]) {
        let file = file?;
        if let (Some("json"), Some(name)) =
            (file.extension().and_then(|e| e.to_str()), file.file_stem())
        {
            let deflated = miniz_oxide::deflate::compress_to_vec(&fs::read(&file)?, 9);
            fs::write(out.join(name).with_extension("deflated"), deflated)?;
        }
    }
    Ok(())
}
