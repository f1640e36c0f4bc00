//! How to read a comparison.
use crate::page::Block;
use crate::quantity::{self};
use crate::say;
use crate::section::{ComparisonSection, Section};
use analyse::compare::{BAND, Comparison, FALSE_SHARE, Verdict};
use record::Text;

pub(crate) static SECTION: ComparisonSection =
    Section::without_numbers("How to read this", 80, &[], blocks);

/// The meaning of the words and numbers.
fn blocks(of: &Comparison) -> Vec<Block> {
    if !of.comparable() {
        return vec![];
    }
    let capital = |verdict: Verdict| Text::from(verdict.word()).capital();
    vec![Block::items::<Text>(vec![
        say::READING_RATIO.into(),
        say::READING_CYCLES_COUNTED_CORE_CYCLES.into(),
        say::reading_verdicts(
            capital(Verdict::Better),
            Verdict::Worse.word(),
            quantity::percent(BAND),
            quantity::percent(FALSE_SHARE),
            capital(Verdict::Same),
            capital(Verdict::Unclear),
            capital(Verdict::NoSpread),
        ),
        say::READING_INTERVALS.into(),
    ])]
}
