//! A fleet: records like one that was measured, each of a machine of its own. Samples, clocks and reference samples are moved by a
//! factor of the machine, one of the series and one of each sample; some facts differ between every few machines.
use super::ours::Record;
use serde_json::{Value, json};
use std::{fs, path::Path};

/// Machines differ by up to 10 %, their series by as much again, the samples of a series by 1 %.
const MACHINE: f64 = 0.1;
const SERIES: f64 = 0.1;
const SAMPLE: f64 = 0.01;

/// Writes so many records into the folder and returns their files.
pub(super) fn write(folder: &Path, record: &Record, count: usize) -> Result<Vec<String>, String> {
    fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    let mut files = vec![];
    for number in 0..count {
        let file = folder.join(format!("m{number:04}.json"));
        let text = serde_json::to_vec_pretty(&machine(&record.0, number as u64));
        let written = text.map_err(|e| e.to_string()).and_then(|text| {
            fs::write(&file, text).map_err(|e| format!("cannot write {}: {e}", file.display()))
        });
        written?;
        files.push(file.display().to_string());
    }
    Ok(files)
}

/// The record of one machine.
fn machine(like: &Value, number: u64) -> Value {
    let mut record = like.clone();
    // SplitMix64 (Steele, Lea & Flood 2014): the same fleet at every run.
    let mut state = number;
    let mut next = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut about = move |spread: f64| 1.0 + spread * (2.0 * next() - 1.0);
    let whole = about(MACHINE);
    record["provenance"]["name"] = json!(format!("machine {number}"));
    // Machines of a fleet come in a few kinds, and a few kernels.
    for (name, kinds) in [("memory.total", 4), ("cpu.microcode", 6), ("kernel.release", 3)] {
        let fact = &mut record["machine"]["facts"][name];
        match &fact["value"] {
            Value::Number(n) => fact["value"] = json!(n.as_u64().unwrap_or(0) + number % kinds),
            Value::String(text) => fact["value"] = json!(format!("{text}-{}", number % kinds)),
            _ => {}
        }
    }
    for run in record["runs"].as_array_mut().into_iter().flatten() {
        for series in run["outcome"]["measured"].as_array_mut().into_iter().flatten() {
            let by = whole * about(SERIES);
            scale(&mut series["samples"], by, &mut about);
        }
    }
    for beat in record["reference_samples"].as_array_mut().into_iter().flatten() {
        for name in ["clock", "chase"] {
            scale(&mut beat[name], whole, &mut about);
        }
    }
    record
}

/// Every number by the factor, each a little off.
fn scale(numbers: &mut Value, by: f64, about: &mut impl FnMut(f64) -> f64) {
    for x in numbers.as_array_mut().into_iter().flatten() {
        if let Some(value) = x.as_f64() {
            *x = json!(value * by * about(SAMPLE));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_alike_and_none_is_another() {
        let samples: Vec<f64> = vec![1.0, 1.0, 1.0];
        let like = json!({
            "provenance": {},
            "machine": {"facts": {"memory.total": {"value": 8, "source": "x"}}},
            "runs": [{"outcome": {"measured": [{"samples": samples}, {"samples": samples}]}}, {"outcome": {"skipped": 1}}],
            "reference_samples": [{"clock": [1.0], "chase": [2.0]}],
        });
        let folder = tempfile::tempdir().unwrap();
        let files = write(folder.path(), &Record(like.clone()), 3).unwrap();
        let read = |file: &String| fs::read_to_string(file).unwrap();
        assert_eq!(files.len(), 3);
        assert!(read(&files[0]) != read(&files[1]) && read(&files[1]) != read(&files[2]));
        assert_eq!(machine(&like, 2), serde_json::from_str::<Value>(&read(&files[2])).unwrap());
        let all = &machine(&like, 1)["runs"][0]["outcome"]["measured"];
        for series in all.as_array().unwrap() {
            let values: Vec<f64> =
                series["samples"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
            assert!(values.iter().all(|x| (0.75..1.35).contains(x)) && values[0] != values[1]);
        }
        assert_eq!(machine(&like, 1)["machine"]["facts"]["memory.total"]["value"], 9);
        assert_eq!(machine(&like, 1)["machine"]["facts"]["cpu.microcode"], Value::Null);
    }
}
