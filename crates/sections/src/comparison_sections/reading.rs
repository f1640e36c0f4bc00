//! How to read a comparison.
use crate::page::Block;
use crate::quantity::{self, capital};
use crate::section::{ComparisonSection, Section};
use analyse::compare::{BAND, Comparison, FALSE_SHARE, Verdict};

pub(crate) static SECTION: ComparisonSection =
    Section::without_numbers("How to read this", 80, &[], blocks);

/// The meaning of the words and numbers.
fn blocks(of: &Comparison) -> Vec<Block> {
    if !of.comparable() {
        return vec![];
    }
    vec![Block::List(vec![
        "A ratio is this record's median over the baseline's, with its 95 % interval; better or worse is by the \
         direction that is good."
            .into(),
        "In cycles: counted in core cycles of both. Per core: divided by the cores that took part. Per watt and per price: \
         how many times as much it does for as much, where both records were given theirs (--watts, --price)."
            .into(),
        format!(
            "{} and {} are said of differences beyond {}, where at most {} of the rows so called are false. {}: the whole interval lies within. {}: the samples cannot \
             tell. {}: a value without four samples.",
            capital(Verdict::Better.word()),
            Verdict::Worse.word(),
            quantity::percent(BAND),
            quantity::percent(FALSE_SHARE),
            capital(Verdict::Same.word()),
            capital(Verdict::Unclear.word()),
            capital(Verdict::NoSpread.word()),
        ),
        "Intervals hold from run to run: they rest on how the visits of a run differ, each with memory of its own, and for a \
         record of one visit on how such figures varied on another machine. cpulens selftest aa measures it on this one."
            .into(),
    ])]
}
