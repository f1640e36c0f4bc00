//! Published machines that are like the measured one.
use comparison::nearest::Near;
use estimates::analysis::{Analysis, Entry};
use estimates::report::Report;

/// The nearest first.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(transparent)]
pub struct Nearest(pub Vec<Near>);

pub(crate) static ANALYSIS: Entry = Entry::of::<Nearest>();

/// None: a record says nothing of other machines. The caller that has them sets it.
impl Analysis for Nearest {
    const TITLE: &str = "Published machines like this one, the nearest first. Empty as `analyse` makes it, for it knows of no other machine;\nits owner fills it in.";
    const ORDER: u16 = 220;
    fn compute(_: &Report<'_>) -> Self {
        Nearest(vec![])
    }
}
