//! The tables of undisturbed speed, as a reader of text sees them.

use record::{Better, Case, Metric, Outcome, Placement, Reason, Record, Run, Series, Unit, param};
use std::collections::BTreeMap;

fn record(kmod: bool) -> Record {
    let time = |mode: &str, interrupts: &str, place: &str, seconds: f64| {
        let mut series = Series::new(Metric::PassTime, Unit::Seconds, Better::Lower)
            .at(param::SYSTEM, "host")
            .at(param::MODE, mode)
            .at(param::INTERRUPTS, interrupts)
            .at(param::PLACE, place);
        series.samples = (0..10).map(|n| seconds * (1.0 + f64::from(n) * 1e-4)).collect();
        series.variant = Some("fnv1a:d917a9c3fc5ccc45".into());
        series
    };
    let mut measured =
        vec![time("user", "on", "unbound", 0.1364), time("user", "on", "bound", 0.12705)];
    if kmod {
        measured.push(time("kernel", "on", "bound", 0.1221));
        measured.push(time("kernel", "off", "bound", 0.121));
    }
    let case = Case {
        probe: "undisturbed_speed".into(),
        version: 1,
        params: BTreeMap::new(),
        place: Placement::default(),
        estimate: 1.0,
    };
    let refused = Reason::mended_by("SCHED_FIFO is not permitted here", "run as root");
    let unread =
        [("undisturbed_speed.host.user.on.fifo".to_owned(), refused)].into_iter().collect();
    let run = Run { unread, took: 1.0, ..Run::new(case, Outcome::Measured(measured)) };
    Record::new(Default::default(), Default::default(), vec![run])
}

/// The lines of the section.
fn shown(kmod: bool) -> Vec<String> {
    let record = record(kmod);
    let mut bytes = vec![];
    let report = analyse::analyse(&record);
    render::render("text", &report, &render::Settings::default(), &mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let lines = text.lines().skip_while(|l| !l.contains("Undisturbed speed ──")).skip(1);
    lines.take_while(|l| !l.starts_with("── ")).map(str::to_owned).collect()
}

#[test]
fn places_stand_side_by_side_over_what_they_take() {
    let lines = shown(true);
    let after = |heading: &str, row: &str| {
        let below = lines.iter().skip_while(|l| *l != heading).skip(1);
        let words = below.map(|l| l.trim()).find(|l| l.starts_with(row));
        let words = words.unwrap_or_else(|| panic!("{heading}, {row}: {lines:#?}"));
        words.strip_prefix(row).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let user = "Host, user mode, interrupts on";
    assert_eq!(after(user, "over undisturbed speed"), "+12.73 % +5.00 %");
    assert_eq!(after(user, "rounds"), "10 10");
    assert_eq!(after("Host, kernel mode, interrupts on", "over undisturbed speed"), "+0.91 %");
    assert_eq!(
        after("Host, kernel mode, interrupts off", "over undisturbed speed"),
        "undisturbed speed"
    );
    assert!(lines.iter().any(|l| l.starts_with("- host user on fifo: SCHED_FIFO")), "{lines:#?}");
}

#[test]
fn without_the_module_nothing_is_over_anything() {
    let text = shown(false).join(" ");
    assert!(text.contains("Undisturbed speed is not known"), "{text}");
    assert!(!text.contains("over undisturbed speed") && text.contains("78,497"), "{text}");
}
