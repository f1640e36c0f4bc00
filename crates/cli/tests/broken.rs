//! Records that are damaged, foreign or hostile: one line and exit 2, or a report that does no harm.
use crate::sandbox::{Ran, Sandbox, fixtures, has_control, load, measured, possible};
use serde_json::{Value, json};
use std::fs;

/// A committed record as a document to be spoilt.
fn document(name: &str) -> Value {
    let (_, file) = fixtures().into_iter().find(|(n, _)| n == name).unwrap();
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

fn show(sandbox: &Sandbox, bytes: impl AsRef<[u8]>) -> Ran {
    let file = sandbox.file("record.json", bytes);
    sandbox.cpulens(&["show", &file])
}

#[test]
fn a_record_cut_anywhere_is_reported_as_cut() {
    let sandbox = Sandbox::new();
    let whole = measured().as_bytes();
    let ends = (1..40).map(|n| whole.len() - 2 - n);
    let spread = (1..40).map(|n| n * whole.len() / 40);
    for cut in ends.chain(spread).chain([1, 2, 3]) {
        show(&sandbox, &whole[..cut]).could_not("cut short");
    }
}

#[test]
fn what_is_no_record_is_refused_in_a_line() {
    let sandbox = Sandbox::new();
    let deep = |open: &str, times: usize| open.repeat(times);
    let newer = measured().replacen("\"schema\": 1", "\"schema\": 99", 1);
    let huge_schema = measured().replacen("\"schema\": 1", "\"schema\": 18446744073709551616", 1);
    let nested = measured().replacen(
        "\"schema\": 1",
        &format!("\"x\": {}, \"schema\": 1", deep("[", 50_000)),
        1,
    );
    let cases: &[(&str, Vec<u8>, &str)] = &[
        ("empty", vec![], "not JSON"),
        ("blank", b"\n\n  \n".to_vec(), "not JSON"),
        ("text", b"hello".to_vec(), "not JSON"),
        ("escape", b"{\"\x1b[2Jschema\": \x1b[31m}".to_vec(), "not JSON"),
        ("binary", (0..=255).cycle().take(100_000).collect(), "not JSON"),
        ("another document", b"{\"version\": 3}".to_vec(), "not a cpulens record"),
        ("a bare schema", b"{\"schema\": 1}".to_vec(), "not a cpulens record"),
        (
            "a hostile key",
            b"{\"schema\": 1, \"runs\": {\"\\u001b[2J\\n\\nroot#\": 1}}".to_vec(),
            "not a cpulens record",
        ),
        ("a list", deep("[", 100_000).into_bytes(), "not JSON"),
        ("objects", deep("{\"a\":", 100_000).into_bytes(), "record.json"),
        ("nested in a record", nested.into_bytes(), "record.json"),
        ("newer", newer.into_bytes(), "newer cpulens"),
        ("much newer", huge_schema.into_bytes(), "record.json"),
        ("two", [measured(), measured()].concat().into_bytes(), "record.json"),
    ];
    for (name, bytes, words) in cases {
        let ran = show(&sandbox, bytes);
        assert!(ran.code == 2, "{name}: {}", ran.err);
        ran.could_not(words);
    }
}

#[test]
fn what_is_no_file_is_refused_in_a_line() {
    let sandbox = Sandbox::new();
    sandbox.cpulens(&["show", "."]).could_not("folder");
    sandbox.cpulens(&["show", ""]).could_not("''");
    sandbox.cpulens(&["show", "/dev/null"]).could_not("/dev/null");
    sandbox.cpulens(&["show", "none\u{1b}[2J\n.json"]).could_not("none");
    sandbox.shell("\"$0\" show - </dev/null").could_not("standard input");
    sandbox.shell("\"$0\" show - <&-").could_not("standard input");
    let secret = sandbox.file("secret.json", measured());
    sandbox.shell(&format!("chmod 0 {secret}"));
    if possible("root may read everything", fs::read(&secret).is_err()) {
        sandbox.cpulens(&["show", &secret]).could_not("ermission denied");
    }
}

#[test]
fn a_file_too_large_is_refused_unread() {
    let sandbox = Sandbox::new();
    let file = fs::File::create(sandbox.path("huge.json")).unwrap();
    file.set_len(300 << 20).unwrap();
    sandbox.cpulens(&["show", "huge.json"]).could_not("314572800 bytes");
    // With so little memory it could not even be read.
    sandbox.shell("ulimit -v 100000; \"$0\" show huge.json").could_not("314572800 bytes");
}

#[test]
fn numbers_that_are_none_are_refused() {
    let sandbox = Sandbox::new();
    let spoilt = |from: &str, to: &str| {
        let at = measured().find(from).unwrap_or_else(|| panic!("{from}")) + from.len();
        let end = at + measured()[at..].find([',', '\n', ']']).unwrap();
        format!("{}{to}{}", &measured()[..at], &measured()[end..])
    };
    let places = ["\"samples\":[", "\"steps\":", "\"took\": ", "\"seed\": ", "\"estimate\": "];
    for place in places {
        for number in ["NaN", "Infinity", "1e999", "-1e999", "\"7\"", "0x10", "[]"] {
            show(&sandbox, spoilt(place, number)).could_not("record.json");
        }
    }
    for place in ["\"steps\":", "\"seed\": "] {
        for number in ["-1", "1.5", "18446744073709551616"] {
            show(&sandbox, spoilt(place, number)).could_not("record.json");
        }
    }
}

const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{8}\r\n\u{9b}31m\u{202e}<script>alert(1)</script><img src=x onerror=alert(1)>|`*_[x](javascript:1)\"'&{{7*7}}";

/// Puts hostile text wherever the format takes any text, keys included; gives how often.
fn poison(value: &mut Value, key: &str) -> usize {
    // Words that a reader must know, lists of CPUs, and what decides which section shows a case.
    const FIXED: [&str; 9] =
        ["unit", "better", "pages", "cpus", "allowed", "environment", "kind", "siblings", "probe"];
    const OPEN_KEYS: [&str; 4] = ["facts", "at", "params", "sources"];
    match value {
        Value::String(text) if !FIXED.contains(&key) => {
            *text = HOSTILE.into();
            1
        }
        Value::Array(list) => list.iter_mut().map(|v| poison(v, key)).sum(),
        Value::Object(map) => {
            let mut count = map.iter_mut().map(|(k, v)| poison(v, k)).sum();
            if OPEN_KEYS.contains(&key)
                && let Some((_, first)) = map.iter().next().map(|(k, v)| (k.clone(), v.clone()))
            {
                map.insert(format!("{HOSTILE}{key}"), first);
                count += 1;
            }
            count
        }
        _ => 0,
    }
}

#[test]
fn hostile_words_reach_neither_the_terminal_nor_the_page() {
    let sandbox = Sandbox::new();
    for name in ["busy-vm", "two-node-server", "cut-short"] {
        let mut document = document(name);
        let count = poison(&mut document, "");
        assert!(count > 50, "{name}: {count}");
        // One that nothing knows, too.
        let mut strange = document["runs"][0].clone();
        strange["case"]["probe"] = json!(HOSTILE);
        document["runs"].as_array_mut().unwrap().push(strange);
        let file = sandbox.file("hostile.json", document.to_string());
        load(&sandbox.path("hostile.json"));
        let shown = |args: &[&str]| sandbox.cpulens(&[&["show", &file], args].concat()).done();

        for args in [&[][..], &["--details"], &["--format", "markdown"]] {
            let ran = shown(args);
            assert!(!has_control(&ran.out), "{name} {args:?}: {:?}", line_with_control(&ran.out));
            assert!(!ran.out.contains('\u{202e}') && ran.err.is_empty(), "{name} {args:?}");
            assert!(ran.out.contains("script"), "{name} {args:?}: the words themselves are shown");
        }
        let coloured = shown(&["--color", "always"]).out;
        assert!(!coloured.contains("\u{1b}[2J") && !coloured.contains('\u{7}'));
        let markdown = shown(&["--format", "markdown"]).out;
        assert!(!markdown.contains("<script") && !markdown.contains("<img"));
        let page = shown(&["--format", "html"]).out;
        assert!(!page.contains("<script>alert") && !page.contains("<img src=x"), "{name}");
        assert!(!has_control(&page.replace(['\t', '\r'], "")), "{name}");
        let json = shown(&["--format", "json"]).out;
        assert!(!json.chars().any(|c| c.is_ascii_control() && c != '\n'), "{name}");
        serde_json::from_str::<Value>(&json).unwrap();
        let csv = shown(&["--format", "csv"]).out;
        let rows: Result<Vec<_>, _> = csv::Reader::from_reader(csv.as_bytes()).records().collect();
        assert!(!rows.unwrap().is_empty(), "{name}");
    }
}

fn line_with_control(text: &str) -> Option<&str> {
    text.lines().find(|l| has_control(l))
}

/// Replaces the `n`th number of a document; gives whether there was one.
fn replace_number(value: &mut Value, n: &mut usize, with: &Value) -> bool {
    match value {
        Value::Number(_) if *n == 0 => {
            *value = with.clone();
            true
        }
        Value::Number(_) => {
            *n -= 1;
            false
        }
        // Of many alike the first three will do.
        Value::Array(list) => list.iter_mut().take(3).any(|v| replace_number(v, n, with)),
        Value::Object(map) => map.values_mut().any(|v| replace_number(v, n, with)),
        _ => false,
    }
}

/// Every number of a record in turn becomes an absurd one. In this process, since it is done a thousand times.
#[test]
fn absurd_numbers_do_not_stop_a_report() {
    let original = document("busy-vm");
    let (mut tried, mut read) = (0, 0);
    let mut broken = vec![];
    let absurd =
        [json!(0), json!(-1.0), json!(1e308), json!(5e-324), json!(u64::MAX), json!(u32::MAX - 1)];
    for number in 0.. {
        let mut spoilt = original.clone();
        if !replace_number(&mut spoilt, &mut number.clone(), &absurd[number % absurd.len()]) {
            break;
        }
        tried += 1;
        let Ok(record) = record::from_slice(spoilt.to_string().as_bytes()) else { continue };
        read += 1;
        let reported = std::panic::catch_unwind(|| {
            let report = analyse::analyse(&record);
            for format in ["text", "json", "html"] {
                render::renderer::render(format, &report, &Default::default(), &mut vec![])
                    .unwrap();
            }
        });
        if reported.is_err() {
            broken.push(number);
        }
    }
    assert!(tried > 100 && read > tried / 2, "{tried} {read}");
    assert!(broken.is_empty(), "numbers {broken:?} of {tried} break the report");
}
