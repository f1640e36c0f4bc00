//! Other inputs of a comparison: outputs of other tools, read as `import` reads them, and the JSON of `stat`.
use crate::{files, named};
use anyhow::{Result, anyhow};
use import::Gathered;
use record::{LoadError, Machine, ProbeId, Provenance, Record, Run};

/// Reads a record, or imports one. `bytes` is a buffer that many files share.
pub fn load(name: &str, bytes: &mut Vec<u8>) -> Result<Record> {
    if let Some(named) = name.strip_prefix(named::PREFIX) {
        return named::load(named);
    }
    files::bytes_into(name, bytes)?;
    let error = match record::from_slice(bytes) {
        Ok(record) => return Ok(record),
        Err(error) => error,
    };
    if let Some(run) = counted(bytes) {
        return Ok(Record::new(provenance("cpulens stat"), Machine::default(), vec![run]));
    }
    // A broken record is no output of another tool, even if an importer recognises it.
    let foreign = matches!(error, LoadError::NotJson(_) | LoadError::NotARecord(_));
    if foreign && bytes.len() <= import::MAX_BYTES {
        let mut gathered = Gathered::default();
        if gathered.add(name, bytes).is_ok() {
            return Ok(gathered.record(provenance("cpulens import")));
        }
    }
    Err(anyhow!("{} {error}", files::shown(name)))
}

/// The run in the document of `stat --format json`; `None` for anything else. Its analysis is computed again.
pub fn counted(bytes: &[u8]) -> Option<Run> {
    let document: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    document.get("stat")?.as_u64()?;
    let run: Run = serde_json::from_value(document.get("run")?.clone()).ok()?;
    Some(run).filter(|run| run.case.probe == ProbeId::Stat)
}

fn provenance(tool: &str) -> Provenance {
    Provenance {
        tool: tool.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        ..Provenance::default()
    }
}
