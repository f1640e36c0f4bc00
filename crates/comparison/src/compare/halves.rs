//! 7-zip prints the mean of compressing and decompressing as a third rating. Beside these two it says nothing new.
use super::{Cell, Quantity};
use record::ProbeId;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Takes the mean from records that all have the halves; `known` are the quantities by [`Quantity::key`].
pub(super) fn without_means(
    quantities: &[Arc<Quantity>],
    known: &HashMap<String, usize>,
    cells: &mut [BTreeMap<usize, Box<Cell>>],
) {
    for (mean, quantity) in quantities.iter().enumerate() {
        let Some(half) = half(quantity).and_then(|half| known.get(&half.key())) else { continue };
        if cells.iter().all(|side| !side.contains_key(&mean) || side.contains_key(half)) {
            cells.iter_mut().for_each(|side| drop(side.remove(&mean)));
        }
    }
}

/// Compressing, of a mean of 7-zip.
fn half(of: &Quantity) -> Option<Quantity> {
    let mean = of.probe == ProbeId::Sevenzip && of.at.get("of")?.text() == Some("both");
    let mut half = of.clone();
    half.at.insert("of".into(), "compressing".into());
    mean.then_some(half)
}
