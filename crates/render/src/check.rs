//! A check for monitoring systems: the one line of a Nagios plug-in, the text file of Prometheus' node exporter, a document.
use crate::quantity;
use analyse::by_key;
use fleet::check::{Check, Checked, Fault, Status};
use fleet::headline::{ACROSS, STATISTIC, words};
use fleet::{Headline, Limit};
use record::{Better, Between, Sort, Text, Unit, hostile, stored_name};
use sections::document::Document;
use sections::page::{Block, Page, Section, Table};
use serde_json::json;
use std::fmt::Write as _;

/// Figures that the text before the performance data names; all are in the data.
const NAMED: [&str; 4] = ["core_frequency", "memory_latency", "read_bandwidth", "triad_bandwidth"];
/// Characters of the text before the performance data: what NRPE passes on has 1 KiB.
const TEXT: usize = 400;

/// `CPULENS OK - 12.3 GB/s read bandwidth | 'read_bandwidth'=12300000000;11685000000:;11070000000:` (Monitoring Plugins
/// Development Guidelines: "Plugin Output for Nagios", "Performance data").
pub fn line(check: &Check) -> String {
    // The name is in the sentence of a limit that was not measured.
    let named = |f: &Fault| match f.why.strip_prefix(&f.name) {
        Some(rest) if rest.starts_with(' ') => f.why.to_string(),
        _ => format!("{}: {}", fault(&f.name), f.why),
    };
    let (kept, missed): (Vec<&Checked>, Vec<&Checked>) =
        check.results.iter().partition(|r| r.status == Status::Ok);
    let faults = check.faults.iter().map(|f| (f.status, named(f)));
    let mut all: Vec<(Status, String)> =
        faults.chain(missed.iter().map(|r| (r.status, outside(r)))).collect();
    // What made the verdict comes first, and what is cut off is the least grave.
    all.order_by_key(|(status, _)| std::cmp::Reverse((*status == check.status, *status)));
    // A full stop within a line is none.
    let clause = |(_, words): (Status, String)| words.trim_end_matches('.').to_owned();
    let mut words: Vec<String> = all.into_iter().map(clause).collect();
    if words.is_empty() {
        let named = kept.iter().filter(|r| {
            let name = &r.headline.name;
            NAMED.contains(&name.strip_suffix(ACROSS).unwrap_or(name))
        });
        words.extend(named.map(|r| figure(&r.headline)));
        let judged = check.results.iter().filter(|r| r.headline.better != Better::Neither);
        let limited = judged.filter(|r| r.limit.is_some()).count();
        let against = check.against.as_deref().unwrap_or("no profile");
        let kept = match limited {
            1 => "1 limit kept".to_owned(),
            n => format!("{n} limits kept"),
        };
        words.push(match free(check) {
            none if none.is_empty() => format!("{kept}, {against}"),
            none => format!("{kept}, {none}, {against}"),
        });
        if !check.missing.is_empty() {
            words.push(format!("not found: {}", check.missing.join(", ")));
        }
    }
    if let Some(against) = check.against.as_ref().filter(|_| !missed.is_empty()) {
        words.push(format!("limits: {against}"));
    }
    let mut line = format!("CPULENS {} - {}", stored_name(&check.status), plain(&words.join("; ")));
    for (number, result) in check.results.iter().enumerate() {
        line.push_str(if number == 0 { " | " } else { " " });
        line.push_str(&data(result));
    }
    line
}

/// `3 figures have none (too few peers have it (4))`: figures without a limit and why; nothing where there is none.
fn free(check: &Check) -> String {
    let reasons = check.results.iter().filter_map(|r| r.no_limit.as_deref());
    let words = by_key(reasons, |why| *why).into_iter().map(|(why, all)| match all.len() {
        1 => format!("1 figure has none ({why})"),
        n => format!("{n} figures have none ({why})"),
    });
    words.collect::<Vec<String>>().join(", ")
}

/// The line of a check that has no record to speak of.
pub fn unknown(why: &str) -> String {
    format!("CPULENS UNKNOWN - {}", plain(why))
}

/// A fault as the text names it.
fn fault(name: &str) -> &str {
    if name == "unfit" { "environment check failed" } else { name }
}

fn outside(result: &Checked) -> String {
    let limit = result.limit.as_ref();
    let critical = result.status == Status::Critical;
    let ends = limit.map(|l| {
        if critical { (l.critical_min, l.critical_max) } else { (l.warn_min, l.warn_max) }
    });
    let unit = result.headline.unit;
    let limits = match ends {
        Some((Some(min), _)) if result.headline.value < min => {
            format!(" (>= {})", quantity::plain(min, unit))
        }
        Some((_, Some(max))) => format!(" (<= {})", quantity::plain(max, unit)),
        _ => String::new(),
    };
    let word = if critical { "critical: " } else { "" };
    format!("{word}{}{limits}", figure(&result.headline))
}

fn figure(of: &Headline) -> String {
    format!("{} {}", quantity::plain(of.value, of.unit), words(&of.name))
}

/// Text without line ends, bars and what moves a cursor, of bounded length.
fn plain(text: &str) -> String {
    let mark = |c: char| if c == '|' || hostile(c) { ' ' } else { c };
    let mut short: String = text.chars().take(TEXT).map(mark).collect();
    if short.len() < text.len() && text.chars().count() > TEXT {
        short.push_str("...");
    }
    short
}

/// `'label'=value[UOM];warn;crit`, decimals without exponents. A plug-in may give seconds and bytes; other units have no letter.
fn data(of: &Checked) -> String {
    let unit = match of.headline.unit {
        Unit::Seconds => "s",
        Unit::Bytes => "B",
        _ => "",
    };
    let range = |min: Option<f64>, max: Option<f64>| match (min, max) {
        (None, None) => String::new(),
        (None, Some(max)) => decimal(max),
        (Some(min), None) => format!("{}:", decimal(min)),
        (Some(min), Some(max)) => format!("{}:{}", decimal(min), decimal(max)),
    };
    let value = of.headline.value;
    // What is no number is undetermined, by the guidelines.
    let mut text = match value.is_finite() {
        true => format!("'{}'={}{unit}", of.headline.name, decimal(value)),
        false => format!("'{}'=U", of.headline.name),
    };
    if let Some(Limit { warn_min, warn_max, critical_min, critical_max, .. }) = &of.limit {
        let (warn, critical) = (range(*warn_min, *warn_max), range(*critical_min, *critical_max));
        let _ = write!(text, ";{warn};{critical};0;");
    }
    text
}

/// Six digits, without an exponent.
fn decimal(x: f64) -> String {
    format!("{x:.5e}").parse::<f64>().unwrap_or(x).to_string()
}

/// Gauges for the node exporter's textfile collector, which refuses samples with times of their own
/// (github.com/prometheus/node_exporter, "Textfile Collector"; Prometheus, "Exposition formats").
pub fn prometheus(check: &Check) -> String {
    let mut text = String::new();
    let mut gauge = |name: &str, help: &str, samples: Vec<(String, f64)>| {
        if !samples.is_empty() {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge");
        }
        for (labels, value) in samples {
            let _ = writeln!(text, "{name}{labels} {value}");
        }
    };
    let status = |s: Status| f64::from(s.code());
    gauge(
        "cpulens_check_status",
        "0 ok, 1 warning, 2 critical, 3 unknown.",
        vec![(String::new(), status(check.status))],
    );
    let ended = check.ended.map(|at| (String::new(), at));
    gauge(
        "cpulens_check_ended_timestamp_seconds",
        "When the check ended.",
        ended.into_iter().collect(),
    );
    let results = &check.results;
    let labels = |of: &Headline| {
        format!("{{metric=\"{}\",unit=\"{}\"}}", escaped(&of.name), stored_name(&of.unit))
    };
    let values = results.iter().map(|r| (labels(&r.headline), r.headline.value)).collect();
    gauge(
        "cpulens_check_result",
        "What one sample in twenty reached, of frequencies the mean, in the base unit.",
        values,
    );
    let mut limits = vec![];
    for (of, limit) in results.iter().filter_map(|r| Some((&r.headline, r.limit.as_ref()?))) {
        for (severity, end, at) in [
            ("warning", "min", limit.warn_min),
            ("warning", "max", limit.warn_max),
            ("critical", "min", limit.critical_min),
            ("critical", "max", limit.critical_max),
        ] {
            let name = escaped(&of.name);
            let labels = format!("{{metric=\"{name}\",severity=\"{severity}\",end=\"{end}\"}}");
            limits.extend(at.map(|at| (labels, at)));
        }
    }
    gauge("cpulens_check_limit", "Limit of a result, in its unit.", limits);
    let faults = check
        .faults
        .iter()
        .map(|f| (format!("{{fault=\"{}\"}}", escaped(&f.name)), status(f.status)));
    gauge(
        "cpulens_check_fault",
        "A fault that was found, by its severity as of the status.",
        faults.collect(),
    );
    text
}

fn escaped(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// The document with every limit and its reason.
pub fn document(check: &Check) -> Document {
    let mut shown = Table::new(["figure", "#value", "#warning", "#critical", "status", "why"]);
    let mut rows = Table::new([
        "metric",
        "unit",
        "value",
        "warn_min",
        "warn_max",
        "critical_min",
        "critical_max",
        "status",
        "why",
    ]);
    for r in &check.results {
        let (h, limit) = (&r.headline, r.limit.clone().unwrap_or_default());
        let number = |x: Option<f64>| x.map_or(String::new(), |x| x.to_string());
        let end = |min: Option<f64>, max: Option<f64>| {
            let x = if h.better == Better::Lower { max.or(min) } else { min.or(max) };
            x.map_or(String::new(), |x| quantity::plain(x, h.unit))
        };
        shown.row([
            Text::from(&h.name),
            quantity::plain(h.value, h.unit).into(),
            end(limit.warn_min, limit.warn_max).into(),
            end(limit.critical_min, limit.critical_max).into(),
            match &r.limit {
                Some(_) => stored_name(&r.status).to_lowercase().into(),
                None => "no limit".into(),
            },
            r.no_limit.clone().unwrap_or_else(|| limit.why.clone()),
        ]);
        rows.row([
            Text::from(h.name.clone()),
            stored_name(&h.unit).into(),
            h.value.to_string().into(),
            number(limit.warn_min).into(),
            number(limit.warn_max).into(),
            number(limit.critical_min).into(),
            number(limit.critical_max).into(),
            stored_name(&r.status).into(),
            limit.why,
        ]);
    }
    shown.note(STATISTIC);
    let faults = check.faults.iter();
    let mut blocks: Vec<Block> = faults
        .map(|f| {
            let status = stored_name(&f.status).to_lowercase();
            let named = format!("{} ({status})", fault(&f.name));
            Block::text(Text::list([named.into(), f.why.clone()], Between::Colon))
        })
        .collect();
    blocks.push(Block::Table(shown));
    let section = Section::new("check", "Figures and limits", blocks);
    let title = format!("Check: {}", stored_name(&check.status));
    let page = Page::new(title, check.against.clone().unwrap_or_default(), vec![section]);
    Document { page, value: json!({ "check": check }), table: rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check() -> Check {
        let headline = |name: &str, unit, better, value| Headline {
            name: name.into(),
            unit,
            better,
            value,
            interval: None,
        };
        let limit = Limit {
            warn_max: Some(1e-7),
            critical_max: Some(1.2e-7),
            why: "a | b\n".into(),
            ..Limit::default()
        };
        Check {
            missing: vec![],
            status: Status::Warning,
            against: Some("test".into()),
            started: Some("2026-03-01T12:00:00Z".into()),
            ended: Some(1_772_366_412.5),
            results: vec![
                Checked {
                    headline: headline("memory_latency", Unit::Seconds, Better::Lower, 1.1e-7),
                    limit: Some(limit),
                    no_limit: None,
                    status: Status::Warning,
                },
                Checked {
                    headline: headline(
                        "read_bandwidth",
                        Unit::BytesPerSecond,
                        Better::Higher,
                        1.5e10,
                    ),
                    limit: None,
                    no_limit: Some("the profile has none".into()),
                    status: Status::Ok,
                },
            ],
            faults: vec![Fault {
                name: "thp_never".into(),
                status: Status::Warning,
                why: "off | \n now.".into(),
            }],
        }
    }

    #[test]
    fn the_line_is_that_of_a_plug_in() {
        assert_eq!(
            line(&check()),
            "CPULENS WARNING - thp_never: off     now; 110 ns memory latency on huge pages (<= 100 ns); limits: test | \
             'memory_latency'=0.00000011s;0.0000001;0.00000012;0; 'read_bandwidth'=15000000000"
        );
        let good = Check { status: Status::Ok, faults: vec![], ..check() };
        assert_eq!(line(&good).matches('|').count(), 1);
        let mut kept = good.clone();
        kept.results[0].status = Status::Ok;
        let free = "; 1 limit kept, 1 figure has none (the profile has none), test |";
        assert!(line(&kept).contains(free), "{}", line(&kept));
        let unfit = Fault { name: "unfit".into(), status: Status::Unknown, why: "busy".into() };
        let unfit = Check { status: Status::Unknown, faults: vec![unfit], ..good.clone() };
        assert!(line(&unfit).contains(" - environment check failed: busy"), "{}", line(&unfit));
        let shown = document(&good).page.sections[0].blocks.last().cloned();
        let Some(Block::Table(table)) = shown else { panic!() };
        assert_eq!([&table.rows[0][4], &table.rows[1][4]], ["warning", "no limit"]);
        let empty = Check { results: vec![], ..good };
        assert!(!line(&empty).contains('|'), "no data, no bar");
    }

    #[test]
    fn what_is_no_number_is_undetermined() {
        let mut check = check();
        check.results[1].headline.value = f64::NAN;
        assert!(line(&check).ends_with(" 'read_bandwidth'=U"), "{}", line(&check));
    }

    #[test]
    fn the_gravest_is_said_first_and_a_name_once() {
        let mut check = check();
        check.results[0].status = Status::Critical;
        let long = Fault {
            name: "x".into(),
            status: Status::Unknown,
            why: format!("x has a limit {}", "y".repeat(400)).into(),
        };
        check.faults = vec![long, check.faults.remove(0)];
        check.status = Status::Critical;
        let line = line(&check);
        let text = "CPULENS CRITICAL - critical: 110 ns memory latency on huge pages (<= 120 ns); thp_never: ";
        assert!(line.starts_with(text), "{line}");
        assert!(line.contains("now; x has a limit yyy") && line.contains("... | "), "{line}");
    }

    #[test]
    fn gauges_have_a_type_once_and_no_time() {
        let text = prometheus(&check());
        for line in text.lines().filter(|l| !l.starts_with('#')) {
            let (name, value) = line.rsplit_once(' ').unwrap();
            assert!(!name.contains(' '), "a time of its own: {line}");
            assert!(value.parse::<f64>().is_ok(), "{line}");
        }
        let types: Vec<&str> = text.lines().filter(|l| l.starts_with("# TYPE")).collect();
        assert_eq!(types.len(), 5);
        assert!(text.contains("cpulens_check_limit{metric=\"memory_latency\",severity=\"warning\",end=\"max\"} 0.0000001\n"));
        assert!(text.ends_with('\n'));
    }
}
