//! A fleet: records like one that was measured, each of a machine of its own. Samples, frequencies and reference samples are moved by a
//! factor of the machine, one of the series and one of each sample; some facts differ between every few machines.
use record::{FactValue, Outcome, Record, Value};
use stats::rng::Rng;
use std::path::Path;
use xtask::tree;

/// Machines differ by up to 10 %, their series by as much again, the samples of a series by 1 %.
const MACHINE: f64 = 0.1;
const SERIES: f64 = 0.1;
const SAMPLE: f64 = 0.01;

/// Writes so many records into the folder and returns their files.
pub(super) fn write(folder: &Path, record: &Record, count: usize) -> Result<Vec<String>, String> {
    tree::make(folder)?;
    let mut files = vec![];
    for number in 0..count {
        let file = folder.join(format!("m{number:04}.json"));
        let bytes = record::to_vec(&machine(record, number as u64)).map_err(|e| e.to_string())?;
        tree::write(&file, bytes)?;
        files.push(file.display().to_string());
    }
    Ok(files)
}

/// The record of one machine: the same fleet at every run.
fn machine(like: &Record, number: u64) -> Record {
    let mut record = like.clone();
    let mut random = Rng::new(number);
    let mut about = move |spread: f64| 1.0 + spread * (2.0 * random.uniform() - 1.0);
    let whole = about(MACHINE);
    record.provenance.name = Some(format!("machine {number}"));
    // Machines of a fleet come in a few kinds, and a few kernels.
    for (name, kinds) in [("memory.total", 4), ("cpu.microcode", 6), ("kernel.release", 3)] {
        match record.machine.facts.get_mut(name).map(|fact| &mut fact.known) {
            Some(FactValue::Value(Value::Integer(n))) => *n += number % kinds,
            Some(FactValue::Value(Value::Text(text))) => *text += &format!("-{}", number % kinds),
            _ => {}
        }
    }
    let mut scale = |numbers: &mut Vec<f64>, by: f64| {
        numbers.iter_mut().for_each(|x| *x *= by * about(SAMPLE));
    };
    for run in &mut record.runs {
        let Outcome::Measured(all) = &mut run.outcome else { continue };
        for (n, series) in all.iter_mut().enumerate() {
            // Another factor for each series, whatever the number of samples.
            let by = 1.0 + SERIES * (2.0 * Rng::new(number ^ (n as u64) << 32).uniform() - 1.0);
            scale(&mut series.samples, whole * by);
        }
    }
    for sample in &mut record.reference_samples {
        scale(&mut sample.frequency, whole);
        scale(&mut sample.chase, whole);
    }
    record
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn machines_are_alike_and_none_is_another() {
        let file = tree::root().join("fixtures/records/v1");
        let file = tree::entries(&file).into_iter().find(|f| {
            fs::read(f)
                .is_ok_and(|bytes| record::from_slice(&bytes).is_ok_and(|r| r.runs.len() > 3))
        });
        let like = record::from_slice(&fs::read(file.unwrap()).unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let files = write(folder.path(), &like, 3).unwrap();
        let read = |file: &String| record::from_slice(&fs::read(file).unwrap()).unwrap();
        assert_eq!(files.len(), 3);
        assert!(read(&files[0]) != read(&files[1]) && read(&files[1]) != read(&files[2]));
        assert_eq!(machine(&like, 2), read(&files[2]));
        for (run, same) in like.runs.iter().zip(&machine(&like, 1).runs) {
            for (a, b) in run.series().iter().zip(same.series()) {
                let mut pairs = a.samples.iter().zip(&b.samples);
                assert!(pairs.all(|(a, b)| *a == 0.0 || (0.75..1.35).contains(&(b / a))));
            }
        }
    }
}
