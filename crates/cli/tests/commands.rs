//! Every command as a user types it: output, exit code, and what is left on disk.
use crate::sandbox::{
    CHEAP, Ran, Sandbox, fixtures, has_control, load, measured, page_of, reached,
};
use serde_json::Value;
use std::fs;

const FORMATS: [&str; 5] = ["csv", "html", "json", "markdown", "text"];

fn commands() -> Vec<String> {
    let help = Sandbox::new().cpulens(&["--help"]).out;
    let (_, rest) = help.split_once("Commands:\n").unwrap();
    let lines = rest.lines().take_while(|l| !l.is_empty()).filter_map(|l| l.strip_prefix("  "));
    // A long description goes on in deeper lines.
    let names = lines.filter(|l| !l.starts_with(' ')).filter_map(|l| l.split_whitespace().next());
    names.filter(|n| *n != "help").map(str::to_owned).collect()
}

#[test]
fn a_slip_gets_the_name_that_was_meant() {
    let sandbox = Sandbox::new();
    let ran = sandbox.cpulens(&["rnu"]);
    assert!(ran.code == 2 && ran.err.contains("'run'"), "{}", ran.err);
    sandbox.cpulens(&["run", "--only", "load_latnecy"]).could_not("did you mean load_latency");
}

#[test]
fn help_of_every_command_has_examples() {
    let sandbox = Sandbox::new();
    let commands = commands();
    assert!(commands.len() >= 7, "{commands:?}");
    for command in commands.iter().map(String::as_str).chain([""]) {
        let args: Vec<&str> = [command, "--help"].into_iter().filter(|a| !a.is_empty()).collect();
        let ran = sandbox.cpulens(&args);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
        let (_, examples) =
            ran.out.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{args:?}"));
        assert!(examples.contains(&format!("cpulens {command}")), "{args:?}");
    }
    assert!(sandbox.everything().is_empty());
}

/// An example that is refused teaches nothing.
#[test]
fn the_options_in_the_examples_exist() {
    let sandbox = Sandbox::new();
    for command in commands() {
        let help = sandbox.cpulens(&[&command, "--help"]).out;
        let (_, examples) = help.split_once("\nExamples:\n").unwrap();
        let (options, _) = help.split_once("\nExamples:\n").unwrap();
        // The options of a command inside this one are in its own help.
        let inner = ["selftest"].contains(&command.as_str());
        let own = examples.lines().filter(|l| !inner && l.contains(&format!("cpulens {command}")));
        // What follows two dashes or is quoted belongs to somebody else.
        let own: Vec<String> = own
            .filter_map(|l| l.split(" -- ").next())
            .map(|l| l.split('\'').step_by(2).collect())
            .collect();
        for option in own
            .iter()
            .flat_map(|l| l.split_whitespace())
            .filter(|w| w.starts_with('-') && w.len() > 1)
        {
            let known = options.split([' ', ',', '\n', '[']).any(|word| word == option);
            assert!(known, "{command}: {option} is in an example but not an option");
        }
    }
}

#[test]
fn the_version_is_the_packages() {
    let ran = Sandbox::new().cpulens(&["--version"]);
    assert_eq!((ran.code, ran.out), (0, format!("cpulens {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn a_dry_run_prints_the_plan_with_its_time_and_writes_nothing() {
    let sandbox = Sandbox::new();
    for format in FORMATS {
        let ran = sandbox.cpulens(&["run", "--dry-run", "--format", format]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{format}");
        assert!(
            ran.out.contains("estimated") && !ran.out.contains("--resume"),
            "{format}: {}",
            ran.out
        );
        for probe in ["preflight", "instrument", "core_frequency", "load_latency", "stream"] {
            assert!(ran.out.contains(probe), "{format} lacks {probe}");
        }
    }
    let json =
        sandbox.cpulens(&["run", "--dry-run", "--format", "json", "--only", "core_frequency"]).out;
    let plan: Value = serde_json::from_str(&json).unwrap();
    let cases = plan["plan"]["cases"].as_array().unwrap();
    let sum: f64 = cases.iter().map(|c| c["case"]["estimate"].as_f64().unwrap()).sum();
    assert_eq!(cases.len(), 3, "what was asked for, and the two that it rests on");
    assert!(sum > 0.0 && plan["plan"]["estimated_seconds"] == sum);
    let csv = sandbox.cpulens(&["run", "--dry-run", "--format", "csv"]).out;
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    assert!(rows.records().all(|row| row.unwrap().len() == 6));
    assert!(sandbox.everything().is_empty(), "{:?}", sandbox.everything());
}

#[test]
fn a_plan_tells_of_a_budget_that_is_too_short() {
    let sandbox = Sandbox::new();
    let plan_within = |budget| sandbox.cpulens(&["run", "--dry-run", "--time-budget", budget]).out;
    assert!(plan_within("2").contains("time budget of 2 s is less"));
    assert!(!plan_within("100000").contains("budget"));
}

#[test]
fn a_plan_for_one_cpu_states_what_is_skipped_and_the_remedy() {
    let sandbox = Sandbox::new();
    let first = first_cpu();
    let plan = sandbox.cpulens(&["run", "--dry-run", "--format", "csv", "--cpus", &first]).out;
    let skipped = plan.lines().find(|l| l.starts_with("core_to_core")).unwrap();
    assert!(skipped.contains("skipped: ") && skipped.contains("--cpus"), "{skipped}");
}

fn first_cpu() -> String {
    let json = Sandbox::new()
        .cpulens(&["run", "--dry-run", "--format", "json", "--only", "core_frequency"])
        .out;
    let plan: Value = serde_json::from_str(&json).unwrap();
    plan["plan"]["cases"][1]["case"]["place"]["cpus"].as_str().unwrap().to_owned()
}

#[test]
fn what_cannot_be_meant_is_refused_with_a_line_that_helps() {
    let sandbox = Sandbox::new();
    let other = sandbox.path("");
    let refused: &[(&[&str], &str)] = &[
        (&["info", "--root", other.to_str().unwrap()], "neither proc nor sys"),
        (&["run", "--only", "nonsense"], "core_frequency"),
        (&["run", "--skip", "nonsense"], "core_frequency"),
        (&["run", "--only", ""], "core_frequency"),
        (&["run", "--cpus", "9999"], "usable are"),
        (&["run", "--cpus", ""], "usable are"),
        (&["run", "--nodes", "99"], "nodes"),
        (&["run", "--only", "stream", "--skip", "stream"], "leaves nothing"),
        (&["run", "--where", "order=sideways"], "order=random"),
        (&["run", "--resume"], "nothing to resume"),
        (&["run", "--resume", "missing.json"], "missing.json"),
        (&["show", "last"], "no records yet"),
        (&["show", "missing.json"], "missing.json"),
        (&["explain", "nonsense"], "cpulens list"),
        (&["explain", "latency"], "load_latency"),
        (&["info", "--root", "missing"], "missing"),
        (&["capture", "-o", "/proc/nowhere"], "/proc/nowhere"),
    ];
    for (args, words) in refused {
        let ran = sandbox.cpulens(args).could_not(words);
        assert!(ran.err.starts_with("cpulens: "), "{args:?}: {}", ran.err);
    }
    // What the argument parser refuses is reported with its usage, in more than one line.
    let unparsed: &[(&[&str], &str)] = &[
        (&["run", "--cpus", "x"], "0-7,64-71"),
        (&["run", "--nodes", "x"], "0-7,64-71"),
        (&["run", "--where", "order"], "NAME=VALUE"),
        (&["run", "--time-budget", "0"], "at least 1"),
        (&["run", "--time-budget", "nan"], "at least 1"),
        (&["run", "--time-budget", "inf"], "at least 1"),
        (&["run", "--depth", "abyss"], "thorough"),
        (&["whatif", "--frequency", "fast"], "a whole number, 100 to 10000"),
        (&["run", "--format", "pdf"], "markdown"),
        (&["run", "--resume", "r.json", "--only", "stream"], "--only"),
        (&["run", "--resume", "r.json", "--depth", "thorough"], "--depth"),
        (&["run", "--resume", "r.json", "--record", "s.json"], "--record"),
        (&["run", "--resume", "r.json", "--seed", "3"], "--seed"),
        (&["run", "--root", "tree"], "--dry-run"),
        (&["frobnicate"], "frobnicate"),
    ];
    for (args, words) in unparsed {
        let ran = sandbox.cpulens(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{args:?}: {}", ran.err);
    }
    assert!(sandbox.everything().is_empty());
}

#[test]
fn a_run_puts_data_on_stdout_progress_on_stderr_and_a_record_where_it_says() {
    let sandbox = Sandbox::new();
    let ran = sandbox.cpulens(&[&CHEAP[..], &["--format", "json"]].concat()).done();
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(report["estimates"].as_array().unwrap().iter().any(|e| e["probe"] == "core_frequency"));

    let cases: Vec<&str> = ran.err.lines().filter(|l| l.starts_with('[')).collect();
    // The preflight check looks again at the end.
    let of = |case: &str| cases.iter().filter(|line| line.contains(case)).count();
    assert!(of("] core_frequency") > 0 && of("] preflight") > 0, "{}", ran.err);
    assert!(cases.iter().all(|line| line.contains("left")), "{}", ran.err);
    assert!(!has_control(&ran.err), "{:?}", ran.err);

    let [file] = &sandbox.records()[..] else { panic!("{:?}", sandbox.everything()) };
    let page = page_of(file);
    assert!(ran.err.contains(&format!("Record: {}", file.display())), "{}", ran.err);
    assert!(ran.err.contains(&format!("Report: {}", page.display())), "{}", ran.err);
    assert_eq!(sandbox.everything().len(), 2, "{:?}", sandbox.everything());
    assert_eq!(reached(&load(file)), (3, 0));

    // The saved page is the record's page, and all ways to name a record show the same.
    let shown = |args: &[&str]| sandbox.cpulens(args).done().out;
    assert_eq!(shown(&["show", "last", "--format", "html"]), fs::read_to_string(page).unwrap());
    let last = shown(&["show", "last", "--full"]);
    assert_eq!(shown(&["show", file.to_str().unwrap(), "--full"]), last);
    let piped = Ran::of(
        sandbox
            .command(crate::sandbox::PROGRAM)
            .args(["show", "-", "--full"])
            .write_stdin(fs::read(file).unwrap()),
    );
    assert_eq!(piped.done().out, last);
    assert_eq!(shown(&["show", "last", "--format", "json"]), ran.out, "run and show agree");
}

#[test]
fn a_name_and_a_seed_are_kept_and_quiet_is_quiet() {
    let sandbox = Sandbox::new();
    let args = ["run", "--only", "instrument", "--time-budget", "5", "--quiet"];
    let named = [&args[..], &["--name", "db 1/../x", "--seed", "7", "--format", "csv"]].concat();
    let ran = sandbox.cpulens(&named).done();
    assert_eq!(ran.err, "");
    let [file] = &sandbox.records()[..] else { panic!("{:?}", sandbox.everything()) };
    assert!(file.file_name().unwrap().to_string_lossy().contains("Z-db-1-x-"), "{file:?}");
    let made = load(file).provenance;
    assert_eq!((made.name.as_deref(), made.seed), (Some("db 1/../x"), 7));
    assert_eq!(made.command.first().map(String::as_str), Some("cpulens"));
    assert!(made.command.iter().any(|a| a == "--quiet"));
}

#[test]
fn a_report_goes_to_the_file_asked_for() {
    let sandbox = Sandbox::new();
    let record = sandbox.file("r.json", measured());
    for format in FORMATS {
        let shown = sandbox.cpulens(&["show", &record, "--format", format]).done();
        let written = sandbox.cpulens(&["show", &record, "--format", format, "-o", "out"]).done();
        assert_eq!((written.out.as_str(), written.err.as_str()), ("", ""));
        assert_eq!(fs::read_to_string(sandbox.path("out")).unwrap(), shown.out);
        assert_eq!(written.code, shown.code);
    }
    sandbox.cpulens(&["show", &record, "-o", "/dev/full"]).could_not("/dev/full");
    sandbox.cpulens(&["show", &record, "-o", "no/such/folder"]).could_not("no/such/folder");
    sandbox.cpulens(&["info", "-o", "."]).could_not("cannot write .");
    assert_eq!(sandbox.everything().len(), 2, "nothing is left over");
}

#[test]
fn a_report_that_cannot_be_written_leaves_the_record() {
    let sandbox = Sandbox::new();
    let ran = sandbox.cpulens(&[&CHEAP[..], &["-o", "/dev/full"]].concat());
    assert_eq!(ran.code, 2);
    let last = ran.err.lines().last().unwrap();
    assert!(last.starts_with("cpulens: cannot write /dev/full: "), "{}", ran.err);
    let [file] = &sandbox.records()[..] else { panic!("{:?}", sandbox.everything()) };
    assert!(ran.err.contains(&format!("Record: {}", file.display())), "{}", ran.err);
    assert_eq!(reached(&load(file)), (3, 0));
}

#[test]
fn what_cannot_be_written_is_found_before_measuring() {
    let sandbox = Sandbox::new();
    for place in [["--record", "/proc/nowhere/r.json"], ["--record", "."], ["-o", "no/such/folder"]]
    {
        let folder = place[1].trim_end_matches("/r.json");
        sandbox.cpulens(&[&CHEAP[..], &place].concat()).could_not(folder);
    }
    assert!(sandbox.everything().is_empty());
}

#[test]
fn a_record_is_not_replaced_by_its_page_or_report() {
    let sandbox = Sandbox::new();
    let run = |places: &[&str]| sandbox.cpulens(&[&CHEAP[..], places].concat());
    run(&["--record", "r.html"]).could_not("name it .json");
    run(&["--record", "r.json", "-o", "r.json"]).could_not("same file");
    assert!(sandbox.everything().is_empty());
    // For who wants none: nothing is made beside the device.
    let ran = run(&["--record", "/dev/null"]).done();
    assert!(
        !ran.err.contains("Report: ") && !std::path::Path::new("/dev/null.html").exists(),
        "{}",
        ran.err
    );
    assert!(sandbox.everything().is_empty());
}

#[test]
fn completions_are_scripts_of_their_shells() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish"] {
        let ran = sandbox.cpulens(&["completions", shell]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        for word in ["cpulens", "explain", "time-budget"] {
            assert!(ran.out.contains(word), "{shell} lacks {word}");
        }
        let file = sandbox.file(shell, &ran.out);
        let checked =
            sandbox.shell(&format!("command -v {shell} >/dev/null || exit 0; {shell} -n {file}"));
        assert_eq!((checked.code, checked.err.as_str()), (0, ""), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let sandbox = Sandbox::new();
    let program = sandbox.cpulens(&["man"]);
    assert_eq!((program.code, program.err.as_str()), (0, ""));
    let commands = ["run", "scale", "db", "compare", "man"];
    for command in commands {
        assert!(program.out.contains(&format!("cpulens\\-{command}(1)")), "{command}");
        let page = sandbox.cpulens(&["man", command]);
        assert_eq!((page.code, page.err.as_str()), (0, ""), "{command}");
        assert!(page.out.contains(&format!(".TH cpulens-{command} 1")), "{}", page.out);
        assert!(page.out.contains(".SH SYNOPSIS"), "{command}");
    }
    let unknown = sandbox.cpulens(&["man", "rnu"]);
    assert!(unknown.code == 2 && unknown.err.contains("`rnu`"), "{}", unknown.err);
}

/// Facts that change between two reads on one machine.
const LIVE: [&str; 11] = [
    "free",
    "available",
    "load",
    "uptime",
    "current",
    "pressure",
    "interrupts.all",
    "interrupts.device",
    "interrupts.routes",
    "interrupts.total",
    "throttle",
];

fn steady(info: &str) -> Value {
    fn prune(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.retain(|name, _| !LIVE.iter().any(|live| name.contains(live)));
                map.values_mut().for_each(prune);
            }
            Value::Array(list) => list.iter_mut().for_each(prune),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(info).unwrap();
    prune(&mut value);
    value
}

#[test]
fn a_capture_is_the_same_machine_without_its_names() {
    let sandbox = Sandbox::new();
    let ran = sandbox.cpulens(&["capture", "-o", "tree"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert!(ran.err.contains("files in tree"), "{}", ran.err);

    let live = sandbox.cpulens(&["info", "--format", "json"]);
    let replayed = sandbox.cpulens(&["info", "--root", "tree", "--format", "json"]);
    assert_eq!((live.code, replayed.code), (0, 0));
    let (live, replayed) = (steady(&live.out), steady(&replayed.out));
    let facts =
        |v: &Value| v["machine"]["facts"].as_object().unwrap_or_else(|| panic!("{v}")).clone();
    assert!(facts(&live).len() > 30);
    for (name, fact) in facts(&live) {
        assert_eq!(Some(&fact), facts(&replayed).get(&name), "{name}");
    }
    assert_eq!(live, replayed);

    let secrets = secrets();
    assert!(!secrets.is_empty());
    for file in sandbox.everything() {
        let mut text = file.display().to_string().replace(sandbox.path("").to_str().unwrap(), "");
        text += &String::from_utf8_lossy(&fs::read(&file).unwrap_or_default());
        for secret in &secrets {
            assert!(!text.contains(secret.as_str()), "{} holds '{secret}'", file.display());
        }
    }
    let plan = sandbox.cpulens(&["run", "--dry-run", "--root", "tree"]);
    assert!(plan.code == 0 && plan.out.contains("core_frequency"));
    sandbox.cpulens(&["capture", "-o", "tree"]).could_not("not empty");
}

/// Host names, hardware addresses, serial numbers and identifiers of this machine, long enough not to be words.
fn secrets() -> Vec<String> {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    let mut secrets = vec![
        read("/proc/sys/kernel/hostname"),
        read("/etc/hostname"),
        read("/etc/machine-id"),
        read("/proc/sys/kernel/random/boot_id"),
    ];
    for name in ["product_serial", "product_uuid", "board_serial", "chassis_serial"] {
        secrets.push(read(&format!("/sys/class/dmi/id/{name}")));
    }
    let nets = fs::read_dir("/sys/class/net").into_iter().flatten();
    secrets.extend(nets.map(|n| read(&format!("{}/address", n.unwrap().path().display()))));
    secrets.retain(|s| {
        s.len() >= 6 && !s.starts_with("00:00:00") && s != "localhost" && s != "Not Specified"
    });
    secrets
}

#[test]
fn details_are_more_and_formats_are_all_different() {
    let sandbox = Sandbox::new();
    let (name, file) = fixtures().swap_remove(0);
    assert_eq!(name, "busy-vm");
    let record = file.display().to_string();
    let show = |more: &[&str]| sandbox.cpulens(&[&["show", &record][..], more].concat()).done().out;
    let (summary, full, whole) = (show(&[]), show(&["--full"]), show(&["--details"]));
    assert!(summary.lines().count() <= 40, "{summary}");
    assert!(summary.len() < full.len() && full.len() < whole.len());
    let section = show(&["--section", "latency"]);
    assert!(section.contains("Levels on base pages") && section.len() < full.len(), "{section}");
    let chinese = show(&["--lang", "zh"]);
    assert!(chinese.contains("内存延时") && chinese.lines().count() <= 40, "{chinese}");
    let mut command = sandbox.command(crate::sandbox::PROGRAM);
    let by_locale = Ran::of(command.args(["show", &record]).env("LC_ALL", "zh_CN.UTF-8")).out;
    // The language that was asked for is that of the suggested commands, too.
    assert!(chinese.contains("--full --lang zh"), "{chinese}");
    let answer = |text: &str| text.split("后续").next().map(str::to_owned);
    assert_eq!(answer(&by_locale), answer(&chinese));
    let none = sandbox.cpulens(&["show", &record, "--section", "unixbench"]);
    assert!(none.err.contains("nothing for --section unixbench; it has environment, machine, "));
    let wrong = sandbox.cpulens(&["show", &record, "--section", "latncy"]);
    assert!(wrong.code == 2 && wrong.err.contains("did you mean latency?"), "{}", wrong.err);
    let heads: Vec<String> = FORMATS
        .iter()
        .map(|f| sandbox.cpulens(&["show", &record, "--format", f]).done().out[..4].to_owned())
        .collect();
    assert_eq!(heads, ["run,", "<!do", "{\n  ", "# AM", "AMD "].map(str::to_owned));
}
