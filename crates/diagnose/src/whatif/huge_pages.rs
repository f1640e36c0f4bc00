//! Huge pages for those who get none: a random load from memory takes what it took on huge ones.
use super::{Predicted, Prediction, of_loads};
use crate::evidence::Evidence;
use crate::facts::{THP, selected};
use crate::say;
use crate::words::time;
use record::Reason;

pub(super) fn predict(evidence: &Evidence<'_>) -> Predicted {
    (say::WHATIF_HUGE.into(), found(evidence))
}

fn found(evidence: &Evidence<'_>) -> Result<Prediction, Reason> {
    if evidence.text(THP).is_ok_and(|setting| selected(setting) == "always") {
        return Err(Reason::new(say::WHATIF_HUGE_ALREADY));
    }
    let [base, huge] = evidence.by_page()?;
    let middle = |(low, high): (f64, f64)| f64::midpoint(low, high);
    let (times, who) = of_loads(evidence, (base.1 / huge.0).max(1.0));
    Ok(Prediction {
        times,
        who,
        basis: say::whatif_basis_huge(time(middle(base)), time(middle(huge))),
        assumes: say::WHATIF_ASSUMES_HUGE.into(),
        test: "cpulens compare -- env GLIBC_TUNABLES=glibc.malloc.hugetlb=1 COMMAND -- COMMAND"
            .into(),
        ..Prediction::default()
    })
}
