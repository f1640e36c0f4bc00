//! The sentences of an explanation: the answer, conditions, and how far it can be trusted.
use super::{Explanation, Factor, Family, Interleaved, Parts, Step, Times};
use crate::incomparable::Incomparable;
use crate::words::{number, percent, plain, rate, time};
use record::{Reason, Unit};

/// A residual below this is what rounding and multiplexed counters leave.
const CLOSES: f64 = 0.01;
/// Possible causes of a residual that no frequency explains.
const OTHERS: &str = "That part is no frequency: instructions for the same work, the operating system or a guest may differ.";
/// A factor nearer to 1 than this is not worth a sentence.
const WORTH: f64 = 0.03;

pub(super) fn sentences(of: &Explanation, base: &str, name: &str) -> Vec<String> {
    let speed = match of.ratio {
        r if (r - 1.0).abs() < 0.005 => format!("{name} is as fast as {base}"),
        r => format!("{name} is {} times as fast as {base}", plain(r)),
    };
    let parts = match &of.parts {
        Ok(parts) => parts,
        Err(why) => return unknown(&speed, why),
    };
    let mut sentences = vec![];
    sentences.push(match of.main().filter(|(_, t)| far(t) > WORTH) {
        Some((factor, times)) => {
            let share = times.value.ln() / of.ratio.ln();
            let most = match share {
                s if (0.5..=2.0).contains(&s) => "Most of it is",
                _ => "What weighs most is",
            };
            let seen = sides(&parts.steps, factor);
            format!("{speed}. {most} {}: {} times{seen}.", factor.name(), ranged(&times))
        }
        None => format!("{speed}, and no factor that is known differs."),
    });
    sentences.extend(against(of));
    sentences.extend(instructions(of, base, name));
    sentences.push(left(parts));
    sentences.extend(unlike(&of.unlike));
    sentences
}

fn unknown(speed: &str, why: &Reason) -> Vec<String> {
    let mut said = vec![format!("{speed}. The cause is unknown: {}.", why.why)];
    said.extend(why.remedy.as_ref().map(|remedy| format!("To be able to: {remedy}.")));
    said
}

fn unlike(all: &[Incomparable]) -> Option<String> {
    let mut why: Vec<String> = all.iter().map(|u| u.reason("").why).collect();
    why.dedup();
    (!why.is_empty()).then(|| format!("The two runs differ: {}.", why.join("; ")))
}

fn far(t: &Times) -> f64 {
    t.value.ln().abs()
}

/// `1.59`, or with what it can have been: `1.59 (1.29 to 1.59)`.
fn ranged(t: &Times) -> String {
    match t.high / t.low {
        wide if wide > 1.005 => {
            format!("{} ({} to {})", plain(t.value), plain(t.low), plain(t.high))
        }
        _ => plain(t.value),
    }
}

/// ` (0.37 against 0.67)`.
fn sides(steps: &[Step], factor: Factor) -> String {
    let step = steps.iter().find(|s| s.factor == factor);
    match (factor, step.map(|s| &s.sides)) {
        (Factor::Ipc | Factor::Cores | Factor::Smt, Some([Some(a), Some(b)])) => {
            format!(" ({} here, {} in the baseline)", number(b.value), number(a.value))
        }
        (Factor::Frequency, Some([Some(a), Some(b)])) => {
            let frequency = crate::words::frequency;
            format!(" ({} here, {} in the baseline)", frequency(b.value), frequency(a.value))
        }
        _ => String::new(),
    }
}

/// Other factors that are known and differ.
fn against(of: &Explanation) -> Option<String> {
    let main = of.main()?.0;
    let steps = &of.parts.as_ref().ok()?.steps;
    let words: Vec<String> = steps
        .iter()
        .filter(|s| s.factor != main && s.factor != Factor::Instructions)
        .filter_map(|s| Some((s, s.times.as_ref().ok().filter(|t| far(t) > WORTH)?)))
        .map(|(s, t)| format!("{} {} times{}", s.factor.name(), ranged(t), sides(steps, s.factor)))
        .collect();
    (!words.is_empty()).then(|| format!("Beside it: {}.", words.join("; ")))
}

/// The machine that executes more instructions for the same work, counted or by the residual.
fn instructions(of: &Explanation, base: &str, name: &str) -> Option<String> {
    let parts = of.parts.as_ref().ok()?;
    let step = parts.steps.iter().find(|s| s.factor == Factor::Instructions)?;
    let (times, why) = match &step.times {
        Ok(times) if step.sides.iter().all(Option::is_none) => {
            (*times, " (one program on one instruction set)".into())
        }
        Ok(times) => (*times, String::new()),
        Err(_) if parts.rest.holds == [Factor::Instructions] => {
            (parts.rest.times, " (not counted: it is what the other factors leave)".into())
        }
        Err(_) => return None,
    };
    if far(&times) < WORTH {
        return Some(format!("Both execute as many instructions for the same work{why}."));
    }
    // How many times as many, which is the inverse of what it makes of the speed.
    let more =
        Times { value: 1.0 / times.value, low: 1.0 / times.high, high: 1.0 / times.low, ..times };
    if !more.sure() && more.high / more.low > 1.005 {
        return Some(format!(
            "Whether {name} executes more instructions than {base} for the same work depends on the frequency it ran at: {} \
             times as many{why}.",
            ranged(&more)
        ));
    }
    let word = if more.value > 1.0 { "more" } else { "fewer" };
    Some(format!(
        "{name} executes {word} instructions than {base} for the same work: {} times as many{why}.",
        ranged(&more)
    ))
}

/// The residual, and whether that is good.
fn left(parts: &Parts) -> String {
    let rest = &parts.rest;
    let (times, off) = (ranged(&rest.times), (rest.times.value - 1.0).abs());
    match (parts.inferred.map(Factor::name), &rest.holds[..]) {
        (Some(name), _) if off <= CLOSES => format!(
            "Nobody measured the {name}: it is what the others leave, so that there is no residual to check it by."
        ),
        (Some(name), _) => beyond_stated(name, &times),
        (None, []) if off <= CLOSES => {
            format!("The factors account for all of it: the residual is {}.", percent(off))
        }
        (None, []) if rest.times.low < 1.0 && rest.times.high > 1.0 => format!(
            "The residual is {times} times, which is within what is not known of the factors."
        ),
        (None, []) => {
            format!("The residual is {times} times: the factors do not account for all of it.")
        }
        (None, [one]) => format!(
            "There is no residual to check it by: {} is whatever the others leave, and errors of theirs are in it.",
            one.name()
        ),
        (None, _) => {
            let names = names(&rest.holds);
            format!("{times} times remain for {names}, which no counter separates.")
        }
    }
}

fn beyond_stated(factor: &str, rest: &str) -> String {
    format!(
        "Nobody measured the {factor}, and what the others leave is more than what is stated of it allows: the residual is {rest} \
         times. {OTHERS}"
    )
}

fn names(of: &[Factor]) -> String {
    of.iter().map(|f| f.name()).collect::<Vec<_>>().join(", ")
}

/// Sentences for all points of a workload: the answer, what is left, what is unlike.
pub(super) fn of_family(of: &Family, base: &str, name: &str) -> Vec<String> {
    let points = match of.points {
        1 => String::new(),
        points => format!(" ({points} points)"),
    };
    let speed = format!("{name} is {} times as fast as {base}{points}", span(of.times));
    if let Some(why) = &of.declined {
        return unknown(&speed, why);
    }
    let mut sentences = vec![match of.main() {
        Some((factor, times)) => {
            format!("{speed}. What weighs most is {}: {} times.", factor.name(), span(times))
        }
        None => format!("{speed}, and no factor that is known differs."),
    }];
    let rest = span(of.rest);
    sentences.push(match of.factors.iter().find(|s| s.inferred) {
        Some(share) if of.unchecked() => format!(
            "Nobody measured the {}: it is what the others leave where one program executes as many instructions on one \
             instruction set. No residual is left to check it by.",
            share.factor.name()
        ),
        Some(share) => beyond_stated(share.factor.name(), &rest),
        None if of.holds.is_empty() => format!("The residual is {rest} times."),
        None => format!("{rest} times remain for {}, which nobody counted.", names(&of.holds)),
    });
    sentences.extend(second_thread(of));
    sentences.extend(unlike(&of.unlike));
    sentences
}

/// The gain of a core's second thread on both sides, beside the IPC of one thread.
fn second_thread(of: &Family) -> Option<String> {
    let sides = |factor: Factor| {
        let share = of.factors.iter().find(|s| s.factor == factor)?;
        Some((share.sides[0]?[1], share.sides[1]?[1]))
    };
    let ((gain, other), ipc) = (sides(Factor::Smt)?, sides(Factor::Ipc)?);
    let alike = |a: f64, b: f64| (a / b - 1.0).abs() < 0.01;
    if gain.max(other) < 1.01 || alike(ipc.0, ipc.1) || alike(gain, other) {
        return None;
    }
    let trend = match (ipc.1 / ipc.0 - 1.0) * (other / gain - 1.0) {
        x if x < 0.0 => "the lower IPC leaves more to a second thread",
        _ => "the lower IPC does not leave more to a second thread",
    };
    Some(format!(
        "A second thread of a core makes it {} times as fast here and {} times in the baseline, where one thread has an IPC of {} and {}: \
         {trend}.",
        number(other),
        number(gain),
        number(ipc.1),
        number(ipc.0)
    ))
}

/// The dies of a socket as the cause.
pub(super) fn of_dies(of: &Interleaved, whole: &str, apart: &str) -> String {
    let value = |x: f64| match of.unit {
        Unit::Seconds => time(x),
        _ => rate(x),
    };
    format!(
        "The cause is die interleaving: {whole} has one NUMA node for the {} dies of a socket, and {apart} measured {} with memory \
         of the own die, {} on average over the dies of a socket.",
        of.dies,
        value(of.own),
        value(of.mean)
    )
}

/// `0.51 to 0.61`, or one number where both are alike.
fn span([low, high]: [f64; 2]) -> String {
    match (plain(low), plain(high)) {
        (low, high) if low == high => low,
        (low, high) => format!("{low} to {high}"),
    }
}
