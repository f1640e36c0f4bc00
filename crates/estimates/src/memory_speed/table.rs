//! The memory limits of each CPU model: `data/memory_by_cpu.toml`, whose header says what the fields mean.
use serde::Deserialize;
use std::sync::LazyLock;

/// The memory limits of one model, or a series of models.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryOfCpu {
    #[serde(default)]
    models: Vec<String>,
    design: Option<String>,
    /// MT/s with one module on a channel, with two, with three, as far as they are stated.
    speeds: Vec<f64>,
    mrdimm: Option<f64>,
    /// Whether the speeds are of the fastest of a series.
    #[serde(default)]
    pub at_most: bool,
    /// Channels of a socket.
    pub channels: usize,
    /// Its publication.
    #[serde(skip)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    name: String,
    text: String,
    cpu: Vec<MemoryOfCpu>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    source: Vec<Source>,
}

const TEXT: &str = include_str!("../../data/memory_by_cpu.toml");

/// The file; a test refuses one that cannot be read.
static TABLE: LazyLock<Vec<MemoryOfCpu>> = LazyLock::new(|| {
    let table: Table = record::from_toml(TEXT).unwrap_or_default();
    let rows = |Source { name, text, cpu }| {
        let source = format!("{name}: {text}");
        cpu.into_iter().map(move |row| MemoryOfCpu { source: source.clone(), ..row })
    };
    table.source.into_iter().flat_map(rows).collect()
});

/// The limits of a model; a row that names the model comes before one of its microarchitecture.
pub fn of_cpu(model: Option<&str>, design: Option<&str>) -> Option<&'static MemoryOfCpu> {
    let words = model.map(words).unwrap_or_default();
    let named = |row: &&MemoryOfCpu| row.models.iter().any(|pattern| fits(&words, pattern));
    let designed = |row: &&MemoryOfCpu| {
        row.design.as_deref().zip(design).is_some_and(|(of, design)| design.contains(of))
    };
    TABLE.iter().find(named).or_else(|| TABLE.iter().find(designed))
}

impl MemoryOfCpu {
    /// Transfers per second with so many modules on each channel, where that is stated.
    pub fn speed(&self, modules: usize) -> Option<f64> {
        self.speeds.get(modules.checked_sub(1)?).map(|mts| mts * 1e6)
    }
    /// Transfers per second with MRDIMMs, where it takes them.
    pub fn mrdimm(&self) -> Option<f64> {
        self.mrdimm.map(|mts| mts * 1e6)
    }
}

/// The words of a model's name, without what is in every name.
fn words(model: &str) -> Vec<String> {
    let mut name = model.to_ascii_uppercase();
    for mark in ["(R)", "(TM)", "(C)"] {
        name = name.replace(mark, " ");
    }
    let idle = ["CPU", "PROCESSOR"];
    name.split_whitespace().filter(|word| !idle.contains(word)).map(str::to_owned).collect()
}

/// Whether words in a row are those of the pattern.
fn fits(words: &[String], pattern: &str) -> bool {
    let pattern: Vec<String> = pattern.split(' ').map(str::to_ascii_uppercase).collect();
    words.windows(pattern.len()).any(|row| row.iter().zip(&pattern).all(|(w, p)| word_fits(w, p)))
}

/// `?` is a letter or digit; what follows the pattern does not begin with a digit.
fn word_fits(word: &str, pattern: &str) -> bool {
    let mut chars = word.chars();
    let same = pattern.chars().all(|p| {
        chars.next().is_some_and(|c| if p == '?' { c.is_ascii_alphanumeric() } else { c == p })
    });
    same && !chars.next().is_some_and(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_and_every_row_can_be_found() {
        let table: Table = record::from_toml(TEXT).unwrap();
        assert!(table.source.iter().all(|s| !s.name.is_empty() && !s.text.is_empty()));
        for row in table.source.iter().flat_map(|source| &source.cpu) {
            assert!((1..=16).contains(&row.channels), "{row:?}");
            assert!(row.speeds.windows(2).all(|pair| pair[0] >= pair[1]), "{row:?}");
            assert!(row.speeds.iter().all(|mts| (800.0..=12_800.0).contains(mts)), "{row:?}");
            for pattern in &row.models {
                let name = pattern.replace('?', "9");
                let first = of_cpu(Some(&name), None).unwrap();
                assert!(
                    first.models.contains(pattern),
                    "{pattern} is hidden by {:?}",
                    first.models
                );
            }
        }
    }

    #[test]
    fn a_model_has_its_own_limit_and_not_that_of_its_kin() {
        let of = |model: &str| of_cpu(Some(model), None).map(|row| row.speeds.clone());
        for (model, one) in [
            ("Intel(R) Xeon(R) Platinum 8269CY CPU @ 2.50GHz", 2933.0),
            ("Intel(R) Xeon(R) Platinum 8163 CPU @ 2.50GHz", 2666.0),
            ("Intel(R) Xeon(R) Silver 4210 CPU @ 2.20GHz", 2400.0),
            ("Intel(R) Xeon(R) Gold 5218R CPU @ 2.10GHz", 2666.0),
            ("Intel(R) Xeon(R) CPU E5-2682 v4 @ 2.50GHz", 2400.0),
            ("Intel(R) Xeon(R) CPU E5-2630L v4 @ 1.80GHz", 2133.0),
            ("Intel(R) Xeon(R) CPU E5-2609 0 @ 2.40GHz", 1066.0),
            ("Intel(R) Xeon(R) CPU E5-2650L v3 @ 1.80GHz", 2133.0),
            ("Intel(R) Xeon(R) CPU           X5650  @ 2.67GHz", 1333.0),
            ("Intel(R) Xeon(R) Platinum 8558P", 5600.0),
            ("Intel(R) Xeon(R) Platinum 8558", 5200.0),
            ("INTEL(R) XEON(R) 6980P", 6400.0),
            ("Intel(R) Xeon(R) CPU E5-2407 0 @ 2.20GHz", 1066.0),
            ("Intel(R) Core(TM) i7-8665U CPU @ 1.90GHz", 2400.0),
            ("Intel(R) Core(TM) i7-10850H CPU @ 2.70GHz", 2933.0),
            ("Intel(R) Core(TM) i9-7900X CPU @ 3.30GHz", 2666.0),
            ("AMD Ryzen 5 3500U with Radeon Vega Mobile Gfx", 2400.0),
            ("AMD Opteron(tm) X3216 APU", 1600.0),
            ("AMD EPYC 7742 64-Core Processor", 3200.0),
            ("AMD EPYC 7551P 32-Core Processor", 2666.0),
            ("AMD EPYC 9R14", 4800.0),
            ("AWS Graviton2", 3200.0),
            ("HUAWEI Kunpeng 920 5250", 2933.0),
            ("Ampere(R) AmpereOne(R) Processor A192-32X", 5200.0),
        ] {
            assert_eq!(of(model).and_then(|speeds| speeds.first().copied()), Some(one), "{model}");
        }
        assert_eq!(of("Intel(R) Xeon(R) Platinum"), None);
        assert_eq!(of("Intel(R) Core(TM) i7-4770 CPU @ 3.40GHz"), None);
        assert_eq!(of_cpu(None, Some("Diamond Rapids")).map(|row| row.channels), Some(16));
    }
}
