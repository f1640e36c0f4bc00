//! The page as a browser's parser sees it: every chart with its data, every number, and nothing to load.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its fixture has failed")]
mod fixture;
use analyse::{Curve, Loaded, Matrix, Numa};
use fixture::{ALL, info, record, rendered};
use render::{Settings, quantity};
use scraper::{ElementRef, Html, Selector};

fn select<'a>(page: &'a Html, css: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(css).unwrap()).collect()
}

fn page(name: &str) -> (String, Html) {
    let record = record(name);
    let text = rendered("html", &analyse::analyse(&record), Settings::default());
    let parsed = Html::parse_document(&text);
    (text, parsed)
}

#[test]
fn it_loads_nothing() {
    for name in ALL {
        let (text, page) = page(name);
        assert!(
            select(&page, "script, iframe, object, embed, img, image, use, audio, video, form")
                .is_empty()
        );
        for element in select(&page, "*") {
            for (attribute, value) in element.value().attrs() {
                assert!(!attribute.starts_with("on"), "{attribute}");
                assert!(!value.contains("//"), "{attribute}={value}");
                if matches!(attribute, "href" | "src" | "srcset" | "xlink:href") {
                    assert!(value.starts_with('#') || value == "data:,", "{attribute}={value}");
                }
            }
        }
        assert!(!text.contains("url(") && !text.contains("@import"));
        let policy =
            select(&page, "meta[http-equiv=Content-Security-Policy]")[0].attr("content").unwrap();
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        assert!(text.len() < 500_000, "{name}: {} bytes", text.len());
    }
}

const ONE_NODE: [&str; 7] = [
    "machine",
    "latency",
    "bandwidth",
    "stream",
    "loaded-latency",
    "core-to-core",
    "reference_sample",
];

#[test]
fn every_chart_is_there_with_its_data() {
    for (name, charts) in [
        (
            "two-node-server",
            &[
                "machine",
                "latency",
                "bandwidth",
                "bandwidth-scaling",
                "cache-bandwidth",
                "stream",
                "loaded-latency",
                "numa-latency",
                "numa-bandwidth",
                "core-to-core",
                "reference_sample",
            ][..],
        ),
        ("scaling_run", &["machine", "scaling_run-1", "reference_sample"]),
        ("quiet-vm", &ONE_NODE),
        ("busy-vm", &ONE_NODE),
    ] {
        let (_, page) = page(name);
        let drawn: Vec<&str> =
            select(&page, "svg").iter().map(|svg| svg.attr("id").unwrap()).collect();
        assert_eq!(
            drawn,
            charts.iter().map(|c| format!("chart-{c}")).collect::<Vec<_>>(),
            "{name}"
        );
        for chart in charts {
            let svg = select(&page, &format!("svg#chart-{chart}"))[0];
            assert_eq!(svg.attr("role"), Some("img"));
            for part in ["title", "desc"] {
                let words = select(&page, &format!("svg#chart-{chart} > {part}"))[0]
                    .text()
                    .collect::<String>();
                assert!(!words.is_empty(), "{chart} {part}");
            }
            assert!(!svg.text().any(|t| t.contains("Nothing that can be drawn")), "{name} {chart}");
            assert!(
                !select(&page, &format!("#data-{chart} tbody tr")).is_empty(),
                "{name} {chart}"
            );
        }
    }
}

#[test]
fn charts_show_as_much_as_there_is() {
    let record = record("two-node-server");
    let report = analyse::analyse(&record);
    let (_, page) = page("two-node-server");
    let points: usize = report.get::<Vec<Curve>>().iter().map(|c| c.points.len()).sum();
    assert_eq!(select(&page, "#data-latency tbody tr").len(), points);
    let pairs: usize = report.get::<Vec<Matrix>>().iter().map(|m| m.cells.len()).sum();
    assert_eq!(
        select(&page, "#chart-core-to-core g > rect").len(),
        2 * pairs,
        "both sides of the diagonal"
    );
    let cells = report.get::<Option<Numa>>().as_ref().unwrap().cells.len();
    for chart in ["latency", "bandwidth"] {
        let boxes = select(&page, &format!("#chart-numa-{chart} g > rect")).len();
        assert_eq!(boxes, cells, "each direction has a box of its own");
    }
    let levels: usize = report.get::<Vec<Loaded>>().iter().map(|l| l.points.len()).sum();
    assert_eq!(select(&page, "#data-loaded-latency tbody tr").len(), levels);
    assert_eq!(select(&page, "#chart-machine g.thread").len(), record.machine.topology.cpus.len());
    assert_eq!(
        select(&page, "#data-reference_sample tbody tr").len(),
        record.reference_samples.len()
    );
    let named: Vec<String> =
        select(&page, "#chart-latency text").iter().map(|t| t.text().collect()).collect();
    for level in ["L1 ", "L2 ", "L3 ", "memory "] {
        assert!(named.iter().any(|n| n.trim().starts_with(level)), "{level} in {named:?}");
    }
}

#[test]
fn every_median_is_on_the_page() {
    for name in ALL {
        let record = record(name);
        let report = analyse::analyse(&record);
        let (_, page) = page(name);
        let cells: std::collections::BTreeSet<String> =
            select(&page, "td").iter().map(|td| td.text().collect()).collect();
        for e in &report.estimates {
            let median = quantity::median(e);
            assert!(cells.contains(&median), "{name}: {} {:?} {median}", e.case, e.at);
        }
    }
}

#[test]
fn fitness_stands_above_every_group_of_numbers() {
    for name in ALL {
        let (_, page) = page(name);
        let numbers = if name == "scaling_run" { ["scaling_run"; 2] } else { ["core", "latency"] };
        for section in ["environment", "instrument", "conclusions"].into_iter().chain(numbers) {
            assert_eq!(
                select(&page, &format!("section#{section} .banner")).len(),
                1,
                "{name} {section}"
            );
        }
        assert!(!select(&page, &format!("section#{} details", numbers[1])).is_empty());
        assert_eq!(select(&page, "html")[0].attr("lang"), Some("en"));
        assert_eq!(select(&page, "head > title").len(), 1);
    }
}

#[test]
fn a_machine_alone_has_its_drawing() {
    let page = Html::parse_document(&info("html", &record("two-node-server").machine));
    assert_eq!(select(&page, "svg").len(), 1);
    assert!(select(&page, ".banner").is_empty(), "nothing was measured");
}
