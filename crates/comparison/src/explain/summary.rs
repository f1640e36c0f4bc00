//! The sentences of an explanation: the answer, conditions, and how far it can be trusted.
use super::{Explanation, Factor, Family, Interleaved, Parts, Step, Times};
use crate::incomparable::Incomparable;
use crate::say;
use crate::words::{frequency, number, percent, plain, rate, time};
use record::{Between, Reason, Text, Unit};

/// A residual below this is what rounding and multiplexed counters leave.
const CLOSES: f64 = 0.01;
/// A factor nearer to 1 than this is not worth a sentence.
const WORTH: f64 = 0.03;

pub(super) fn sentences(of: &Explanation, base: &str, name: &str) -> Vec<Text> {
    let speed = match of.ratio {
        r if (r - 1.0).abs() < 0.005 => say::as_fast(name, base),
        r => say::speed(name, plain(r), base),
    };
    let parts = match &of.parts {
        Ok(parts) => parts,
        Err(why) => return unknown(speed, why),
    };
    let mut sentences = vec![];
    sentences.push(match of.main().filter(|(_, t)| far(t) > WORTH) {
        Some((factor, times)) => {
            let on_sides = on_sides(&parts.steps, factor, &times);
            match times.value.ln() / of.ratio.ln() {
                s if (0.5..=2.0).contains(&s) => say::most_of_it(speed, factor.name(), on_sides),
                _ => say::weighs_most(speed, factor.name(), on_sides),
            }
        }
        None => say::no_factor_differs(speed),
    });
    sentences.extend(against(of));
    sentences.extend(instructions(of, base, name));
    sentences.push(left(parts));
    sentences.extend(unlike(&of.unlike));
    sentences
}

fn unknown(speed: Text, why: &Reason) -> Vec<Text> {
    let mut said = vec![say::cause_unknown(speed, &why.why)];
    said.extend(why.remedy.as_ref().map(say::to_be_able));
    said
}

fn unlike(all: &[Incomparable]) -> Option<Text> {
    let mut why: Vec<Text> = all.iter().map(|u| u.reason("").why).collect();
    why.dedup();
    (!why.is_empty()).then(|| say::runs_unlike(Text::list(why, Between::Semicolon)))
}

fn far(t: &Times) -> f64 {
    t.value.ln().abs()
}

/// `1.59`, or with what it can have been: `1.59 (1.29 to 1.59)`.
fn ranged(t: &Times) -> Text {
    match t.high / t.low {
        wide if wide > 1.005 => say::value_in_range(plain(t.value), plain(t.low), plain(t.high)),
        _ => plain(t.value).into(),
    }
}

/// `1.59 times (0.37 here, 0.67 in the baseline)`.
fn on_sides(steps: &[Step], factor: Factor, times: &Times) -> Text {
    let step = steps.iter().find(|s| s.factor == factor);
    let word = match factor {
        Factor::Ipc | Factor::Cores | Factor::Smt => number,
        Factor::Frequency => frequency,
        _ => return say::so_many_times(ranged(times)),
    };
    match step.map(|s| &s.sides) {
        Some([Some(a), Some(b)]) => {
            say::times_on_sides(ranged(times), word(b.value), word(a.value))
        }
        _ => say::so_many_times(ranged(times)),
    }
}

/// Other factors that are known and differ.
fn against(of: &Explanation) -> Option<Text> {
    let main = of.main()?.0;
    let steps = &of.parts.as_ref().ok()?.steps;
    let factors = steps
        .iter()
        .filter(|s| s.factor != main && s.factor != Factor::Instructions)
        .filter_map(|s| Some((s, s.times.as_ref().ok().filter(|t| far(t) > WORTH)?)))
        .map(|(s, t)| say::factor_times(s.factor.name(), on_sides(steps, s.factor, t)));
    let factors = Text::list(factors, Between::Semicolon);
    (!factors.is_empty()).then(|| say::beside_it(factors))
}

/// The machine that executes more instructions for the same work, counted or by the residual.
fn instructions(of: &Explanation, base: &str, name: &str) -> Option<Text> {
    let parts = of.parts.as_ref().ok()?;
    let step = parts.steps.iter().find(|s| s.factor == Factor::Instructions)?;
    let (times, why) = match &step.times {
        Ok(times) if step.sides.iter().all(Option::is_none) => (*times, say::OF_ONE_PROGRAM.into()),
        Ok(times) => (*times, Text::default()),
        Err(_) if parts.rest.holds == [Factor::Instructions] => {
            (parts.rest.times, say::OF_WHAT_OTHERS_LEAVE.into())
        }
        Err(_) => return None,
    };
    if far(&times) < WORTH {
        return Some(say::as_many_instructions(why));
    }
    // How many times as many, which is the inverse of what it makes of the speed.
    let more =
        Times { value: 1.0 / times.value, low: 1.0 / times.high, high: 1.0 / times.low, ..times };
    Some(if !more.sure() && more.high / more.low > 1.005 {
        say::instructions_depend(name, base, ranged(&more), why)
    } else if more.value > 1.0 {
        say::more_instructions(name, base, ranged(&more), why)
    } else {
        say::fewer_instructions(name, base, ranged(&more), why)
    })
}

/// The residual, and whether that is good.
fn left(parts: &Parts) -> Text {
    let rest = &parts.rest;
    let (times, off) = (ranged(&rest.times), (rest.times.value - 1.0).abs());
    match (parts.inferred.map(Factor::name), &rest.holds[..]) {
        (Some(name), _) if off <= CLOSES => say::follows_from_others(name),
        (Some(name), _) => say::beyond_stated(name, times),
        (None, []) if off <= CLOSES => say::all_accounted(percent(off)),
        (None, []) if rest.times.low < 1.0 && rest.times.high > 1.0 => say::residual_within(times),
        (None, []) => say::residual_beyond(times),
        (None, [one]) => say::residual_one(one.name()),
        (None, _) => say::remain_unseparated(times, names(&rest.holds)),
    }
}

fn names(of: &[Factor]) -> Text {
    Text::list(of.iter().map(|f| f.name()), Between::Comma)
}

/// Sentences for all points of a workload: the answer, what is left, what is unlike.
pub(super) fn of_family(of: &Family, base: &str, name: &str) -> Vec<Text> {
    let speed = match of.points {
        1 => say::speed(name, span(of.times), base),
        points => say::speed_at_points(name, span(of.times), base, points),
    };
    if let Some(why) = &of.declined {
        return unknown(speed, why);
    }
    let mut sentences = vec![match of.main() {
        Some((factor, times)) => {
            say::weighs_most(speed, factor.name(), say::so_many_times(span(times)))
        }
        None => say::no_factor_differs(speed),
    }];
    let rest = span(of.rest);
    sentences.push(match of.factors.iter().find(|s| s.inferred) {
        Some(share) if of.unchecked() => say::follows_from_one_program(share.factor.name()),
        Some(share) => say::beyond_stated(share.factor.name(), rest),
        None if of.holds.is_empty() => say::residual_is(rest),
        None => say::remain_uncounted(rest, names(&of.holds)),
    });
    sentences.extend(second_thread(of));
    sentences.extend(unlike(&of.unlike));
    sentences
}

/// The gain of a core's second thread on both sides, beside the IPC of one thread.
fn second_thread(of: &Family) -> Option<Text> {
    let sides = |factor: Factor| {
        let share = of.factors.iter().find(|s| s.factor == factor)?;
        Some((share.sides[0]?[1], share.sides[1]?[1]))
    };
    let ((gain, other), ipc) = (sides(Factor::Smt)?, sides(Factor::Ipc)?);
    let alike = |a: f64, b: f64| (a / b - 1.0).abs() < 0.01;
    if gain.max(other) < 1.01 || alike(ipc.0, ipc.1) || alike(gain, other) {
        return None;
    }
    let (here, base, ipc_here, ipc_base) =
        (number(other), number(gain), number(ipc.1), number(ipc.0));
    Some(match (ipc.1 / ipc.0 - 1.0) * (other / gain - 1.0) {
        x if x < 0.0 => say::second_thread_gains_more(here, base, ipc_here, ipc_base),
        _ => say::second_thread_gains_no_more(here, base, ipc_here, ipc_base),
    })
}

/// The dies of a socket as the cause.
pub(super) fn of_dies(of: &Interleaved, whole: &str, apart: &str) -> Text {
    let value = |x: f64| match of.unit {
        Unit::Seconds => time(x),
        _ => rate(x),
    };
    say::die_interleaving(whole, of.dies, apart, value(of.own), value(of.mean))
}

/// `0.51 to 0.61`, or one number where both are alike.
fn span([low, high]: [f64; 2]) -> Text {
    match (plain(low), plain(high)) {
        (low, high) if low == high => low.into(),
        (low, high) => say::from_to(low, high),
    }
}
