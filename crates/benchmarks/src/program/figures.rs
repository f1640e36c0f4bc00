//! The figures of a counted run as a flat list, and their median and range over several runs.
use super::{Program, Target};
use estimates::groups::by_key;
use record::Unit;
use stats::{Interval, Sample};

/// One number of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    pub name: String,
    pub value: f64,
    pub unit: Unit,
    /// It speaks of the machine, not of what was counted.
    pub of_machine: bool,
    /// Share of the time during which it was counted.
    pub coverage: f64,
}

/// All numbers of a run, in the order of the report; what is unknown is missing.
pub fn figures(program: &Program<'_>) -> Vec<Figure> {
    let own = |name: &str, value: f64, unit: Unit, coverage: f64| Figure {
        name: name.into(),
        value,
        unit,
        of_machine: false,
        coverage,
    };
    let mut all = vec![own("elapsed", program.elapsed, Unit::Seconds, 1.0)];
    if let Ok(cpu) = &program.cpu {
        all.push(own("CPU time", cpu.all, Unit::Seconds, 1.0));
        let system = cpu.system.map(|s| own("CPU time in the kernel", s, Unit::Seconds, 1.0));
        all.extend(system);
    }
    all.extend(program.cpus().map(|cpus| own("CPUs used", cpus, Unit::Count, 1.0)));
    if let Ok(counted) = &program.counted {
        let system_wide = program.target == Target::Cpus;
        let ipc = if system_wide { "instructions per cycle of all" } else { "IPC" };
        all.push(own("frequency", counted.frequency(), Unit::Hertz, counted.share));
        all.push(own(ipc, counted.ipc(), Unit::PerCycle, counted.share));
    }
    for rate in &program.rates {
        let name = match rate.of {
            "per second" => format!("{}/s", rate.name),
            of => format!("{}, {of}", rate.name),
        };
        all.push(own(&name, rate.value, rate.unit, rate.share));
        // The counters have names of their own below.
        let count = program.run.reading(&rate.event).filter(|r| r.name.starts_with("program."));
        all.extend(count.map(|count| own(rate.name, count.value, count.unit, count.coverage)));
    }
    for reading in &program.run.readings {
        let (name, of_machine) = match reading.name.split_once('.') {
            // The kernel gives it in nanoseconds.
            Some(("counters", event @ "task-clock")) => {
                all.push(own(event, reading.value * 1e-9, Unit::Seconds, reading.coverage));
                continue;
            }
            Some(("counters", event)) => (event, false),
            Some(("machine", name)) => (name, true),
            _ => continue,
        };
        let figure = own(name, reading.value, reading.unit, reading.coverage);
        all.push(Figure { of_machine, ..figure });
    }
    all
}

/// A figure over several runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    pub name: String,
    pub of_machine: bool,
    pub unit: Unit,
    /// One for each run that has it.
    pub values: Vec<f64>,
    pub median: f64,
    /// 95 % interval of the median; of fewer than [`Spread::fewest`] runs that of the geometric mean, if all are positive.
    pub interval: Option<Interval>,
    pub min: f64,
    pub max: f64,
}

impl Spread {
    /// The fewest runs whose range holds the median with 95 % confidence: all n lie on one side of it with 2 / 2^n.
    pub fn fewest() -> usize {
        (1..).find(|runs| 0.5_f64.powi(*runs - 1) <= 0.05).unwrap_or(i32::MAX) as usize
    }
    /// The spread of every figure of these runs, in the order of the first that has it.
    pub fn of(programs: &[Program<'_>]) -> Vec<Spread> {
        let all = programs.iter().flat_map(figures);
        let spread = |((name, of_machine), of): ((String, bool), Vec<Figure>)| {
            let (unit, values) = (of[0].unit, of.iter().map(|f| f.value).collect::<Vec<_>>());
            let sample = Sample::new(&values)?;
            let interval = sample.median_interval(0.95).or_else(|| sample.geometric_interval(0.95));
            let median = sample.median();
            let (min, max) = (sample.min(), sample.max());
            Some(Spread { name, of_machine, unit, values, median, interval, min, max })
        };
        by_key(all, |f| (f.name.clone(), f.of_machine)).into_iter().filter_map(spread).collect()
    }
}
