//! Factor breakdowns in every format: word for word, escaped, and drawn so that nothing lies outside the picture.
use crate::fixture::record;
use analyse::compare::{Comparison, Gathering};
use record::{
    Better, Case, Machine, Origin, Outcome, Placement, Provenance, Record, Run, Series, Source,
    Unit,
};
use render::Settings;
use render::summary::{View, compared};
use scraper::{Html, Selector};

/// Point select on one core of a machine that somebody published: queries a second, IPC, frequency as labelled and at most.
fn published(name: &str, queries: f64, ipc: f64, frequency: (f64, f64), scope: &str) -> Record {
    let one = |metric: &str, unit, x: f64| Series {
        samples: vec![x],
        ..Series::new(metric, unit, Better::Higher)
    };
    let mut machine = Machine::default();
    machine.set_in("cpu.frequency.base", frequency.0, Unit::Hertz, "label");
    machine.set_in("cpu.frequency.max", frequency.1, Unit::Hertz, "lscpu");
    let params = [("cores", 1u64.into()), ("os", "AliOS".into()), ("scope", scope.into())];
    let run = Run {
        origin: Some(Origin { source: 0, line: 1 }),
        ..Run::new(
            Case {
                probe: "sysbench".into(),
                version: 0,
                params: params.into_iter().map(|(k, v)| (k.to_owned(), v)).collect(),
                place: Placement::default(),
                estimate: 0.0,
            },
            Outcome::Measured(vec![
                one("queries", Unit::PerSecond, queries),
                one("ipc", Unit::PerCycle, ipc),
            ]),
        )
    };
    let source = Source { tool: "test".into(), ..Source::default() };
    let made = Provenance {
        tool: "cpulens import".into(),
        name: Some(name.into()),
        ..Provenance::default()
    };
    let provenance = Provenance { sources: vec![source], ..made };
    Record::new(provenance, machine, vec![run])
}

fn intel() -> Record {
    published("intel-8163", 25474.0, 0.84, (2.5e9, 3.1e9), "process")
}

fn gathered(a: &Record, b: &Record) -> Comparison {
    let mut gathering = Gathering::explaining();
    gathering.add("a", a);
    gathering.add("b", b);
    gathering.finish(0)
}

fn rendered(id: &str, of: &Comparison) -> String {
    let mut out = vec![];
    render::render(id, render::Subject::Comparison(of), &Settings::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The part under its heading, up to the next.
fn why(text: &str, from: &str, to: &str) -> String {
    let (_, rest) = text.split_once(from).unwrap();
    rest.split_once(to).map_or(rest, |(part, _)| part).to_owned()
}

#[test]
fn a_waterfall_word_for_word() {
    let kunpeng = published("kunpeng-920", 9694.0, 0.49, (2.6e9, 2.6e9), "process");
    let of = gathered(&intel(), &kunpeng);
    insta::assert_snapshot!(
        "explained.text",
        why(&rendered("text", &of), "── Why ", "── The records ")
    );
    insta::assert_snapshot!(
        "explained.markdown",
        why(&rendered("markdown", &of), "## Why", "## The records")
    );
    let json: serde_json::Value = serde_json::from_str(&rendered("json", &of)).unwrap();
    insta::assert_snapshot!("explained.json", format!("{:#}", json["explained"]));
}

#[test]
fn bars_lie_inside_the_picture_whatever_the_factors_are() {
    for (queries, ipc) in [(9694.0, 0.49), (1e-9, 0.49), (1e12, 1e-6), (25474.0, 0.84)] {
        let other = published("b", queries, ipc, (2.5e9, 3.1e9), "process");
        let html = rendered("html", &gathered(&intel(), &other));
        let page = Html::parse_document(&html);
        let (svg, bars) = ("#why-0 svg, svg#why-0, figure svg", "rect");
        let picture = page
            .select(&Selector::parse(svg).unwrap())
            .find(|p| p.html().contains("residual") || p.html().contains("the rest"))
            .unwrap_or_else(|| panic!("no waterfall in {html}"));
        let mut seen = 0;
        for bar in picture.select(&Selector::parse(bars).unwrap()) {
            let number = |name: &str| bar.value().attr(name).unwrap_or("0").parse::<f64>().unwrap();
            let (x, width) = (number("x"), number("width"));
            assert!(x >= 0.0 && width >= 0.0 && x + width <= 720.0, "{}", bar.html());
            seen += 1;
        }
        // Instructions are the rest: frequency, IPC, cores, SMT, the rest, and all together.
        assert!(seen >= 6, "{seen}");
    }
}

#[test]
fn counts_of_a_machine_are_declined_in_every_format() {
    let of = gathered(&intel(), &published("b", 9694.0, 0.49, (2.6e9, 2.6e9), "system"));
    for id in ["text", "markdown", "html"] {
        let text = rendered(id, &of).replace('\n', " ");
        assert!(text.contains("The cause is unknown"), "{id}: {text}");
        assert!(!text.contains("Factors of"), "{id}");
    }
    let json: serde_json::Value = serde_json::from_str(&rendered("json", &of)).unwrap();
    assert!(json["explained"][0]["parts"]["Ok"].is_null());
    assert!(json["explained"][0]["parts"]["Err"]["remedy"].is_string());
}

#[test]
fn names_and_software_are_escaped() {
    let mut bad = published("<script>\u{1b}[2J", 9694.0, 0.49, (2.6e9, 2.6e9), "process");
    bad.runs[0].case.params.insert("os".into(), "<img src=x>\u{202e}".into());
    let of = gathered(&intel(), &bad);
    for id in ["text", "markdown", "html", "json"] {
        let text = rendered(id, &of);
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{id}");
    }
    let html = rendered("html", &of);
    assert!(!html.contains("<script>") && !html.contains("<img src=x"), "{html}");
}

/// Many explanations are sentences; where no factor differs the residual stands alone.
#[test]
fn an_explanation_without_factors_has_no_empty_line() {
    let (quiet, busy) = (record("quiet-vm"), record("busy-vm"));
    let mut gathering = Gathering::explaining();
    for (name, record) in [("a", &quiet), ("b", &busy), ("c", &busy)] {
        gathering.add(name, record);
    }
    let of = gathering.finish(0);
    let lines = compared::text(&of, &["a", "b", "c"], &View::default());
    let screen = lines.join("\n");
    assert!(screen.contains("Why ") && screen.contains("  Residual: "), "{screen}");
    assert!(lines.iter().all(|line| line.is_empty() || !line.trim().is_empty()), "{screen}");
}
