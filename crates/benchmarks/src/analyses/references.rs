//! Indexes of other machines, or of other runs, with as many copies as a record's: what its own stand beside in a picture. Nothing
//! is concluded from them.
use crate::analyses::unixbench::{Section, UnixBench, UnixBenchResult};
use estimates::analysis::{Analysis, Entry};
use estimates::groups::by_key;
use estimates::report::Report;
use record::{
    ProbeId, Record, Run, Sort, param,
    unixbench::{TESTS, Test},
};
use stats::unixbench as formula;

/// The number of machines that are shown for each number of copies where nobody chose any.
pub const SHOWN: usize = 3;

/// The test results of a machine.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reference {
    /// The name by which it is known.
    pub name: String,
    /// The tool that others ran, or the version whose behaviour ours had.
    pub made: String,
    /// Copies that ran at once.
    pub copies: u64,
    /// The tests' indexes (ratios), in the order of UnixBench's reports.
    pub indexes: Vec<(&'static Test, f64)>,
    /// The index (a ratio), if it has all tests.
    pub total: Option<f64>,
}

/// Results of other machines, or of other runs.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(transparent)]
pub struct References(pub Vec<Reference>);

pub static ANALYSIS: Entry = Entry::of::<References>();

/// None: they come from other records, and the caller that has those sets them.
impl Analysis for References {
    const TITLE: &str = "What UnixBench's indexes are shown beside: other machines', or other runs'. Empty as `analyse` makes it, like `nearest`.";
    const ORDER: u16 = 210;
    fn compute(_: &Report<'_>) -> Self {
        References(vec![])
    }
}

impl Reference {
    /// References of a record, ours or another tool's: one for every number of copies that is stated, and every variant.
    pub fn of(name: &str, record: &Record) -> Vec<Reference> {
        let mut all: Vec<Reference> = vec![];
        let printed =
            record.runs.iter().filter(|r| r.origin.is_some() && r.case.probe == ProbeId::Unixbench);
        let tool = |run: &Run| run.case.get(param::TOOL).unwrap_or("UnixBench").to_owned();
        for ((copies, tool), runs) in
            by_key(printed, |run| (run.case.get(param::COPIES), tool(run)))
        {
            let Some(copies) = copies else { continue };
            let mut new = Reference::new(name, tool, copies);
            runs.into_iter().for_each(|run| new.add(run));
            all.push(new);
        }
        let UnixBenchResult(own) = UnixBenchResult::compute(&Report::without_estimates(record));
        for section in own.iter().flat_map(|bench| &bench.sections) {
            let mut new = Reference::new(name, unlike(section), section.copies);
            new.indexes = section.tests.iter().map(|t| (t.test, t.index)).collect();
            all.push(new);
        }
        for reference in &mut all {
            reference.indexes.order_by_key(|(test, _)| test.name);
            let ratios: Vec<f64> =
                reference.indexes.iter().map(|(_, index)| index / 10.0).collect();
            let whole = ratios.len() == TESTS.len();
            reference.total = formula::total(&ratios).filter(|_| whole);
        }
        all.retain(|reference| !reference.indexes.is_empty());
        all
    }
    fn new(name: &str, made: String, copies: u64) -> Reference {
        Reference { name: name.to_owned(), made, copies, indexes: vec![], total: None }
    }
    /// Adds the printed results over baselines, else the index itself.
    fn add(&mut self, run: &Run) {
        for metric in ["rate", "index"] {
            for s in run.series().iter().filter(|s| s.metric == metric) {
                let named = param::TEST.of(&s.at);
                let test = TESTS.iter().find(|t| Some(t.name) == named);
                let Some((test, value)) = test.zip(s.samples.first()) else { continue };
                let index = match metric {
                    "rate" => formula::index(value / test.factor, test.baseline),
                    _ => *value,
                };
                if index > 0.0 && !self.indexes.iter().any(|(known, _)| known.id == test.id) {
                    self.indexes.push((test, index));
                }
            }
        }
    }
    /// How many times apart the two are in the tests that both have: the root mean square of the logarithms of the ratios.
    fn apart(&self, section: &Section) -> Option<f64> {
        let ratio = |(test, index): &(&'static Test, f64)| {
            Some((section.test(test.id)?.index / index).ln()).filter(|x| x.is_finite())
        };
        let all: Vec<f64> = self.indexes.iter().filter_map(ratio).collect();
        let square = all.iter().map(|x| x * x).sum::<f64>() / all.len() as f64;
        (!all.is_empty()).then(|| square.sqrt().exp())
    }
}

/// The version, and what is unlike its own way.
fn unlike(section: &Section) -> String {
    let mut words = vec![section.variant.clone()];
    words.extend(
        ["placement", "start"].into_iter().zip([&section.placement, &section.start]).filter_map(
            |(what, value)| {
                let usual = ["none", "serial"].contains(&value.as_str());
                (!usual).then(|| format!("{what} {value}"))
            },
        ),
    );
    words.join(", ")
}

/// Of others those with as many copies as a record has, and a test that it has too: the fewest copies first, of each number the
/// nearest, and at most so many of them.
pub fn beside(of: &UnixBench, others: &[Reference], most: usize) -> Vec<Reference> {
    let mut copies: Vec<u64> = of.sections.iter().map(|s| s.copies).collect();
    copies.dedup();
    let with = |copies: u64| {
        let apart = |reference: &Reference| {
            let sections = of.sections.iter().filter(|s| s.copies == copies);
            sections.filter_map(|s| reference.apart(s)).min_by(f64::total_cmp)
        };
        let these = others.iter().filter(|r| r.copies == copies);
        let mut these: Vec<(f64, &Reference)> =
            these.filter_map(|r| Some((apart(r)?, r))).collect();
        these.order_by(|a, b| a.0.total_cmp(&b.0));
        these.into_iter().take(most).map(|(_, r)| r.clone()).collect::<Vec<_>>()
    };
    copies.into_iter().flat_map(with).collect()
}
