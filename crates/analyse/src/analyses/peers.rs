//! Figures of reference machines that charts show beside a measured one. Nothing is concluded from them.
use comparison::nearest::Beside;
use estimates::analysis::{Analysis, Entry};
use estimates::report::Report;

/// Values of peers, by figure.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(transparent)]
pub struct Peers(pub Vec<Beside>);

pub(crate) static ANALYSIS: Entry = Entry::of::<Peers>();

/// None, as with `nearest`: the caller that has other machines sets it.
impl Analysis for Peers {
    const TITLE: &str = "Figures of published machines beside this one's. Empty as `analyse` makes it, like `nearest`.";
    const ORDER: u16 = 225;
    fn compute(_: &Report<'_>) -> Self {
        Peers(vec![])
    }
}
