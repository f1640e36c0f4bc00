//! Phoronix Test Suite's `composite.xml`: the runs of each test with their unit. STREAM, openssl, 7-Zip and sysbench's CPU test
//! in it are read as those programs'.
//!
//! Limits: results are of one version of a test profile, which is a parameter. Of several systems the first is read. Users and
//! comments are left out.
//! Source: phoronix-test-suite, pts-core/objects/pts_result_file_writer.php; a published result of 10.8.4.
use crate::{cells::unit, prelude::*};
use roxmltree::Node;

pub(crate) static IMPORTER: Importer = Importer::new("Phoronix Test Suite", recognises, read);

fn recognises(text: &Text) -> bool {
    let whole = text.whole().trim_start();
    whole.starts_with('<') && whole.contains("<PhoronixTestSuite>") && whole.contains("<Result>")
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let document = text.xml(false)?;
    let of = |name| document.root_element().children().filter(move |c| c.has_tag_name(name));
    let first = of("System").next();
    let system = first.map_or("", |system| child(system, "Identifier"));
    if let Some(node) = first {
        machine(node, line(node), found);
    }
    for result in of("Result") {
        if child(result, "Identifier").is_empty() {
            found.warn(0, "rows of no test, such as installed sizes and sensors, are left");
            continue;
        }
        let entries = result.children().filter(|c| c.has_tag_name("Data"));
        for entry in entries.flat_map(|d| d.children()).filter(|c| c.has_tag_name("Entry")) {
            match [system, ""].contains(&child(entry, "Identifier")) {
                true => one(result, entry, found),
                false => {
                    found.warn(0, "results of other systems in it are left: a record is of one");
                }
            }
        }
    }
    // The version of a test's profile defines it, and not the suite's.
    let client = of("Generated").next().map_or("", |generated| child(generated, "TestClient"));
    found.version(client.rsplit([' ', '/']).next().unwrap_or("").trim_start_matches('v'));
    Problem::when(found.runs.is_empty(), "it holds no result")
}

fn line(node: Node<'_, '_>) -> u32 {
    node.document().text_pos_at(node.range().start).row
}

fn child<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    let child = node.children().find(|c| c.has_tag_name(name));
    child.and_then(|c| c.text()).unwrap_or("").trim()
}

/// A test's program, quantity, factor to its unit, and parameter.
type TestQuantity = (ProbeId, Quantity, f64, (&'static str, Value));

/// Results that other importers have under their own names.
fn known(profile: &str, described: &str, scale: &str) -> Option<TestQuantity> {
    let of = described.rsplit(": ").next().unwrap_or("");
    let (name, _) = profile.rsplit_once('-')?;
    Some(match (name, scale) {
        ("pts/stream", "MB/s") => {
            let kernel = ("kernel", of.to_lowercase().into());
            (ProbeId::Stream, BANDWIDTH, 1e6, kernel)
        }
        ("pts/openssl", "byte/s" | "sign/s" | "verify/s") => {
            let quantity = match scale {
                "byte/s" => THROUGHPUT,
                "sign/s" => per_second(Metric::Sign),
                _ => per_second(Metric::Verify),
            };
            (ProbeId::OpensslSpeed, quantity, 1.0, ("algorithm", of.into()))
        }
        ("pts/compress-7zip", "MIPS") => {
            let way = if of.starts_with("Decompression") { "decompressing" } else { "compressing" };
            (ProbeId::Sevenzip, per_second(Metric::Rating), 1e6, ("of", way.into()))
        }
        ("pts/sysbench", "Events Per Second") if of == "CPU" => {
            (ProbeId::Sysbench, per_second(Metric::Events), 1.0, ("test", "cpu".into()))
        }
        _ => return None,
    })
}

/// Any other result: a time, a rate or a score in the test's own unit.
fn other(described: &str, scale: &str, better: Better) -> TestQuantity {
    let word = scale.trim_end_matches("ec");
    let at = ("of", Value::from(tidy(described)));
    let timed = ["Seconds", "Milliseconds", "ms", "us", "ns"].contains(&scale);
    let is_rate = ["/s", "/sec", "Per Second"].iter().any(|end| scale.ends_with(end));
    let (metric, unit, factor) = match unit(&scale.to_lowercase()).filter(|_| timed).or(unit(word))
    {
        _ if scale == "Milliseconds" => (Metric::Elapsed, Unit::Seconds, 1e-3),
        Some((unit @ Unit::Seconds, factor)) => (Metric::Elapsed, unit, factor),
        Some((unit @ Unit::BytesPerSecond, factor)) => (Metric::Bandwidth, unit, factor),
        _ if is_rate => (Metric::Rate, Unit::PerSecond, 1.0),
        _ => (Metric::Score, SCORE.1, 1.0),
    };
    (ProbeId::Phoronix, (metric, unit, better), factor, at)
}

fn one(result: Node<'_, '_>, entry: Node<'_, '_>, found: &mut Found) {
    let (n, profile) = (line(entry), tidy(child(result, "Identifier")));
    let (title, described) = (child(result, "Title"), child(result, "Description"));
    let scale = child(result, "Scale");
    let named =
        if described.is_empty() { title.to_owned() } else { format!("{title}, {described}") };
    let better = match child(result, "Proportion") {
        "HIB" => Better::Higher,
        "LIB" => Better::Lower,
        _ => Better::Neither,
    };
    let runs: Vec<f64> = child(entry, "RawString").split(':').filter_map(number).collect();
    let printed = number(child(entry, "Value"));
    let samples = if runs.is_empty() { printed.into_iter().collect() } else { runs };
    if samples.is_empty() {
        return found.warn(n, format!("{profile}: '{}' is no number", tidy(child(entry, "Value"))));
    }
    let (probe, quantity, factor, at) =
        known(&profile, described, scale).unwrap_or_else(|| other(&named, scale, better));
    let mut params = vec![("profile", Value::from(profile))];
    let version = child(result, "AppVersion");
    if !version.is_empty() {
        params.push(("version", version.into()));
    }
    let case = found.case(n, probe, &params);
    let mut at = vec![at];
    if quantity.0 == Metric::Score {
        at.push(("in", scale.into()));
    }
    let samples: Vec<f64> = samples.iter().map(|x| x * factor).collect();
    found.series(case, quantity, &at, &samples);
}

/// Words of a `System Layer` that is a hypervisor.
const LAYERS: [(&str, &str); 5] = [
    ("kvm", "KVM"),
    ("vmware", "VMware"),
    ("xen", "Xen"),
    ("oracle", "VirtualBox"),
    ("microsoft", "Hyper-V"),
];

/// `Processor: 2 x Intel Xeon Gold 6138 @ 3.70GHz (40 Cores / 80 Threads), Motherboard: ...` and the software beside it.
fn machine(system: Node<'_, '_>, n: u32, found: &mut Found) {
    let all = format!("{}, {}", child(system, "Hardware"), child(system, "Software"));
    let part = |name: &str| {
        let begin = all.split(", ").find_map(|part| part.strip_prefix(name)?.strip_prefix(": "));
        begin.map(str::trim).filter(|words| !words.is_empty())
    };
    if let Some(processor) = part("Processor") {
        let (name, counts) = processor.rsplit_once(" (").unwrap_or((processor, ""));
        let digits = |n: &str| n.bytes().all(|b| b.is_ascii_digit());
        let (sockets, model) = match name.split_once(" x ").filter(|(n, _)| digits(n)) {
            Some((n, model)) => (n.parse().unwrap_or(0), model),
            None => (1u64, name),
        };
        let model = model.split(" @ ").next().unwrap_or(model);
        // Where the guest gives no name, two numbers stand there: `19/01`.
        match model.bytes().any(|b| b.is_ascii_alphabetic()) {
            true => found.fact(n, "cpu.model", tidy(model)),
            false => found.warn(n, format!("'{}' names no processor", tidy(model))),
        }
        let count = |what: &str| count_of(counts.trim_end_matches(')'), " / ", what);
        if let (Some(cores), 1..) = (count("Core"), sockets) {
            found.cores(n, Some(sockets), Some(cores));
            found.fact(n, "cpu.count", count("Thread").unwrap_or(cores));
        }
    }
    let layer = part("System Layer").unwrap_or("").to_lowercase();
    if let Some((_, hypervisor)) = LAYERS.iter().find(|(word, _)| layer.contains(word)) {
        found.fact(n, "virtual.hypervisor", *hypervisor);
    }
    for (name, fact) in [("OS", "os.name"), ("Motherboard", "board.product")] {
        found.known(n, fact, part(name).map(tidy));
    }
    if let Some((release, arch)) = part("Kernel").and_then(|k| k.split_once(" (")) {
        found.fact(n, "kernel.release", tidy(release));
        found.fact(n, "kernel.arch", tidy(arch.split(')').next().unwrap_or("")));
    }
}

#[cfg(test)]
mod tests {
    use crate::{Gathered, gathered::imported};
    use record::{ProbeId, Provenance, Unit};

    /// Made up after the format; the first processor as a published result words it.
    fn composite(result: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?>\n<PhoronixTestSuite><Generated><TestClient>Phoronix Test Suite v10.8.4</TestClient></Generated>\n<System><Identifier>a</Identifier><Hardware>Processor: 2 x Intel Xeon Gold 6138 @ 3.70GHz (40 Cores / 80 Threads), Motherboard: X, Memory: 4096MB</Hardware><Software>OS: Ubuntu 20.04, Kernel: 5.4.0-47-generic (x86_64), Desktop: GNOME</Software></System>\n<Result>{result}<Data><Entry><Identifier>a</Identifier><Value>2.5</Value><RawString>2:3</RawString></Entry><Entry><Identifier>b</Identifier><Value>9</Value></Entry></Data></Result></PhoronixTestSuite>"
        )
    }

    #[test]
    fn installed_sizes_are_no_results_and_the_layer_is_a_hypervisor() {
        let size = "<Identifier></Identifier><Title>X</Title><Description>Test Install Size</Description><Scale>Bytes</Scale>";
        assert!(Gathered::default().add("a.xml", composite(size).as_bytes()).is_err());
        let test = "<Identifier>pts/x-1.0</Identifier><Title>X</Title><Scale>Points</Scale>";
        let guest = composite(test).replace("Desktop: GNOME", "System Layer: Xen HVM domU 4.2");
        let machine = imported("a.xml", &guest).machine;
        assert_eq!(machine.text("virtual.hypervisor"), Some("Xen"));
    }

    #[test]
    fn a_result_is_in_its_unit_and_of_one_system() {
        for (result, probe, unit, first) in [
            (
                "<Identifier>pts/git-1.1.0</Identifier><Title>Git</Title><Scale>Seconds</Scale><Proportion>LIB</Proportion>",
                ProbeId::Phoronix,
                Unit::Seconds,
                2.0,
            ),
            (
                "<Identifier>pts/x-1.0</Identifier><Title>X</Title><Scale>MiB/s</Scale>",
                ProbeId::Phoronix,
                Unit::BytesPerSecond,
                2.0 * 1_048_576.0,
            ),
            (
                "<Identifier>pts/x-1.0</Identifier><Title>X</Title><Scale>Nodes Per Second</Scale>",
                ProbeId::Phoronix,
                Unit::PerSecond,
                2.0,
            ),
            (
                "<Identifier>pts/x-1.0</Identifier><Title>X</Title><Scale>Points</Scale>",
                ProbeId::Phoronix,
                Unit::Count,
                2.0,
            ),
            (
                "<Identifier>pts/compress-7zip-1.10.0</Identifier><Title>7-Zip</Title><Description>Test: Compression Rating</Description><Scale>MIPS</Scale>",
                ProbeId::Sevenzip,
                Unit::PerSecond,
                2e6,
            ),
        ] {
            let mut gathered = Gathered::default();
            let read = gathered.add("composite.xml", composite(result).as_bytes()).unwrap();
            assert_eq!((read.facts, read.series, read.warnings), (8, 1, 1), "{result}: {read:?}");
            let record = gathered.record(Provenance::default());
            assert_eq!(record.machine.text("cpu.model"), Some("Intel Xeon Gold 6138"));
            assert_eq!(record.machine.integer("cpu.cores_per_socket"), Some(20));
            let series = &record.runs[0].series()[0];
            assert_eq!(
                (record.runs[0].case.probe, series.unit, series.samples[0]),
                (probe, unit, first)
            );
        }
    }
}
