//! likwid-perfctr's tables and its `-O` CSV: counts of each hardware thread and the metrics that follow from them, by
//! performance group and marker region. Tables of sums, ends and means (STAT) follow from these and are left.
//!
//! Limits: it counts all that ran on its hardware threads, as `perf stat -C` does. Counts outside the cores stand with one
//! thread of the socket. The text does not state for which share of the time a group of several was counted.
//! Source: RRZE-HPC/likwid, src/applications/likwid.lua, printOutput; published outputs of Skylake-SP and Zen 2.
use crate::{
    cells::{piped, separated},
    prelude::*,
};

pub(crate) static IMPORTER: Importer = Importer::new("likwid-perfctr", recognises, read);

/// The highest number of a hardware thread, and the most of them in all tables together.
const HIGHEST: u32 = 8_191;
const MOST_CASES: usize = 10_000;

const ELAPSED: &[&str] = &["Runtime (RDTSC) [s]", "RDTSC Runtime [s]"];

/// Events that every CPU has, under perf's names.
const EVENTS: &[(&str, &str)] = &[
    ("INSTR_RETIRED_ANY", "instructions"),
    ("RETIRED_INSTRUCTIONS", "instructions"),
    ("INST_RETIRED", "instructions"),
    ("CPU_CLK_UNHALTED_CORE", "cycles"),
    ("CPU_CLOCKS_UNHALTED", "cycles"),
    ("CPU_CYCLES", "cycles"),
    ("CPU_CLK_UNHALTED_REF", "ref-cycles"),
];

/// The unit at the end of a metric's name, its factor, and what the metric is called.
const UNITS: &[(&str, Unit, f64, &str)] = &[
    ("s", Unit::Seconds, 1.0, "time"),
    ("MHz", Unit::Hertz, 1e6, "frequency"),
    ("MBytes/s", Unit::BytesPerSecond, 1e6, "bandwidth"),
    ("GBytes", Unit::Bytes, 1e9, "data_volume"),
    ("MFLOP/s", Unit::PerSecond, 1e6, "rate"),
    ("MUOPS/s", Unit::PerSecond, 1e6, "rate"),
    ("J", Unit::Joules, 1.0, "energy"),
    ("W", Unit::Watts, 1.0, "power"),
    ("C", Unit::Celsius, 1.0, "temperature"),
    ("%", Unit::Ratio, 0.01, "share"),
];

/// The quantity of a metric, and the factor to its unit.
fn quantity(name: &str) -> (Quantity, f64) {
    if ELAPSED.contains(&name) {
        return (seconds(Metric::Elapsed), 1.0);
    }
    let last = name.rsplit(' ').next().unwrap_or("").trim_matches(['[', ']']);
    match UNITS.iter().find(|(word, ..)| *word == last) {
        Some((_, unit, factor, metric)) => (neither((*metric).into(), *unit), *factor),
        None => (neither(Metric::Count, Unit::Count), 1.0),
    }
}

/// The head of a table at a line: region, group, and whether it is the first table of that head.
fn head(line: &str) -> Option<(Option<String>, String, bool)> {
    let region = |part: &str| part.strip_prefix("Region ").map(tidy);
    if let Some(rest) = line.strip_prefix("TABLE,") {
        let mut cells = rest.split(',');
        let first = cells.next()?;
        let table = if region(first).is_some() { cells.next()? } else { first };
        table.starts_with("Group ").then_some(())?;
        return Some((region(first), tidy(cells.next()?), table.ends_with(" Raw")));
    }
    let (before, group) = line.trim().rsplit_once(": ")?;
    let (marked, number) = before.rsplit_once(", ").map_or((None, before), |(r, n)| (Some(r), n));
    number.strip_prefix("Group ")?.parse::<u32>().ok()?;
    Some((marked.and_then(region), tidy(group), true))
}

fn recognises(text: &Text) -> bool {
    text.any(|l| {
        let cells = piped(l).unwrap_or_default();
        matches!(&cells[..], [event, counter, ..] if event == "Event" && counter == "Counter")
            || (l.starts_with("TABLE,") && head(l).is_some())
    })
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let csv = text.any(|l| l.starts_with("TABLE,"));
    let mut table = Table::default();
    for line in text.lines() {
        if let Some((region, group, first)) = head(line.text) {
            (table.region, table.group) = (region, group);
            table.threads.clear();
            if first {
                table.cases.clear();
            }
        } else if let Some((name @ ("CPU name" | "CPU clock"), value)) = line.text.split_once(':') {
            let value = value.trim_matches(|c: char| c == ',' || c.is_whitespace());
            match name {
                "CPU name" => found.fact(line.number, "cpu.model", tidy(value)),
                _ => found.known_in(line.number, "cpu.frequency.base", hertz(value), Unit::Hertz),
            }
        } else if csv {
            table.row(line.number, &separated(line.text), found);
        } else if let Some(cells) = piped(line.text) {
            table.row(line.number, &cells, found);
        }
    }
    let cut = found.runs.is_empty();
    Problem::when(cut, "its tables hold no hardware thread: it is cut short")
}

#[derive(Default)]
struct Table {
    region: Option<String>,
    group: String,
    /// Whether its second column names counters.
    counters: bool,
    /// The hardware thread of each column behind the names; none in a table of sums.
    threads: Vec<u32>,
    /// The case of each hardware thread.
    cases: Vec<Option<usize>>,
}

impl Table {
    fn row(&mut self, n: u32, cells: &[String], found: &mut Found) {
        let Some(name) = cells.first() else { return };
        if ["Event", "Metric", "Region Info"].contains(&name.as_str()) {
            self.counters = name == "Event";
            let thread = |cell: &String| {
                let number = cell.strip_prefix("HWThread ").or(cell.strip_prefix("Core "))?;
                number.parse().ok().filter(|cpu| *cpu <= HIGHEST)
            };
            let heads = cells.iter().skip(1 + usize::from(self.counters));
            self.threads = heads.map_while(thread).collect();
            return;
        }
        let values = cells.iter().skip(1 + usize::from(self.counters));
        let mut uncounted = 0;
        for (cpu, cell) in self.threads.clone().into_iter().zip(values) {
            match number(cell) {
                Some(value) => self.value(n, cpu, cells, value, found),
                None => uncounted += 1,
            }
        }
        if uncounted > 0 && uncounted == self.threads.len() {
            found.warn(n, format!("{} was not counted", tidy(name)));
        }
    }
    fn begin(&mut self, n: u32, cpu: u32, found: &mut Found) -> usize {
        let mut params = vec![
            ("scope", Value::from("cpu")),
            ("group", self.group.as_str().into()),
            ("cpu", u64::from(cpu).into()),
        ];
        params.extend(self.region.as_deref().map(|region| ("region", region.into())));
        let case = found.case(n, ProbeId::LikwidPerfctr, &params);
        found.runs[case].case.place.cpus.insert(cpu);
        self.cases[cpu as usize] = Some(case);
        case
    }
    fn value(&mut self, n: u32, cpu: u32, cells: &[String], value: f64, found: &mut Found) {
        let at = cpu as usize;
        if self.cases.len() <= at {
            self.cases.resize(at + 1, None);
        }
        let case = match self.cases[at] {
            Some(case) => case,
            None if found.runs.len() >= MOST_CASES => {
                return found.warn(0, format!("only {MOST_CASES} hardware threads were read"));
            }
            None => self.begin(n, cpu, found),
        };
        let (name, counter) = (cells[0].as_str(), cells.get(1).map_or("", String::as_str));
        if name == "call count" {
            found.reading(case, "calls", Unit::Count, value, 1.0);
        } else if self.counters && counter != "TSC" {
            let unit = if counter.starts_with("PWR") { Unit::Joules } else { Unit::Count };
            let known = EVENTS.iter().find(|(event, _)| *event == name);
            let name = known.map_or_else(|| format!("{name}:{counter}"), |(_, of)| (*of).into());
            found.reading(case, &name, unit, value, 1.0);
        } else if name == "CPI" && value > 0.0 {
            let run = &found.runs[case];
            let count = |of| run.reading(of).map(|r| r.value);
            let follows = count("cycles").zip(count("instructions")).map(|(c, i)| c / i);
            if follows.is_some_and(|x| (x - value).abs() > 0.01 * value + 5e-5) {
                found.warn(n, format!("a CPI of {value} does not follow from the counts"));
            }
            let ipc = (Metric::Ipc, Unit::PerCycle, Better::Higher);
            found.series(case, ipc, &[], &[1.0 / value]);
        } else {
            let (quantity, factor) = quantity(name);
            let timed = quantity.0 == Metric::Elapsed;
            // The region's own line has more digits than the metric.
            if !(timed && found.runs[case].metric(Metric::Elapsed).is_some()) {
                let bare = name.split(" [").next().unwrap_or(name);
                let at = [("of", Value::from(tidy(bare)))];
                found.series(case, quantity, if timed { &[] } else { &at }, &[value * factor]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Gathered;
    use record::{Metric, Provenance};

    /// Made up after likwid.lua's printOutput: what the tables hold, with commas.
    const CSV: &str = "STRUCT,Info,3,,\nCPU name:,AMD EPYC 7702 64-Core Processor,,,\nCPU clock:,2.0 GHz,,,\nTABLE,Group 1 Raw,MEM,4,\nEvent,Counter,HWThread 0,HWThread 64,\nRETIRED_INSTRUCTIONS,PMC0,3200208000,100,\nCPU_CLOCKS_UNHALTED,PMC1,1139623000,200,\nDRAM_CHANNEL_0,DFC0,6608612,-,\nTABLE,Group 1 Metric,MEM,3,\nMetric,HWThread 0,HWThread 64,,\nRuntime (RDTSC) [s],0.3444,0.3444,,\nCPI,0.3561,9,,\nMemory bandwidth [MBytes/s],2456.5124,0,,\nTABLE,Group 1 Metric STAT,MEM,3,\nMetric,Sum,Min,Max,Avg\nCPI STAT,1,2,3,4\n";

    #[test]
    fn csv_holds_what_the_tables_do() {
        let mut gathered = Gathered::default();
        let read = gathered.add("l.csv", CSV.as_bytes()).unwrap();
        assert_eq!((read.facts, read.series, read.warnings), (2, 6, 1), "a CPI of 9 is none of 2");
        let record = gathered.record(Provenance::default());
        assert_eq!(record.runs.len(), 2);
        let first = &record.runs[0];
        assert_eq!(first.reading("instructions").unwrap().value, 3_200_208_000.0);
        assert_eq!(first.reading("DRAM_CHANNEL_0:DFC0").unwrap().value, 6_608_612.0);
        let bandwidth = first.metric(Metric::Bandwidth).unwrap();
        assert!((bandwidth.samples[0] - 2_456_512_400.0).abs() < 1.0);
        assert!(record.runs[1].reading("DRAM_CHANNEL_0:DFC0").is_none());
    }
}
