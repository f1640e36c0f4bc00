//! `list` and `explain`: each name that can be typed, and the text behind it.
use crate::sandbox::Sandbox;

fn ids() -> Vec<String> {
    let list = Sandbox::new().cpulens(&["list", "--full"]).out;
    let ids: Vec<String> = list
        .lines()
        .filter_map(|l| l.strip_prefix("  ").filter(|l| !l.starts_with(' ')))
        .filter_map(|l| Some(l.split_whitespace().next()?.to_owned()))
        .collect();
    assert!(ids.iter().any(|i| i == "core_frequency") && ids.iter().any(|i| i == "thp_never"));
    ids
}

/// One screen names every probe and rule, and each group has a line on each of its own.
#[test]
fn a_list_is_a_screen_and_its_groups_are_all_of_it() {
    let sandbox = Sandbox::new();
    let list = |more: &[&str]| sandbox.cpulens(&[&["list"], more].concat()).done().out;
    let first = list(&[]);
    assert!(first.lines().count() <= 40, "{first}");
    let words: Vec<&str> = first.split_whitespace().collect();
    for id in ids() {
        assert!(words.contains(&id.as_str()), "{id}: {first}");
    }
    let groups = ["core", "memory", "system", "workloads", "rules"].map(|group| list(&[group]));
    assert_eq!(groups.join("\n"), list(&["--full"]));
    for text in [first, groups.concat()] {
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
    assert!(groups[1].contains("load_latency") && groups[4].contains("thp_never"));
}

/// As many names and groups in Chinese, no line wider.
#[test]
fn a_list_in_chinese_has_the_same_names() {
    let sandbox = Sandbox::new();
    let list = |lang| sandbox.cpulens(&["list", "--full", "--lang", lang]).done().out;
    let (english, chinese) = (list("en"), list("zh"));
    let names = |text: &str| -> Vec<String> {
        let lines = text.lines().filter_map(|l| l.strip_prefix("  "));
        let first = lines.filter_map(|l| l.split(' ').next().filter(|id| !id.is_empty()));
        first.map(str::to_owned).collect()
    };
    assert_eq!(names(&english), names(&chinese));
    assert!(chinese.contains("内存探针 (13)") && english_run(&chinese) <= 4, "{chinese}");
    assert!(chinese.lines().all(|line| columns(line) <= 80), "{chinese}");
}

#[test]
fn a_rule_is_explained_with_its_remedy() {
    let sandbox = Sandbox::new();
    let text = |lang| sandbox.cpulens(&["explain", "shared_cache_untrue", "--lang", lang]).out;
    assert!(text("en").lines().last().is_some_and(|line| line.starts_with("Remedy: ")));
    assert!(text("zh").lines().last().is_some_and(|line| line.starts_with("处理办法：")));
}

fn columns(line: &str) -> usize {
    line.chars().map(|c| 1 + usize::from(c > '\u{2e7f}')).sum()
}

/// The most words in a row that begin with a small letter, before the sources, outside code.
fn english_run(text: &str) -> usize {
    let text = text.split("来源：").next().unwrap_or_default();
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join("，");
    let small = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase());
    let runs = prose.split(|c: char| !c.is_ascii() || c == '(' || c == '"');
    runs.map(|run| run.split_whitespace().filter(small).count()).max().unwrap_or(0)
}

#[test]
fn rules_and_probes_are_explained_in_chinese_and_kernels_in_english() {
    let sandbox = Sandbox::new();
    let text = |id: &str, lang: &str| sandbox.cpulens(&["explain", id, "--lang", lang]).out;
    for id in ids() {
        let zh = text(&id, "zh");
        assert!(!zh.contains("<!--") && zh.lines().all(|line| columns(line) <= 80), "{zh}");
        // Chinese is optional.
        assert!(!zh.contains('。') || english_run(&zh) <= 3, "{zh}");
    }
    for id in ["die_interleaving", "load_latency"] {
        assert!(text(id, "zh").contains('。') && english_run(&text(id, "en")) > 3);
    }
    assert_eq!(text("memory/triad", "zh"), text("memory/triad", "en"));
}

#[test]
fn everything_listed_is_explained() {
    let sandbox = Sandbox::new();
    for id in ids() {
        let ran = sandbox.cpulens(&["explain", &id]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{id}");
        let (head, text) = ran.out.split_once("\n\n").unwrap();
        assert!(head.ends_with(&format!(" {id}")) && text.len() > 200, "{id}: {}", ran.out);
    }
}
