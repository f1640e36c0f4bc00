//! `stat` as a JSON document.
use super::{intervals::Intervals, tag};
use analyse::program::{Identity, Program, Rate, Spread, Target};
use record::{Reason, Unit, json_escaped};
use serde_json::{Value, json};

/// Version of the JSON document.
const STAT: u32 = 1;

/// One run as a document, or several with the median and range of each figure; intervals as they were seen.
pub fn document(programs: &[Program<'_>], intervals: &[Intervals]) -> String {
    let one = |(program, intervals): (&Program<'_>, Option<&Intervals>)| {
        let mut document = value(program);
        if let Some(seen) = intervals.filter(|seen| !seen.is_empty()) {
            document["intervals"] = json!(seen);
        }
        document
    };
    let with_intervals = |(at, program)| one((program, intervals.get(at)));
    let mut documents: Vec<Value> = programs.iter().enumerate().map(with_intervals).collect();
    let mut document = match documents.len() {
        1 => documents.remove(0),
        _ => json!({
            "runs": documents,
            "figures": Spread::of(programs).iter().map(|s| spread(s, programs)).collect::<Vec<_>>(),
        }),
    };
    document["stat"] = STAT.into();
    json_escaped(&format!("{document:#}\n"))
}

fn spread(of: &Spread, programs: &[Program<'_>]) -> Value {
    let own = programs.first().map_or(String::new(), tag);
    json!({
        "name": of.name,
        "of": if of.of_machine { "machine" } else { &own },
        "unit": of.unit,
        "runs": of.values.len(),
        "median": of.median,
        "interval": of.interval,
        "min": of.min,
        "max": of.max,
    })
}

/// The observation as a record has it, and what follows from it.
fn value(program: &Program<'_>) -> Value {
    let reason = |why: &Reason| json!({ "why": why.why, "remedy": why.remedy });
    let quantity = |value: f64, unit: Unit| json!({ "value": value, "unit": unit });
    let identity = match &program.identity {
        Identity::Holds(frequency) => json!({ "holds": quantity(*frequency, Unit::Hertz) }),
        Identity::Impossible(why) => json!({ "impossible": why }),
        Identity::Unknown(why) => json!({ "unknown": reason(why) }),
    };
    let counted = match &program.counted {
        Err(why) => json!({ "unknown": reason(why) }),
        Ok(counted) => {
            // Of CPUs there is no IPC of a program.
            let name = if program.target == Target::Cpus {
                "instructions_per_cycle_of_all"
            } else {
                "ipc"
            };
            let mut object = json!({
                "cycles": quantity(counted.cycles, Unit::Cycles),
                "instructions": quantity(counted.instructions, Unit::Count),
                "coverage": counted.share,
                "frequency": quantity(counted.frequency(), Unit::Hertz),
            });
            object[name] = quantity(counted.ipc(), Unit::PerCycle);
            object
        }
    };
    let counted_rate = |rate: &Rate| {
        let mut object = json!(rate);
        object["count"] = json!(program.run.reading(&rate.event).map(|reading| reading.value));
        object
    };
    let rates: Vec<Value> = program.rates.iter().map(counted_rate).collect();
    let target = match program.target {
        Target::Command => "command",
        Target::Process => "process",
        Target::Cpus => "system-wide",
    };
    let cpu = match &program.cpu {
        Ok(cpu) => json!({
            "all": quantity(cpu.all, Unit::Seconds),
            "system": cpu.system.map(|system| quantity(system, Unit::Seconds)),
        }),
        Err(why) => json!({ "unknown": reason(why) }),
    };
    json!({
        "scope": { "target": target, "words": program.scope, "user_only": program.user_only },
        "elapsed": quantity(program.elapsed, Unit::Seconds),
        "cpu": cpu,
        "cpus": program.cpus(),
        "counted": counted,
        "identity": identity,
        "slots": program.slots,
        "rates": rates,
        "limiter": {
            "name": program.limiter.limiter.name(),
            "evidence": program.limiter.evidence,
            "estimated": program.limiter.estimated,
        },
        "run": program.run,
    })
}
