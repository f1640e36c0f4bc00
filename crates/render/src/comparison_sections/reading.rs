//! How to read a comparison.
use crate::page::Block;
use crate::quantity::{self, capital};
use crate::section::{ComparisonSection, Section};
use analyse::compare::{BAND, Comparison, FALSE_SHARE, Verdict};

pub(crate) static SECTION: ComparisonSection =
    Section { title: "How to read this", order: 80, numbers: false, probes: &[], blocks };

/// What the words and numbers mean.
fn blocks(of: &Comparison) -> Vec<Block> {
    if !of.comparable() {
        return vec![];
    }
    let bands: Vec<f64> = of.others().map(|i| of.band(i)).collect();
    let (low, high) = bands.iter().fold((f64::MAX, 0.0_f64), |(l, h), b| (l.min(*b), h.max(*b)));
    let band = match low == high {
        true => quantity::percent(low),
        false => format!("{} to {} by record", quantity::percent(low), quantity::percent(high)),
    };
    vec![Block::List(vec![
        "A ratio is this record's median over the baseline's, with its 95 % interval; better or worse is by the \
         direction that is good."
            .into(),
        "In cycles: counted in core cycles of both. Per core: divided by the cores that took part. Per watt and per price: \
         how many times as much it does for as much, where both records were given theirs (--watts, --price)."
            .into(),
        format!(
            "{} and {} are said of differences beyond {band} ({}, or what either machine moved by itself during its run), \
             where at most {} of the rows so called are false. {}: the whole interval lies within. {}: the samples cannot \
             tell. {}: a value without four samples.",
            capital(Verdict::Better.word()),
            Verdict::Worse.word(),
            quantity::percent(BAND),
            quantity::percent(FALSE_SHARE),
            capital(Verdict::Same.word()),
            capital(Verdict::Unclear.word()),
            capital(Verdict::NoSpread.word()),
        ),
        "Samples of one run share what that run had in common, such as where its memory lay: measure each machine twice \
         and compare the two before a small difference is believed."
            .into(),
    ])]
}
