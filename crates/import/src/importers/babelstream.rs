//! BabelStream's text and CSV, 3 to 5: the best rate of each kernel. Its `Mul` is STREAM's scale.
//!
//! Limits: runs on the CPU are read, and neither form states their threads. The first repetition is left out.
//! Source: BabelStream, src/main.cpp and src/Unit.h.
use crate::{cells::unit, prelude::*};

pub(crate) static IMPORTER: Importer = Importer::new("BabelStream", recognises, read);

const CSV: &str = "function,num_times,n_elements,sizeof,max_";
/// Kernels, and what STREAM calls them.
const KERNELS: [(&str, &str); 6] = [
    ("Copy", "copy"),
    ("Mul", "scale"),
    ("Add", "add"),
    ("Triad", "triad"),
    ("Nstream", "nstream"),
    ("Dot", "dot"),
];
/// Implementations that run on a GPU.
const GPUS: [&str; 5] = ["CUDA", "HIP", "OpenCL", "OpenACC", "Thrust"];

/// The factor to bytes per second, if the line is the head of the text or of the CSV.
fn head(line: &str) -> Option<f64> {
    let word = match line.strip_prefix(CSV) {
        Some(rest) => rest.split("_per_sec").next()?.to_owned(),
        None => {
            let mut words = line.strip_prefix("Function ")?.split_whitespace();
            let (rate, least) = (words.next()?, words.next()?);
            let rate = rate.strip_suffix("/sec").or(rate.strip_suffix("/s"))?;
            (least == "Min").then(|| rate.to_owned())?
        }
    };
    // `MBytes` before 5.
    let word = word.to_lowercase().replace("bytes", "b").to_uppercase().replace('I', "i");
    unit(&format!("{word}/s")).map(|(_, factor)| factor)
}

fn recognises(text: &Text) -> bool {
    text.any(|l| head(l).is_some())
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let field = |name: &str| text.lines().find_map(|l| l.text.strip_prefix(name)).map(str::trim);
    let on_gpu = |of: &str| GPUS.iter().any(|gpu| of.contains(gpu));
    Problem::when(field("Implementation:").is_some_and(on_gpu), "it ran on a GPU")?;
    if let Some(version) = field("Version:") {
        found.version(version);
    }
    let mut elements = field("Number of elements:").and_then(whole);
    let (mut factor, mut case) = (None, None);
    for line in text.lines() {
        factor = head(line.text).or(factor);
        let words: Vec<&str> = line.text.split([',', ' ']).filter(|w| !w.is_empty()).collect();
        let (Some(factor), Some(first)) = (factor, words.first()) else { continue };
        let Some((_, kernel)) = KERNELS.iter().find(|(name, _)| name == first) else { continue };
        let rate = match words[..] {
            [_, _, counted, _, rate, _, _, _] => {
                elements = elements.or(whole(counted));
                rate
            }
            [_, rate, _, _, _] => rate,
            _ => {
                return Err(line.problem("expected five or eight columns: it is cut short"));
            }
        };
        let rate = number(rate).filter(|rate| *rate > 0.0);
        let rate = rate
            .ok_or_else(|| line.problem("expected a rate in MB/s: it is cut short or damaged"))?;
        let case = *case.get_or_insert_with(|| {
            let elements = ("elements", elements.map(Value::from));
            let params = known([("statistic", Some("best".into())), elements]);
            found.case(line.number, ProbeId::Stream, &params)
        });
        let at = [("kernel", Value::from(*kernel))];
        found.series(case, BANDWIDTH, &at, &[rate * factor]);
    }
    Problem::when(found.without_series(), "it holds no result")
}

#[cfg(test)]
mod tests {
    use crate::{Gathered, gathered::imported};

    /// Made up after the source: text of 4 and of 5, and the CSV.
    #[test]
    fn every_form_gives_the_same_rates() {
        let text = |unit: &str| {
            format!(
                "BabelStream\nVersion: 4.0\nImplementation: OpenMP\nNumber of elements: 1000\nFunction    {unit}  Min (sec)   Max         Average\nCopy        188000.000  0.00285     0.00311     0.00291\nMul         185000.000  0.00290     0.00311     0.00295\nDot         230000.000  0.00233     0.00251     0.00241\n"
            )
        };
        let csv = "function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime\nCopy,100,1000,8,188000,0.1,0.1,0.1\nMul,100,1000,8,185000,0.1,0.1,0.1\nDot,100,1000,8,230000,0.1,0.1,0.1\n";
        for text in [text("MBytes/sec"), text("MB/s"), csv.to_owned()] {
            let record = imported("babel.txt", &text);
            let of = |s: &record::Series| (s.at["kernel"].to_string(), s.samples[0]);
            let rates: Vec<_> = record.runs[0].series().iter().map(of).collect();
            let expected = [("copy", 188e9), ("scale", 185e9), ("dot", 230e9)];
            assert_eq!(rates, expected.map(|(kernel, rate)| (kernel.to_owned(), rate)), "{text}");
            assert_eq!(record.runs[0].case.params["elements"], 1000u64.into());
        }
        let gpu = text("MB/s").replace("OpenMP", "CUDA");
        assert!(Gathered::default().add("gpu.txt", gpu.as_bytes()).is_err());
    }
}
