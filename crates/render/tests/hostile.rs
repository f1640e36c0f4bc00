//! Records come from anywhere: whatever their texts and numbers are, rendering ends, and text stays text.
use crate::fixture::{ALL, info, record, rendered};
use analyse::compare::{Comparison, Gathering};
use analyse::{Conclusions, Curve, Drift, Matrix, Report, Verdict, Verdicts};
use fleet::digest::Digest;
use fleet::rows::{METRICS, RUNS};
use proptest::prelude::*;
use record::{FactValue, Judgement, Outcome, Reason, Record, Value, hostile};
use render::Settings;
use scraper::{Html, Selector};
use std::collections::BTreeMap;

/// Puts `text` wherever a record has words of its own.
fn poisoned(mut record: Record, text: &str) -> Record {
    let made = &mut record.provenance;
    for field in [&mut made.tool, &mut made.version] {
        *field = text.into();
    }
    for field in [
        &mut made.commit,
        &mut made.compiler,
        &mut made.target,
        &mut made.kernels,
        &mut made.depth,
        &mut made.started,
        &mut made.name,
    ] {
        *field = Some(text.into());
    }
    made.command = vec![text.into()];
    for fact in record.machine.facts.values_mut() {
        fact.source = text.into();
        match &mut fact.known {
            FactValue::Value(Value::Text(words)) => *words = text.into(),
            FactValue::Unknown(reason) => *reason = Reason::mended_by(text, text),
            FactValue::Value(_) => {}
        }
    }
    record.machine.set(text, text, text);
    let topology = &mut record.machine.topology;
    topology.missing = vec![(text.into(), Reason::mended_by(text, text))];
    topology.sources = vec![(text.into(), text.into()), ("cpus".into(), text.into())];
    for cpu in &mut topology.cpus {
        cpu.kind = Some(text.into());
    }
    for dimm in &mut topology.dimms {
        dimm.slot = text.into();
        for field in [&mut dimm.bank, &mut dimm.kind, &mut dimm.manufacturer, &mut dimm.part] {
            *field = Some(text.into());
        }
    }
    for (i, run) in record.runs.iter_mut().enumerate() {
        run.case.params.insert(text.into(), text.into());
        if i == 1 {
            run.case.probe = text.into();
        }
        for reading in &mut run.readings {
            reading.name = text.into();
        }
        let Outcome::Measured(all) = &mut run.outcome else {
            run.outcome = Outcome::Failed(Reason::mended_by(text, text));
            continue;
        };
        for series in all {
            series.variant = Some(text.into());
            series.at.insert(text.into(), text.into());
            series.disturbed.iter_mut().for_each(|m| m.why = text.to_owned().into());
            series.buffer.iter_mut().for_each(|b| b.content = text.into());
            if i == 1 {
                series.metric = text.into();
            }
        }
    }
    record
}

/// The same for what follows from a record.
fn poison(report: &mut Report<'_>, text: &str) {
    compute(report);
    report.set(Conclusions(vec![text.into()]));
    let judgement = report.get::<Judgement>().clone();
    report.set(Judgement { reasons: vec![Reason::mended_by(text, text)], ..judgement });
    for e in &mut report.estimates {
        e.case = text.into();
        e.marked = BTreeMap::from([(text.into(), 1)]);
    }
    let mut curves = report.get::<Vec<Curve>>().clone();
    for curve in &mut curves {
        curve.order = text.into();
        for level in &mut curve.levels {
            level.name = text.into();
            if let Err(reason) = &mut level.found {
                *reason = Reason::new(text);
            }
        }
    }
    report.set(curves);
    let mut matrices = report.get::<Vec<Matrix>>().clone();
    for cell in matrices.iter_mut().flat_map(|m| &mut m.cells) {
        cell.relation = text.into();
    }
    report.set(matrices);
    let drift = report.get::<Option<Drift>>().clone();
    report.set(drift.map(|drift| Drift { verdict: text.into(), ..drift }));
    let mut verdicts = report.get::<Verdicts>().clone();
    for one in &mut verdicts.0 {
        match &mut one.verdict {
            Verdict::Fires { finding, read, .. } => {
                finding.claim = text.into();
                finding.advice = text.into();
                finding.confirm_with = text.into();
                *read = vec![text.into()];
            }
            Verdict::Clear { read, .. } => *read = vec![text.into()],
            Verdict::CannotTell { missing } => *missing = Reason::new(text),
        }
    }
    report.set(verdicts);
}

/// Every analysis, before something is changed that it would rest on.
fn compute(report: &Report<'_>) {
    for (_, entry) in analyse::analyses() {
        (entry.get)(report);
    }
}

fn rendered_poisoned(name: &str, text: &str, id: &str) -> String {
    let record = poisoned(record(name), text);
    let mut report = analyse::analyse(&record);
    poison(&mut report, text);
    rendered(id, &report, Settings { details: true, ..Settings::default() })
}

#[test]
fn markup_stays_text() {
    for text in [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "</title></style></svg><script src=//evil.example/x></script>",
        "{{ 7 * 7 }} %} <!-- --> ]]> &lt;script&gt;",
    ] {
        for name in ALL {
            let html = rendered_poisoned(name, text, "html");
            let page = Html::parse_document(&html);
            let any = |css: &str| page.select(&Selector::parse(css).unwrap()).next().is_some();
            assert!(!any("script") && !any("img") && !any("[onerror]"), "{text}");
            assert!(html.contains("&lt;") || html.contains("&#60;"));
            assert!(
                page.root_element().text().any(|t| t.contains(text)),
                "the reader sees what it says: {text}"
            );
            let markdown = rendered_poisoned(name, text, "markdown");
            assert!(!markdown.contains("<script") && !markdown.contains("<img"), "{text}");
        }
    }
    let machine = poisoned(record("two-node-server"), "<script>").machine;
    assert!(!info("html", &machine).contains("<script"));
}

#[test]
fn the_terminal_is_not_driven_by_a_record() {
    const EVIL: &str = "\u{1b}[2J\u{1b}]0;gone\u{7}\r\u{9b}31m\u{7f}\u{202e}evil";
    for id in ["text", "markdown", "csv", "json"] {
        let report = rendered_poisoned("two-node-server", EVIL, id);
        let machine = info(id, &poisoned(record("two-node-server"), EVIL).machine);
        for text in [report, machine] {
            assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{id}");
            assert!(!text.contains('\u{202e}'), "{id}");
        }
    }
    let record = poisoned(record("two-node-server"), EVIL);
    let report = analyse::analyse(&record);
    let digest = Digest::of(&report, EVIL);
    let line = fleet::rows::line(&digest).unwrap();
    let mut tables = line.clone().into_bytes();
    for table in [&RUNS, &METRICS] {
        table.csv(&digest, &report.estimates, true, &mut tables).unwrap();
    }
    let text = String::from_utf8(tables).unwrap();
    assert!(!text.contains(|c| c != '\n' && hostile(c)), "{text:?}");
    let read: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert!(read.to_string().contains("evil"), "{line}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_renders(text in "(\\PC|<script|[|`*_#\\\\\u{0}-\u{1f}]){0,12}") {
        for id in render::formats() {
            let out = rendered_poisoned("cut-short", &text, id);
            if id == "html" || id == "markdown" {
                prop_assert!(!out.to_lowercase().contains("<script"));
            }
        }
    }

    #[test]
    fn any_numbers_render(
        value in prop_oneof![any::<f64>(), Just(0.0), Just(f64::NAN), Just(f64::INFINITY), Just(1e-320), Just(-1.0)],
        other in any::<f64>(),
    ) {
        let record = record("cut-short");
        let mut report = analyse::analyse(&record);
        compute(&report);
        for (i, e) in report.estimates.iter_mut().enumerate() {
            e.median = if i % 2 == 0 { value } else { other };
            e.interval = Some(analyse::Interval { low: other, high: value, confidence: 0.95 });
            e.cv = Some(other);
        }
        let mut curves = report.get::<Vec<Curve>>().clone();
        for curve in &mut curves {
            for p in &mut curve.points {
                (p.bytes, p.seconds, p.cycles) = (value, other, Some(value));
            }
            for p in curve.levels.iter_mut().flat_map(|l| &mut l.found) {
                (p.from, p.to, p.seconds, p.spread) = (value, other, value, other);
            }
        }
        report.set(curves);
        let mut matrices = report.get::<Vec<Matrix>>().clone();
        for c in matrices.iter_mut().flat_map(|m| &mut m.cells) {
            c.median = value;
        }
        report.set(matrices);
        for id in render::formats() {
            rendered(id, &report, Settings { details: true, ..Settings::default() });
        }
    }
}

/// Puts `text` wherever a comparison shows words of a record.
fn poisoned_comparison(text: &str) -> Comparison {
    let one = |version| {
        let mut record = record("two-node-server");
        let made = &mut record.provenance;
        (made.tool, made.version) = (text.into(), format!("{text}{version}"));
        (made.depth, made.started) = (Some(format!("{text}{version}")), Some(text.into()));
        made.kernels = Some(format!("{text}{version}"));
        for fact in record.machine.facts.values_mut() {
            if let FactValue::Value(value) = &mut fact.known {
                *value = Value::Text(format!("{text}{version}"));
            }
        }
        record.machine.set(text, format!("{text}{version}"), text);
        for dimm in &mut record.machine.topology.dimms {
            dimm.kind = Some(format!("{text}{version}"));
        }
        for (i, run) in record.runs.iter_mut().enumerate() {
            run.case.params.insert(text.into(), text.into());
            if i % 5 == 1 {
                run.case.probe = text.into();
            }
            if i % 7 == 3 {
                run.outcome = Outcome::Failed(Reason::mended_by(text, text));
            }
            let Outcome::Measured(all) = &mut run.outcome else { continue };
            for series in all {
                series.variant = Some(format!("{text}{version}"));
                series.at.insert(text.into(), text.into());
                if let Some(buffer) = &mut series.buffer {
                    buffer.content = format!("{text}{}", if i % 2 == 0 { version } else { 0 });
                }
                if i % 5 == 1 {
                    series.metric = text.into();
                }
            }
        }
        record
    };
    let mut gathering = Gathering::new();
    [1, 2].iter().for_each(|version| gathering.add(text, &one(*version)));
    gathering.finish(0)
}

fn rendered_comparison(id: &str, of: &Comparison, settings: Settings) -> String {
    let mut out = vec![];
    render::render(id, render::Subject::Comparison(of), &settings, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn markup_in_a_comparison_stays_text() {
    for text in [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "</title></style></svg><script src=//evil.example/x></script>",
    ] {
        let of = poisoned_comparison(text);
        assert!(of.comparable());
        let html = rendered_comparison("html", &of, Settings::default());
        let page = Html::parse_document(&html);
        let any = |css: &str| page.select(&Selector::parse(css).unwrap()).next().is_some();
        assert!(!any("script") && !any("img") && !any("[onerror]"), "{text}");
        assert!(page.root_element().text().any(|t| t.contains(text)), "{text}");
        let markdown = rendered_comparison("markdown", &of, Settings::default());
        assert!(!markdown.contains("<script") && !markdown.contains("<img"), "{text}");
    }
}

#[test]
fn the_terminal_is_not_driven_by_a_comparison() {
    const EVIL: &str = "\u{1b}[2J\u{1b}]0;gone\u{7}\r\u{9b}31m\u{7f}\u{202e}evil";
    let of = poisoned_comparison(EVIL);
    for id in ["text", "markdown", "csv", "json"] {
        let text = rendered_comparison(id, &of, Settings { details: true, ..Settings::default() });
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{id}");
        assert!(!text.contains('\u{202e}'), "{id}");
    }
}
