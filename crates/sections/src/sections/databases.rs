//! Databases on more and more cores: throughput, latency, what it cost the processor, whether it counts, and what holds it back.
use crate::chart::{Chart, Curves, Kind, Point as At};
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::databases::{Against, Database, Databases, Point};
use analyse::{Interval, Report};
use record::{Message, ProbeId, Text, Unit};

/// The difference of TPC-C as it is run here from the standard (docs/limits.md).
const NO_TPC: Message = say::NOPM_IS_NO_TPC_RESULT;

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("Databases", 130, &[ProbeId::PointSelect, ProbeId::Tpcc], blocks);

/// One chart and table for each load.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let mut blocks = vec![];
    for (number, database) in (1..).zip(&report.get::<Databases>().0) {
        blocks.push(Block::heading(title(database)));
        if database.points.iter().filter(|p| p.median.is_some()).count() > 1 {
            // The chart brings the table.
            blocks.push(Block::chart(chart(database, number)));
        } else {
            blocks.push(Block::Table(table(database)));
        }
        blocks.push(Block::items(database.says()));
    }
    if report.get::<Databases>().0.iter().any(is_tpcc) {
        blocks.push(Block::text(NO_TPC));
    }
    let all = section::of_probes(report, SECTION.probes);
    blocks.extend(origin::every(report, say::EVERY_QUANTITY_OF_EVERY_STEP, "step", &all));
    blocks
}

fn is_tpcc(database: &Database) -> bool {
    database.workload == "tpcc"
}

fn title(database: &Database) -> String {
    let what = if is_tpcc(database) { "TPC-C" } else { "Point select" };
    format!("{what}: {}", database.load)
}

/// A throughput: queries a second, or new orders a minute.
fn rate(database: &Database, x: f64) -> String {
    match is_tpcc(database) {
        true => quantity::many(x * 60.0),
        false => quantity::plain(x, Unit::PerSecond),
    }
}

/// The interval in the unit of [`rate`].
fn interval(database: &Database, median: f64, of: &Interval) -> String {
    match is_tpcc(database) {
        true => format!("{} to {}", rate(database, of.low), rate(database, of.high)),
        false => quantity::interval(median, Unit::PerSecond, of),
    }
}

fn table(database: &Database) -> Table {
    let name = if is_tpcc(database) { "#NOPM" } else { "#queries" };
    let unknown = || "n/a".to_owned();
    let plain = |x: Option<f64>, unit| x.map_or_else(unknown, |x| quantity::plain(x, unit));
    let table = Table::of(&database.points, |point| {
        let failed: Vec<String> = point.failed.iter().map(ToString::to_string).collect();
        let at = |q: f64| {
            let (_, s) = point.latency.iter().find(|(known, _)| *known == q)?;
            Some(quantity::plain(*s, Unit::Seconds))
        };
        let latency: Vec<String> = [0.5, 0.99, 0.999].into_iter().filter_map(at).collect();
        let interval = point.median.zip(point.interval).map(|(m, i)| interval(database, m, &i));
        let usual = point.connections == point.threads as u64;
        [
            ("step", point.step.clone().into()),
            ("placement", placement(point)),
            (
                "connections",
                Text::from(if usual { String::new() } else { point.connections.to_string() }),
            ),
            (name, point.median.map_or("none".into(), |m| rate(database, m)).into()),
            ("#95 % interval", interval.unwrap_or_else(|| "too few".into()).into()),
            ("#efficiency", point.efficiency.map_or_else(unknown, quantity::percent).into()),
            ("efficiency against", point.against.as_ref().map(against).unwrap_or_default().into()),
            ("#CPU use", point.full.map_or_else(unknown, quantity::percent).into()),
            ("IPC", ipc(point)),
            ("stalls", point.stalls.map_or_else(unknown, quantity::percent).into()),
            ("#frequency", plain(point.frequency, Unit::Hertz).into()),
            ("#CPU each", plain(point.cpu_time, Unit::Seconds).into()),
            ("#switches", point.switches.map_or_else(unknown, |n| format!("{n:.2}")).into()),
            ("p50, p99, p99.9", latency.join(", ").into()),
            ("what holds it back", point.short()),
            ("excluded", failed.join("; ").into()),
        ]
    });
    let mut table = table.folded();
    if let Some(engine) = &database.engine {
        table.notes.insert(0, format!("engine: {engine}").into());
    }
    table.note(say::INTERVAL_OF_THE_NEXT_RUN);
    table
}

/// Instructions per cycle, in user mode where the kernel's may not be counted, or why there are none.
fn ipc(point: &Point) -> Text {
    let plain = |x| quantity::plain(x, Unit::PerCycle);
    let user = || point.ipc_user.map(|x| format!("{}, user mode", plain(x)));
    let ipc = point.ipc.map(plain).or_else(user);
    ipc.map_or_else(|| quantity::uncounted(point.uncounted.as_ref()), Text::from)
}

fn against(base: &Against) -> String {
    match base.connections {
        1 => format!("{}, 1 connection", base.step),
        n => format!("{}, {n} connections", base.step),
    }
}

fn placement(point: &Point) -> Text {
    let named = point.placement.clone().unwrap_or_default();
    match (point.shared, point.siblings) {
        (true, _) => say::databases_clients_same_cpus(&named),
        (false, true) => say::databases_clients_their_siblings(&named),
        (false, false) => named.into(),
    }
}

fn chart(database: &Database, number: usize) -> Chart {
    let (name, times) = if is_tpcc(database) { ("NOPM", 60.0) } else { ("queries", 1.0) };
    let unit = if is_tpcc(database) { Unit::Count } else { Unit::PerSecond };
    let mut curves = Curves::over(("cores", Unit::Count), (name, unit));
    for point in &database.points {
        let Some(y) = point.median else { continue };
        let each = point.connections / point.threads.max(1) as u64;
        let mut label = placement(point);
        if each > 1 {
            label.change(|label| *label += &format!(" {each} connections a CPU"));
        }
        if point.threads > point.cores {
            label.change(|label| *label += " with siblings");
        }
        let label = if label.is_empty() { "a thread a core".into() } else { label };
        let ends = point.interval.map(|i| (i.low * times, i.high * times));
        let at = At { x: point.cores as f64, y: y * times, ends };
        curves.point(label, at);
    }
    Chart {
        name: format!("database-{number}"),
        title: format!("{name} over cores, {}", title(database)).into(),
        description: say::BOTH_AXES_ARE_LOGARITHMIC_SO_THAT_WHAT.into(),
        table: table(database),
        kind: Kind::Curves(curves),
    }
}
