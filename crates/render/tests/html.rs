//! The page as a browser's parser sees it: every chart with its data, every number, and nothing to load.
use crate::fixture::{ALL, info, record, rendered};
use analyse::{Curve, Loaded, Matrix, Numa};
use render::Settings;
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
        // In two languages.
        assert!(text.len() < 768 << 10, "{name}: {} bytes", text.len());
    }
}

/// Of one pair of CPUs there is no map.
const ONE_NODE: [&str; 6] =
    ["latency", "bandwidth", "stream", "loaded-latency", "reference_sample", "machine"];

#[test]
fn every_chart_is_there_with_its_data() {
    for (name, charts) in [
        (
            "two-node-server",
            &[
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
                "machine",
            ][..],
        ),
        ("scaling_run", &["scaling_run-1", "reference_sample", "machine"]),
        ("quiet-vm", &ONE_NODE),
        ("busy-vm", &ONE_NODE),
    ] {
        let (_, page) = page(name);
        let drawn: Vec<&str> =
            select(&page, ".annex svg").iter().map(|svg| svg.attr("id").unwrap()).collect();
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
            // Of a chain of multiplications it is a rate.
            let unit = match record::param::CHAIN.of(&e.at) {
                Some("mul") => record::Unit::PerSecond,
                _ => e.unit,
            };
            let median = sections::origin::median(&analyse::Estimate { unit, ..e.clone() });
            assert!(cells.contains(&median), "{name}: {} {:?} {median}", e.case, e.at);
        }
    }
}

#[test]
fn the_first_screen_answers_and_the_sections_below_it_are_closed() {
    for name in ALL {
        let record = record(name);
        let summary = analyse::summary::summary(&analyse::analyse(&record));
        let (text, page) = page(name);
        let tiles = select(&page, "#summary .tile");
        let figures = summary.figures.iter().filter(|f| !f.is_in_table()).count();
        assert_eq!(tiles.len(), figures.min(8), "{name}");
        assert!(tiles.iter().all(|t| t.select(&Selector::parse("svg title").unwrap()).count() > 0));
        // A mark's meaning stands once, below all tiles.
        let words = text.split("changed while it was measured").count() - 1;
        let marked = tiles.iter().filter(|t| t.text().collect::<String>().contains(" ~")).count();
        assert_eq!(words, marked.min(1), "{name}");
        assert_eq!(select(&page, "#summary table").len(), summary.tables.len(), "{name}");
        assert_eq!(select(&page, "#summary li").len(), summary.findings.len(), "{name}");
        // A cost and a basis are words that say nothing alone, such as `unknown, measured`.
        let costs = select(&page, "#summary li .cost [lang=en]");
        let named = |cost: &ElementRef<'_>| {
            let text = cost.text().collect::<String>();
            text.starts_with("lost work ") && text.contains(", basis ")
        };
        assert!(costs.iter().all(named) && costs.len() == summary.findings.len(), "{name}");
        // The check stands once above, with its reasons, and once in its own section.
        assert_eq!(select(&page, "details.strip").len(), 1);
        assert_eq!(select(&page, ".banner").len(), 1, "{name}");
        let parts = select(&page, ".annex > details.part");
        assert!(parts.len() > 5 && parts.iter().all(|part| part.attr("open").is_none()), "{name}");
        let links = select(&page, ".toc a").len();
        assert_eq!(links, parts.len());
        let last = select(&page, ".annex section").last().unwrap().attr("id");
        assert_eq!(last, Some("machine"), "{name}");
        assert_eq!(select(&page, "html")[0].attr("lang"), Some("en"));
        assert_eq!(select(&page, "head > title").len(), 1);
        let shown = text.matches("<span lang=\"en\">").count();
        assert!(shown > 20 && shown == text.matches("<span lang=\"zh\">").count(), "{name}");
    }
}

/// A number of a closed section has its head, and a finding the title that it has above.
/// What can be typed is set as code, and advice in words is not.
#[test]
fn only_commands_of_findings_are_code() {
    let (_, page) = page("scaling_run");
    let code: Vec<String> =
        select(&page, ".found ol code").iter().map(|code| code.text().collect()).collect();
    assert!(code.iter().any(|c| c.starts_with("numactl ")), "{code:?}");
    let advice = "fill the channels of every socket";
    let items = select(&page, ".found ol li");
    let advised = |li: &ElementRef<'_>| li.text().collect::<String>().contains(advice);
    assert!(items.iter().any(advised) && !code.iter().any(|c| c.contains(advice)), "{code:?}");
}

#[test]
fn closed_sections_name_their_numbers_and_findings() {
    let (_, page) = page("two-node-server");
    for (lang, head, finding) in [
        ("en", "median ", "The frequency governor limits the frequency (governor_slows)"),
        ("zh", "中位数 ", "（governor_slows）"),
    ] {
        let spans = |css: &str| {
            let all = select(&page, &format!("{css} span[lang={lang}]"));
            all.iter().map(|e| e.text().collect::<String>()).collect::<Vec<_>>()
        };
        let answers = spans("summary .answer");
        assert!(answers.iter().any(|a| a.contains(head) && a.contains(" ns")), "{answers:?}");
        // The verdict is that of the environment check alone.
        let verdicts = ["Read the numbers with doubt", "数据仅供参考"];
        assert!(!answers.iter().any(|a| verdicts.iter().any(|v| a.contains(v))), "{answers:?}");
        let headings = spans("h3");
        assert!(headings.iter().any(|h| h.ends_with(finding)), "{headings:?}");
    }
}

#[test]
fn it_opens_in_the_language_that_was_asked_for() {
    let record = record("busy-vm");
    let settings = Settings { lang: messages::Lang::Zh, ..Settings::default() };
    let page = Html::parse_document(&rendered("html", &analyse::analyse(&record), settings));
    assert_eq!(select(&page, "html")[0].attr("lang"), Some("zh"));
    let chosen = select(&page, "input[checked]");
    assert_eq!(chosen.iter().map(|i| i.attr("id").unwrap()).collect::<Vec<_>>(), ["lang-zh"]);
}

/// Words beside the tiles are those of the text: one form of a moment, and the commas of each language.
/// One curve serves both languages: its titles are names and numbers.
#[test]
fn titles_of_points_have_no_words_of_a_language() {
    let (_, page) = page("two-node-server");
    let titles: Vec<String> = select(&page, "svg title").iter().map(|t| t.inner_html()).collect();
    let ranges = titles.iter().filter(|title| title.contains(" – ")).count();
    assert!(ranges > 20, "{ranges} of {}", titles.len());
    let number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let words = |title: &&String| {
        !title.contains("several modes") && title.split(" to ").skip(1).any(number)
    };
    assert_eq!(titles.iter().find(words), None);
}

#[test]
fn the_strip_and_the_moment_are_written_as_in_text() {
    let (_, page) = page("busy-vm");
    let words = |css: &str| select(&page, css)[0].text().collect::<String>();
    assert!(words("header").contains("2025-11-01 12:00 UTC"), "{}", words("header"));
    let strip = words("details.strip summary > span[lang=zh]");
    assert!(strip.contains('，') && !strip.contains(", "), "{strip}");
}

/// A page is kept, and the newest record is another one later.
#[test]
fn the_next_commands_name_the_record() {
    let record = record("busy-vm");
    for format in ["html", "markdown"] {
        let settings = Settings { record: "of day 1.json".into(), ..Settings::default() };
        let page = rendered(format, &analyse::analyse(&record), settings);
        let page = page.replace("&#39;", "'").replace("&#x27;", "'");
        assert!(page.contains("cpulens show 'of day 1.json' --full"), "{format}");
        assert!(!page.contains("cpulens show last"), "{format}");
    }
}

#[test]
fn a_machine_alone_has_its_drawing() {
    let page = Html::parse_document(&info("html", &record("two-node-server").machine));
    assert_eq!(select(&page, "svg").len(), 1);
    assert!(select(&page, ".banner").is_empty(), "nothing was measured");
}

#[test]
fn a_comparison_opens_with_machines_and_ratios() {
    let mut gathering = analyse::compare::Gathering::new();
    ["quiet-vm", "two-node-server"].iter().for_each(|name| gathering.add(name, &record(name)));
    let mut out = vec![];
    let settings = Settings::default();
    let of = gathering.finish(0);
    render::render("html", render::Subject::Comparison(&of), &settings, &mut out).unwrap();
    let page = Html::parse_document(&String::from_utf8(out).unwrap());
    let screen: String = select(&page, "#first-screen [lang=en]")[0].text().collect();
    assert!(screen.contains("AMD EPYC 9555") && screen.contains("Environment: "), "{screen}");
    let answers = select(&page, ".answer").into_iter().map(|a| a.text().collect::<String>());
    assert!(answers.into_iter().all(|a| !a.ends_with(" rows")), "what, and not how many");
}

/// A phone has a curve of its own width, and a tile shows the machines of the catalogue by the metric that they have.
#[test]
fn a_phone_has_its_curve_and_tiles_have_the_other_machines() {
    let record = record("two-node-server");
    let mut report = analyse::analyse(&record);
    let what = analyse::summary::FigureId::MemoryLatency.published().unwrap();
    let there = [("a".to_owned(), 8e-8), ("b".to_owned(), 1.5e-7)].into();
    let beside = analyse::nearest::Beside { what, here: None, there, alike: vec![] };
    report.set(analyse::Peers(vec![beside]));
    let page = Html::parse_document(&rendered("html", &report, Settings::default()));
    let box_of = |css: &str| {
        let svg = select(&page, css)[0].value().attr("viewBox").unwrap().to_owned();
        svg.split(' ').nth(2).unwrap().parse::<u32>().unwrap()
    };
    let (wide, phone) = (box_of("#chart-first-latency"), box_of("#chart-first-latency-phone"));
    assert!(phone <= 376 && phone < wide, "{phone} of {wide}");
    let tiles: Vec<String> = select(&page, ".tile").iter().map(|t| t.html()).collect();
    let [tile] = &tiles.iter().filter(|t| t.contains(what)).collect::<Vec<_>>()[..] else {
        panic!("{tiles:?}")
    };
    assert!(tile.contains("ref:a: 80 ns") && tile.contains("ref:b: 150 ns"), "{tile}");
    let ids: Vec<&str> = select(&page, "[id]").iter().filter_map(|e| e.value().id()).collect();
    let unlike: std::collections::BTreeSet<&&str> = ids.iter().collect();
    assert_eq!(unlike.len(), ids.len());
}
