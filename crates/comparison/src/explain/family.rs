//! One explanation for all points of a workload: what each factor makes of its speed, as the least and the most over the
//! points, and what is left.
use super::dies::{self, Dies, Interleaved};
use super::summary;
use super::{Explanation, Factor, How, Step};
use crate::compare::{Comparison, Row, Subject};
use crate::incomparable::Incomparable;
use record::{Reason, Text};
use stats::ends;

/// A factor over the points.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Share {
    /// The factor.
    pub factor: Factor,
    /// The ratio by this factor alone: least and most.
    pub times: [f64; 2],
    /// The geometric mean of them.
    pub mean: f64,
    /// Least and most of its value in the baseline and here, in its unit; nothing where it is not known of every point.
    pub sides: [Option<[f64; 2]>; 2],
    /// The least sure of the points.
    pub how: How,
    /// Whether nobody measured it: it follows from the others.
    pub inferred: bool,
    /// Whether it is a part of the IPC, and not multiplied once more.
    pub in_ipc: bool,
}

/// A workload of one record against the baseline's.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Family {
    /// Index of the record.
    pub side: usize,
    /// Its subject.
    pub subject: Subject,
    /// Points that are explained.
    pub points: usize,
    /// Speed over that of the baseline: least and most.
    pub times: [f64; 2],
    /// The geometric mean of them.
    pub mean: f64,
    /// The factors that are known at every point, and the SMT yield where it is a part of the IPC.
    pub factors: Vec<Share>,
    /// The residual: least and most.
    pub rest: [f64; 2],
    /// The unknown factors in the residual; empty: it should be 1.
    pub holds: Vec<Factor>,
    /// Differences of the runs.
    pub unlike: Vec<Incomparable>,
    /// The reason why nothing is attributed.
    pub declined: Option<Reason>,
    /// The dies whose memory is interleaved on one side, if that is the cause.
    pub interleaved: Option<Interleaved>,
    /// The conclusion: full sentences, the answer first.
    pub summary: Vec<Text>,
}

impl Family {
    /// The factor that weighs most, of those that are known or alone are left.
    pub fn main(&self) -> Option<(Factor, [f64; 2])> {
        let known = self.multiplied().map(|s| (s.factor, s.mean, s.times));
        let left = match self.holds[..] {
            [one] => Some((one, self.left(), self.rest)),
            _ => None,
        };
        let weighs = |x: f64| x.ln().abs();
        let main = known.chain(left).max_by(|a, b| weighs(a.1).total_cmp(&weighs(b.1)))?;
        (weighs(main.1) > 0.01).then_some((main.0, main.2))
    }
    /// What the factors leave of the mean.
    pub fn left(&self) -> f64 {
        self.mean / self.multiplied().map(|s| s.mean).product::<f64>()
    }
    /// The factors whose product is the ratio.
    pub fn multiplied(&self) -> impl Iterator<Item = &Share> {
        self.factors.iter().filter(|s| !s.in_ipc)
    }
    /// Whether nothing is left to check an inferred factor by.
    pub fn unchecked(&self) -> bool {
        self.factors.iter().any(|s| s.inferred) && self.rest.iter().all(|x| (x - 1.0).abs() < 0.01)
    }
}

/// One for each workload and record, in the order of the headlines: whole cores and SMT pairs are points of one workload.
pub fn families(of: &Comparison, dies: &[Option<Dies>]) -> Vec<Family> {
    let rows: Vec<Option<usize>> = of.explained.iter().map(|e| row_of(of, e)).collect();
    let mut subjects: Vec<(Subject, Vec<usize>)> = vec![];
    for headline in &of.headlines {
        let subject = Subject { smt_pair: false, one_thread: false, ..headline.subject.clone() };
        match subjects.iter_mut().find(|(known, _)| *known == subject) {
            Some((_, rows)) => rows.extend(&headline.rows),
            None => subjects.push((subject, headline.rows.clone())),
        }
    }
    let mut found = vec![];
    for (subject, of_subject) in &subjects {
        for side in of.others() {
            let points = of.explained.iter().zip(&rows).filter(|(e, row)| {
                e.side == side && row.is_some_and(|row| of_subject.contains(&row))
            });
            let points: Vec<&Explanation> = points.map(|(e, _)| e).collect();
            let names = [of.baseline, side].map(|i| of.sides[i].name.as_str());
            let interleaved = || dies::family(of, dies, side, subject);
            found.extend(family(side, subject, names, &points).or_else(interleaved));
        }
    }
    found
}

/// Its row; nothing where another server answered.
fn row_of(of: &Comparison, e: &Explanation) -> Option<usize> {
    let other =
        |u: &Incomparable| matches!(u, Incomparable::Software(name, ..) if name == "server");
    let is = |row: &Row| row.against(e.side).is_some() && e.keys.contains(&row.quantity.key());
    of.rows.iter().position(is).filter(|_| !e.unlike.iter().any(other))
}

fn family(
    side: usize,
    subject: &Subject,
    [base, name]: [&str; 2],
    points: &[&Explanation],
) -> Option<Family> {
    let unlike = record::distinct(points.iter().flat_map(|e| &e.unlike).cloned());
    let parts: Vec<_> =
        points.iter().filter_map(|e| Some((e.ratio, e.parts.as_ref().ok()?))).collect();
    let ratios: Vec<f64> = match parts.is_empty() {
        true => points.iter().map(|e| e.ratio).collect(),
        false => parts.iter().map(|(ratio, _)| *ratio).collect(),
    };
    let declined = points.iter().find_map(|e| e.parts.as_ref().err()).filter(|_| parts.is_empty());
    let share = |factor: Factor| {
        let steps = parts.iter().map(|(_, p)| p.steps.iter().find(|s| s.factor == factor));
        let steps = steps.collect::<Option<Vec<_>>>()?;
        let in_ipc = factor == Factor::Smt && parts.iter().any(|(_, p)| p.smt_in_ipc());
        let times = |s: &Step| if in_ipc { s.sides_times() } else { s.times.clone().ok() };
        let times = steps.iter().map(|s| times(s)).collect::<Option<Vec<_>>>()?;
        let values: Vec<f64> = times.iter().map(|t| t.value).collect();
        let of_side = |i: usize| {
            let all = steps.iter().map(|s| s.sides[i].as_ref()).collect::<Option<Vec<_>>>()?;
            ends(all.iter().flat_map(|a| [a.low, a.high])).map(Into::into)
        };
        Some(Share {
            factor,
            // What is known as a range counts with all of it.
            times: ends(times.iter().flat_map(|t| [t.low, t.high]))?.into(),
            mean: mean(&values)?,
            sides: [of_side(0), of_side(1)],
            how: times.iter().map(|t| t.how).max()?,
            inferred: parts.iter().any(|(_, p)| p.inferred == Some(factor)),
            in_ipc,
        })
    };
    let factors: Vec<Share> = Factor::ALL.into_iter().filter_map(share).collect();
    let known = |f: Factor| factors.iter().any(|s| s.factor == f && !s.in_ipc);
    let holds = Factor::but(known);
    // What is known as a range leaves a range.
    let rests = parts.iter().flat_map(|(ratio, p)| {
        let steps = p.steps.iter().filter(|s| known(s.factor));
        let times = steps.filter_map(|s| s.times.as_ref().ok());
        let [low, high] = times.fold([1.0; 2], |[low, high], t| [low * t.low, high * t.high]);
        [ratio / high, ratio / low]
    });
    let mut family = Family {
        side,
        subject: subject.clone(),
        points: ratios.len(),
        times: ends(ratios.iter().copied())?.into(),
        mean: mean(&ratios)?,
        rest: ends(rests).map_or([1.0; 2], Into::into),
        holds,
        factors,
        unlike,
        declined: declined.cloned(),
        interleaved: None,
        summary: vec![],
    };
    family.summary = summary::of_family(&family, base, name);
    Some(family)
}

fn mean(of: &[f64]) -> Option<f64> {
    (!of.is_empty()).then(|| (of.iter().map(|x| x.ln()).sum::<f64>() / of.len() as f64).exp())
}
