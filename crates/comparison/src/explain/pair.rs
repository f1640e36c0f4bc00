//! Two works of one kind against each other: factor by factor, and what is left.
use super::work::per_second;
use super::{Amount, Explanation, Factor, How, Parts, Rest, Step, Times, Work, summary};
use crate::equivalent::{self, Equivalent};
use crate::grade::Grade;
use crate::incomparable::{Incomparable, ours_beside};
use crate::say;
use crate::software::differing;
use record::{Message, ProbeId, Reason};

/// Explains every workload that a record and the baseline have: those of equal software first, else of the nearest.
pub fn explain(baseline: (&str, &[Work]), side: (usize, &str, &[Work])) -> Vec<Explanation> {
    let (base_name, base) = baseline;
    let (number, name, works) = side;
    let mut found = vec![];
    for a in base {
        let key = a.quantity.loose_key();
        let near = |b: &&Work| differing(&a.software, &b.software).len();
        let Some(b) = works.iter().filter(|b| b.quantity.loose_key() == key).min_by_key(near)
        else {
            continue;
        };
        // Another one of the baseline may be nearer to it.
        let nearer = |o: &Work| {
            o.quantity.loose_key() == key && differing(&o.software, &b.software).len() < near(&b)
        };
        if base.iter().any(nearer) {
            continue;
        }
        let unlike = differing(&a.software, &b.software).into_iter().map(Incomparable::software);
        found.push(explanation(number, a, (a, b), unlike.collect(), parts(a, b)));
    }
    found.extend(equivalents(number, base, works));
    for one in &mut found {
        one.summary = summary::sentences(one, base_name, name);
    }
    found
}

/// Under the name of one of the two.
fn explanation(
    side: usize,
    named: &Work,
    (a, b): (&Work, &Work),
    unlike: Vec<Incomparable>,
    parts: Result<Parts, Reason>,
) -> Explanation {
    Explanation {
        side,
        probe: named.quantity.probe,
        metric: named.quantity.metric,
        at: named.quantity.loose_at(),
        ratio: b.rate / a.rate,
        unlike,
        parts,
        keys: [a.quantity.key(), b.quantity.key()],
        summary: vec![],
    }
}

/// Other tools' figures of one side against ours of the same definition, in their terms, where the other side has none of
/// that tool.
fn equivalents(side: usize, base: &[Work], works: &[Work]) -> Vec<Explanation> {
    let mut found = vec![];
    for (their_side, our_side) in [(base, works), (works, base)] {
        for theirs in their_side.iter().filter(|w| w.quantity.foreign) {
            let key = theirs.quantity.loose_key();
            if our_side.iter().any(|w| w.quantity.loose_key() == key) {
                continue;
            }
            let Some((row, ours)) = ours(theirs, our_side) else { continue };
            let value = row.value(ours.values);
            let Some(rate) = per_second(theirs.quantity.unit, value) else { continue };
            let ours = Work { rate, ..ours.clone() };
            let both =
                if std::ptr::eq(their_side, base) { (theirs, &ours) } else { (&ours, theirs) };
            let unlike = ours_beside(row, ours.version);
            let parts = match unlike.grade() {
                Grade::Refused => Err(unlike.reason(&row.command)),
                _ => parts(both.0, both.1),
            };
            found.push(explanation(side, theirs, both, vec![unlike], parts));
        }
    }
    found
}

/// The workload of ours that is made to the definition of theirs.
fn ours<'a>(theirs: &Work, all: &'a [Work]) -> Option<(&'static Equivalent, &'a Work)> {
    let q = &theirs.quantity;
    equivalent::of(q.probe, q.metric, &q.at).find_map(|row| {
        let fits = |own: &&Work| {
            let named = (own.quantity.probe, own.quantity.metric, &own.quantity.at);
            !own.quantity.foreign && row.is_ours(named, &q.at, (own.crowd, theirs.crowd))
        };
        Some((row, all.iter().find(fits)?))
    })
}

/// The factors; nothing where the counters of either side are of something else.
fn parts(a: &Work, b: &Work) -> Result<Parts, Reason> {
    for (whose, work) in [(say::BASELINE_ALONE, a), (say::RECORD_ALONE, b)] {
        if let Some(why) = &work.declined {
            return Err(why.after(whose));
        }
    }
    let known = |factor: Factor| -> Result<[Amount; 2], Reason> {
        let of = |whose: Message, work: &Work| match work.amounts.get(&factor) {
            Some(Ok(amount)) => Ok(amount.clone()),
            Some(Err(why)) => Err(why.after(whose)),
            None => Err(Reason::new(say::FROM_NOT_LOOKED)),
        };
        Ok([of(say::BASELINE_ALONE, a)?, of(say::RECORD_ALONE, b)?])
    };
    // Of as many threads of a core the IPC of a thread is what counters print: the SMT yield is a part of it.
    let alike = (a.per_core / b.per_core - 1.0).abs() < 0.01 && known(Factor::Ipc).is_ok();
    let in_ipc = |f: Factor| f == Factor::Smt && alike && a.per_core > 1.01;
    // A part that only one side separates stays inside the IPC of both.
    let inside: Vec<[Amount; 2]> = Factor::ALL
        .into_iter()
        .filter(|f| f.inside_ipc() && !in_ipc(*f))
        .filter_map(|f| known(f).ok())
        .collect();
    let mut steps = vec![];
    for factor in Factor::ALL {
        let sides = known(factor).map(|mut sides| {
            if factor == Factor::Ipc {
                for part in &inside {
                    for (ipc, part) in sides.iter_mut().zip(part) {
                        *ipc = ipc.clone().over(part.value);
                    }
                }
                if alike {
                    sides = sides.map(|ipc| ipc.over(a.per_core));
                }
            }
            sides
        });
        let side = |work: &Work| work.amounts.get(&factor)?.as_ref().ok().cloned();
        let times = match &sides {
            Ok(_) if in_ipc(factor) => Err(Reason::new(say::FACTOR_IN_IPC)),
            Ok([x, y]) => Ok(times(factor, x, y)),
            Err(why) => Err(why.clone()),
        };
        let sides = sides.map_or_else(|_| [side(a), side(b)], |sides| sides.map(Some));
        steps.push(Step { factor, sides, times });
    }
    let ratio = b.rate / a.rate;
    let mut inferred = None;
    if one_program(a, b)
        && let Some(step) = unknown(&mut steps, Factor::Instructions)
    {
        step.times = Ok(Times { value: 1.0, low: 1.0, high: 1.0, how: How::Inferred });
        inferred = frequency(ratio, &mut steps);
    }
    let rest = rest(ratio, &steps);
    Ok(Parts { steps, rest, inferred })
}

/// Programs that run the same code on every machine of an instruction set; ciphers and our kernels choose theirs by the CPU.
const ONE_CODE: &[ProbeId] = &[
    ProbeId::Bc,
    ProbeId::PointSelect,
    ProbeId::Prime,
    ProbeId::Sysbench,
    ProbeId::Tpcc,
    ProbeId::Unixbench,
];

/// Whether both execute as many instructions for the same work, for it is one program on one instruction set.
fn one_program(a: &Work, b: &Work) -> bool {
    let built = |of: &Work| {
        let named = ["server", "compiler", "flags"].map(|name| of.software.get(name).cloned());
        (of.quantity.probe, of.version, of.architecture.clone(), named)
    };
    ONE_CODE.contains(&a.quantity.probe) && a.architecture.is_some() && built(a) == built(b)
}

fn unknown(steps: &mut [Step], factor: Factor) -> Option<&mut Step> {
    steps.iter_mut().find(|s| s.factor == factor && s.times.is_err())
}

/// Where all but the frequency is known, that is what the others leave, as far as the stated ranges allow it.
fn frequency(ratio: f64, steps: &mut [Step]) -> Option<Factor> {
    let is = |f: Factor| steps.iter().any(|s| s.factor == f && s.times.is_ok());
    if ![Factor::Instructions, Factor::Ipc, Factor::Cores].into_iter().all(is) {
        return None;
    }
    let others = steps.iter().filter(|s| s.factor != Factor::Frequency);
    let known: f64 = others.filter_map(|s| Some(s.times.as_ref().ok()?.value)).product();
    let step = steps.iter_mut().find(|s| s.factor == Factor::Frequency)?;
    let left = ratio / known;
    let value = match &step.times {
        Ok(stated) if stated.high / stated.low <= 1.005 => return None,
        Ok(stated) => left.clamp(stated.low, stated.high),
        Err(_) => left,
    };
    step.times = Ok(Times { value, low: value, high: value, how: How::Inferred });
    Some(Factor::Frequency)
}

pub(super) fn times(factor: Factor, a: &Amount, b: &Amount) -> Times {
    let how = a.how.max(b.how);
    match factor {
        // More instructions for the same work are slower.
        Factor::Instructions => {
            Times { value: a.value / b.value, low: a.low / b.high, high: a.high / b.low, how }
        }
        _ => Times { value: b.value / a.value, low: b.low / a.high, high: b.high / a.low, how },
    }
}

/// The residual of the known factors, and the factors in it.
fn rest(ratio: f64, steps: &[Step]) -> Rest {
    let mut times = Times { value: ratio, low: ratio, high: ratio, how: How::Inferred };
    for step in steps.iter().filter_map(|s| s.times.as_ref().ok()) {
        times.value /= step.value;
        times.low /= step.high;
        times.high /= step.low;
    }
    let known = |f: Factor| steps.iter().any(|s| s.factor == f && s.times.is_ok());
    Rest { times, holds: Factor::but(known) }
}
