//! `digest`: rows of records as lines, tables and Parquet, which `fleet` and `history` read as the records.
use super::folder;
use crate::sandbox::Sandbox;
use serde_json::Value;
use std::fs;

#[test]
fn digests_say_what_their_records_say() {
    let sandbox = Sandbox::new();
    folder(&sandbox);
    let lines =
        sandbox.shell("\"$0\" digest runs/more/*.json -o all.jsonl && wc -l < all.jsonl").done();
    assert_eq!(lines.out.trim(), "20");
    // A setting that costs no figure is listed, too.
    sandbox.shell(r#"sed '2s/"memory.thp.enabled":"madvise"/"memory.thp.enabled":"always"/; /node4/d' all.jsonl > thp.jsonl"#).done();
    let text = sandbox.cpulens(&["fleet", "thp.jsonl"]).done().out;
    let own = "memory.thp.enabled always (peers madvise)";
    assert!(text.contains("Settings that few machines have") && text.contains(own), "{text}");
    let csv = sandbox.cpulens(&["fleet", "thp.jsonl", "--format", "csv"]).done().out;
    assert!(csv.contains(",setting,,,,,,memory.thp.enabled=always (madvise)"), "{csv}");
    // A folder is what is in it; what cannot be read is said.
    let whole = sandbox.cpulens(&["digest", "runs"]);
    assert!(whole.code == 2 && whole.err.contains("half.json"), "{}", whole.err);
    assert_eq!(whole.out, fs::read_to_string(sandbox.path("all.jsonl")).unwrap());
    fs::create_dir(sandbox.path("none")).unwrap();
    sandbox.cpulens(&["digest", "none"]).could_not("no record or digest");
    // Lines are digests whatever their file is called, as of an engine's log.
    sandbox.shell("cp all.jsonl all.log").done();
    assert_eq!(sandbox.cpulens(&["digest", "all.log"]).done().out, whole.out);
    let of = |place: &str| {
        let all = sandbox.cpulens(&["fleet", place, "--format", "json"]).done().out;
        serde_json::from_str::<Value>(&all).unwrap()["fleet"]["flagged"].clone()
    };
    assert_eq!(of("all.jsonl"), of("runs"));
    assert_eq!(of("all.log"), of("runs"));
    for (table, rows) in [("runs", 2..=2), ("metrics", 50..=5000)] {
        let args = ["digest", "runs/more/4-0.json", "--table", table];
        let csv = sandbox.cpulens(&args).done().out;
        assert!(csv.starts_with("host,") && rows.contains(&csv.lines().count()), "{table}");
    }
}

/// The tables alone give the same verdict, and what is there twice counts once.
#[test]
fn records_digests_and_parquet_have_one_verdict() {
    let sandbox = Sandbox::new();
    folder(&sandbox);
    sandbox
        .shell("\"$0\" digest runs/more -o all.jsonl && \"$0\" digest runs/more --parquet store")
        .done();
    for command in ["fleet", "history"] {
        for format in ["text", "json", "html", "csv"] {
            let of =
                |place: &str| sandbox.cpulens(&[command, place, "--format", format]).done().out;
            let own = of("runs/more");
            assert!(own.contains("node"), "{own}");
            for place in ["all.jsonl", "store", "store/runs"] {
                assert_eq!(of(place), own, "{command} {place} {format}");
            }
        }
    }
    sandbox
        .shell("sort all.jsonl > all.sorted; \"$0\" digest store | sort | cmp - all.sorted")
        .done();
    let of = |places: &[&str]| {
        let args = [&["fleet"], places, &["--format", "json"]].concat();
        let all: Value = serde_json::from_str(&sandbox.cpulens(&args).out).unwrap();
        let left_out = all["fleet"]["left_out"].as_array().unwrap();
        let left_out = left_out.iter().map(|l| l["name"].to_string() + l["why"].as_str().unwrap());
        (all["fleet"]["runs"].as_u64().unwrap(), left_out.collect::<Vec<_>>())
    };
    let (runs, left_out) = of(&["runs/more", "store"]);
    assert!(runs == 20 && left_out.len() == 20, "{left_out:?}");
    assert!(left_out.iter().all(|l| l.contains("the same run as") && l.contains(".parquet:")));
    // Metrics without their runs, a table of another program, and one that is cut have a line.
    let (runs, left_out) = of(&["store/metrics"]);
    assert!(runs == 0 && left_out.len() == 1 && left_out[0].contains("is a table `metrics`"));
    let (_, left_out) = of(&["store/metrics", "all.jsonl"]);
    assert!(left_out.len() == 1, "{left_out:?}");
    sandbox.shell("mkdir odd && head -c 2000 store/runs/*/*.parquet > odd/a.parquet.part && touch odd/.a.parquet.crc").done();
    sandbox.shell("\"$0\" digest odd").could_not("cut short or damaged");
    let (runs, left_out) = of(&["odd", "store"]);
    assert!(runs == 20 && left_out.len() == 1 && left_out[0].contains("damaged"), "{left_out:?}");
    sandbox.shell("\"$0\" digest store/metrics").could_not("is a table `metrics`");
}

/// The files are read by DuckDB and Spark in `cargo xtask contrib`; here: which there are, and that they are the same each time.
#[test]
fn parquet_is_partitioned_by_month_and_adds_nothing_twice() {
    let sandbox = Sandbox::new();
    folder(&sandbox);
    let other = fs::read_to_string(sandbox.path("runs/more/1-0.json")).unwrap();
    let other = other.replace("2026-03-01T00:00:00Z", "../../2026-04-09T00:00:00Z");
    sandbox.file("runs/more/odd.json", other);
    for _ in 0..2 {
        sandbox.shell("\"$0\" digest runs/more/*.json --parquet out").done();
    }
    let files =
        sandbox.shell("cd out && ls -d */*/*.parquet | sed 's/[0-9a-f]*.parquet$//'").done();
    let months = ["2026-03", "______2"].map(|m| format!("month={m}/"));
    for table in ["metrics", "runs"] {
        for month in &months {
            let count = files.out.lines().filter(|l| *l == format!("{table}/{month}")).count();
            assert_eq!(count, 1, "{table} {month}: {}", files.out);
        }
    }
    assert_eq!(files.out.lines().count(), 4, "{}", files.out);
    // A record that is new is added by itself.
    sandbox.shell("\"$0\" digest runs/more/1-0.json runs/more/2-0.json --parquet grown").done();
    sandbox.shell("\"$0\" digest runs/more/*.json --parquet grown").done();
    sandbox.shell("mkdir rest && mv runs/more/[12]-0.json rest && \"$0\" digest runs/more/*.json --parquet rest/out").done();
    let same = sandbox.shell("cd rest/out && for f in runs/*/*.parquet metrics/*/*.parquet; do cmp $f ../../grown/$f; done");
    same.done();
    let files = |folder| {
        sandbox.shell(&format!("ls {folder}/*/*/*.parquet | wc -l")).done().out.trim().to_owned()
    };
    assert_eq!(files("grown"), "6");
    // The digest of what is there adds nothing; a record of which the digest is there adds its series.
    sandbox.shell("\"$0\" digest rest/*.json runs/more/3-0.json > lines.jsonl").done();
    sandbox.shell("\"$0\" digest lines.jsonl - < lines.jsonl --parquet lined").done();
    assert_eq!(files("lined"), "2");
    sandbox.shell("\"$0\" digest rest/*.json --parquet lined").done();
    assert_eq!(files("lined"), "3");
    let again = sandbox.shell("\"$0\" digest lines.jsonl rest/*.json --parquet lined").done().err;
    assert_eq!(files("lined"), "3");
    assert!(again.contains("5 runs already in lined"), "{again}");
    // What has no name is the run of which it is a copy.
    sandbox.shell(r#"sed 's/,"name":"node[0-9]*"//; s/"host":"node[0-9]*"/"host":"-"/' lines.jsonl > web.jsonl"#).done();
    let again = sandbox.cpulens(&["digest", "web.jsonl", "--parquet", "lined"]).done().err;
    assert!(files("lined") == "3" && again.contains("3 runs already in lined"), "{again}");
    sandbox.shell("mkdir -p older/_runs && echo 0123456789abcdef > older/_runs/a.txt").done();
    sandbox.cpulens(&["digest", "lines.jsonl", "--parquet", "older"]).could_not("older cpulens");
    for table in ["runs", "metrics"] {
        let rows = |of| sandbox.shell(&format!("\"$0\" digest {of} --table {table}")).done().out;
        let (own, record) = (rows("lines.jsonl"), rows("rest/*.json runs/more/3-0.json"));
        let figures =
            |l: &&str| table == "runs" || l.contains(",figure,") || l.starts_with("host,");
        assert!(own.lines().eq(record.lines().filter(figures)), "{own}");
    }
    sandbox.shell("echo '{\"digest\":9}' >> lines.jsonl").done();
    let ran = sandbox.cpulens(&["digest", "lines.jsonl"]);
    assert!(ran.code == 2 && ran.err.contains("version 9") && ran.out.lines().count() == 3);
}
