//! lmbench's `stream`: nanoseconds per element and MB/s (10^6) of copy, scale, add and triad; whole sessions with the
//! commands and loops (`for i in $(seq 7 8 64)`) that state the CPU and node of each run.
//!
//! Limits: it prints the best of its repetitions, and not which lineage it is: intel/lmbench's `add` sums one array.
//! Source: lmbench, src/stream.c.
use crate::{prelude::*, session::loop_over};
use record::CpuSet;

pub(crate) static IMPORTER: Importer = Importer::new("lmbench stream", recognises, read);

const MARK: [&str; 2] = ["STREAM ", "STREAM2 "];

fn recognises(text: &Text) -> bool {
    text.lines().any(|l| row(l).is_some())
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut session = Session::default();
    for line in text.lines() {
        if let Some(command) = command(line.text, &["stream", "stream2"]) {
            session.end_block(found);
            session.end_command(found);
            session.command = Some((command.to_owned(), line.number));
            session.label = None;
            session.seen.clear();
            let kept = kept(command);
            found.source.command.get_or_insert(kept);
        } else if let Some(label) = label(line.text) {
            session.end_block(found);
            session.label = Some(label);
            session.seen.push(label);
        } else if let Some(row) = row(line) {
            session.add(row?, found);
        }
    }
    session.end_block(found);
    session.end_command(found);
    Ok(())
}

/// One printed figure.
struct Row {
    line: u32,
    kernel: String,
    latency: bool,
    printed: String,
    value: f64,
}

/// `STREAM copy latency: 1.38 nanoseconds`; an error where the words are there and the number is not.
fn row(line: Line<'_>) -> Option<Result<Row, Problem>> {
    let rest = MARK.iter().find_map(|m| line.text.trim_start().strip_prefix(m))?;
    let (what, value) = rest.split_once(':')?;
    let (kernel, what) = what.trim().split_once(' ')?;
    let latency = match what.trim() {
        "latency" => true,
        "bandwidth" => false,
        _ => return None,
    };
    let wanted = if latency { "nanoseconds" } else { "MB/sec" };
    let parsed = value.trim().split_once(' ').filter(|(_, unit)| unit.trim() == wanted);
    Some(match parsed.and_then(|(x, _)| Some((x, number(x).filter(|x| *x > 0.0)?))) {
        Some((printed, value)) => Ok(Row {
            line: line.number,
            kernel: tidy(kernel),
            latency,
            printed: printed.to_owned(),
            value,
        }),
        None => {
            Err(line.problem(format!("expected a number and {wanted}: it is cut short or damaged")))
        }
    })
}

/// The CPU or node that a loop echoes before each run: `7`, `core:7`, `numa 7`.
fn label(text: &str) -> Option<u64> {
    let text = text.trim();
    let bare = ["core:", "core ", "cpu:", "cpu ", "numa:", "numa ", "node:", "node "]
        .iter()
        .find_map(|head| text.strip_prefix(head))
        .unwrap_or(text);
    (!bare.is_empty() && bare.len() < 6 && bare.bytes().all(|b| b.is_ascii_digit()))
        .then(|| bare.parse().ok())?
}

#[derive(Default)]
struct Session {
    command: Option<(String, u32)>,
    label: Option<u64>,
    seen: Vec<u64>,
    block: Vec<Row>,
}

impl Session {
    fn add(&mut self, row: Row, found: &mut Found) {
        let again = |r: &Row| r.kernel == row.kernel && r.latency == row.latency;
        if self.block.iter().any(again) {
            self.end_block(found);
        }
        self.block.push(row);
    }
    /// The parts of the command before the program, which are numactl's, and after it.
    fn halves(&self) -> Option<(&str, &str)> {
        let (command, _) = self.command.as_ref()?;
        let at = ["/stream", " stream"].iter().find_map(|program| command.find(program));
        Some(at.map_or((command.as_str(), command.as_str()), |at| command.split_at(at)))
    }
    /// The list an option gives, with the loop's variable put in.
    fn placed(&self, names: &[&str]) -> Option<CpuSet> {
        let value = option(self.halves()?.0, names)?;
        let set = match value.starts_with('$') {
            true => [u32::try_from(self.label?).ok()?].into_iter().collect(),
            false => cpu_list(value, 256)?,
        };
        Some(set).filter(|s| !s.is_empty() && s.first() <= Some(CpuSet::MAX))
    }
    fn end_block(&mut self, found: &mut Found) {
        let block = std::mem::take(&mut self.block);
        let Some(first) = block.first() else { return };
        let line = first.line;
        let looped = self.command.as_ref().is_some_and(|(c, _)| loop_over(c).is_some());
        let unknown = looped && self.label.is_none();
        if unknown {
            found.warn(line, "the command above is a loop that names each run before it, and this run has no name: it was not made by that command, and where it ran is not known");
        }
        let placed = |names: &[&str]| if unknown { None } else { self.placed(names) };
        let (cpus, node) = (placed(&["-C", "--physcpubind"]), placed(&["-m", "--membind"]));
        let on = placed(&["-N", "--cpunodebind"]);
        let list = |set: &Option<CpuSet>| set.as_ref().map(|s| Value::from(s.to_string()));
        let stream_option = |name| self.halves().and_then(|(_, stream)| option(stream, &[name]));
        let threads = stream_option("-P").and_then(|p| p.parse::<u64>().ok());
        let params = known([
            ("cpu", list(&cpus)),
            ("from", list(&on)),
            ("memory", list(&node)),
            ("size", stream_option("-M").and_then(bytes).map(Value::from)),
            ("threads", threads.map(Value::from)),
            ("statistic", Some("best".into())),
        ]);
        let case = found.case_on(line, ProbeId::LmbenchStream, &params, [cpus, node]);
        for row in &block {
            let at = [("kernel", Value::from(row.kernel.as_str()))];
            let (quantity, factor) = match row.latency {
                true => (seconds(Metric::TimePerElement), 1e-9),
                false => (BANDWIDTH, 1e6),
            };
            found.series(case, quantity, &at, &[row.value * factor]);
        }
        self.check(&block, found);
    }
    /// Every time has its bandwidth, and they follow from each other.
    fn check(&self, block: &[Row], found: &mut Found) {
        let get = |kernel: &str, latency| {
            block.iter().find(|r| r.kernel == kernel && r.latency == latency)
        };
        let whole = ["copy", "scale", "add", "triad"]
            .iter()
            .all(|k| get(k, true).is_some() && get(k, false).is_some());
        let stream2 = get("fill", true).is_some() || get("daxpy", true).is_some();
        if let Some(last) = block.last().filter(|_| !whole && !stream2) {
            let what = if last.latency { "latency" } else { "bandwidth" };
            let kernel = &last.kernel;
            found.warn(last.line, format!("this run ends after {kernel} {what}: it is cut short"));
        }
        for row in block.iter().filter(|r| r.latency) {
            let Some(rate) = get(&row.kernel, false) else { continue };
            let element = match row.kernel.as_str() {
                "copy" | "scale" => 16.0,
                "add" | "triad" | "daxpy" => 24.0,
                "fill" | "sum" => 8.0,
                _ => continue,
            };
            let follows = element / (rate.value * 1e6) * 1e9;
            if !agree(row.value, follows, rounding(&row.printed) + 0.001 * row.value) {
                found.warn(row.line, format!(
                    "{} of {} ns and {} MB/s do not belong together: {element} bytes at that rate take {follows:.2} ns",
                    row.kernel, row.printed, rate.printed
                ));
            }
        }
        if let (Some(copy), Some(add)) = (get("copy", true), get("add", true))
            && add.value < copy.value
        {
            found.warn(0, "add takes less time than copy although it is counted 24 bytes to 16: this is the add of intel/lmbench, which sums one array (add_sum of cpulens); compare copy only");
        }
    }
    /// A loop names the runs that there should be.
    fn end_command(&mut self, found: &mut Found) {
        let Some((command, line)) = self.command.take() else { return };
        let Some((_, all)) = loop_over(&command) else { return };
        let missing = all.iter().filter(|n| !self.seen.contains(n));
        let missing: CpuSet = missing.filter_map(|n| u32::try_from(*n).ok()).collect();
        if !missing.is_empty() && !self.seen.is_empty() {
            let what =
                format!("the loop also runs {missing}, whose output is not there: it is cut short");
            found.warn(line, what);
        }
        let echoed = leading(&command).is_none() && self.seen.len() > all.len();
        if echoed {
            found.warn(line, "there are more runs than the loop makes");
        }
    }
}
