//! Summaries of TPC-C-like loads: tpcc-mysql (`TpmC`), go-tpc (`tpmC`), HammerDB (`System achieved ... NOPM`).
//!
//! Limits: none is a TPC result, and no two of them count alike: tpcc-mysql counts late new orders too, go-tpc those
//! without error, HammerDB new orders from the database itself. Each is compared with itself only.
//! Source: Percona-Lab/tpcc-mysql, src/main.c; pingcap/go-tpc, tpcc/workload.go; HammerDB's documentation; published outputs
//! of all three. A result that tpcc-mysql marks `[NG]` gets a warning; most published runs have it.
use crate::prelude::*;

pub(crate) static IMPORTER: Importer =
    Importer::new("tpcc-mysql, go-tpc, HammerDB", recognises, read);

/// Tool, new orders a minute, all transactions a minute.
type Rates = (&'static str, f64, Option<f64>);

/// The rates on a line of results; an error if the number is missing.
fn result(line: &str) -> Option<Result<Rates, ()>> {
    let line = line.trim();
    if let Some((_, rest)) = line.split_once("TEST RESULT : System achieved ") {
        // The web service wraps each line in quotes.
        let rest = rest.trim_end_matches(['"', ',']);
        let words: Vec<&str> = rest.split_whitespace().collect();
        // Since 4.0 `N NOPM from M MySQL TPM`, before `M MySQL TPM at N NOPM`.
        let before = |unit: &str| words.iter().position(|w| *w == unit);
        let first = words.first().and_then(|w| number(w));
        let second = words.iter().skip(1).find_map(|w| number(w));
        return Some(match (before("NOPM"), before("TPM"), first, second) {
            (Some(1), Some(_), Some(nopm), tpm) => Ok(("HammerDB", nopm, tpm)),
            (Some(_), Some(_), Some(tpm), Some(nopm)) => Ok(("HammerDB", nopm, Some(tpm))),
            _ => Err(()),
        });
    }
    if let Some(rest) = line.strip_prefix("tpmC: ") {
        let first = rest.split([',', ' ']).next().and_then(number);
        let all = rest.split_once("tpmTotal: ").and_then(|(_, all)| leading(all)).map(|(x, _)| x);
        return Some(first.map(|x| ("go-tpc", x, all)).ok_or(()));
    }
    let value = line.strip_suffix(" TpmC")?;
    Some(leading(value).map(|(x, _)| ("tpcc-mysql", x, None)).ok_or(()))
}

/// go-tpc's line of a kind of transaction: its name, seconds, count and rate a minute.
fn kind(line: &str) -> Option<(&str, f64, f64, f64)> {
    let (name, rest) = line.trim().strip_prefix("[Summary] ")?.split_once(" - ")?;
    let value = |head: &str| {
        let (_, rest) = rest.split_once(head)?;
        number(rest.split(',').next()?.trim())
    };
    Some((name.trim(), value("Takes(s): ")?, value("Count: ")?, value("TPM: ")?))
}

/// go-tpc's times of a kind of transaction, in milliseconds; versions print others of them.
const TIMES: &[(&str, Metric)] = &[
    (" Avg(ms): ", Metric::LatencyMean),
    (" 50th(ms): ", Metric::Latency50),
    (" 90th(ms): ", Metric::Latency90),
    (" 95th(ms): ", Metric::Latency95),
    (" 99th(ms): ", Metric::Latency99),
    (" 99.9th(ms): ", Metric::Latency999),
    (" Max(ms): ", Metric::LatencyMost),
];

/// Adds the times of a line of go-tpc's summary.
fn times(line: &str, case: usize, found: &mut Found) {
    let Some((name, ..)) = kind(line).filter(|(name, ..)| !name.ends_with("_ERR")) else { return };
    let at = [("transaction", Value::from(tidy(name)))];
    for (head, metric) in TIMES {
        let Some((_, rest)) = line.split_once(head) else { continue };
        if let Some(ms) = rest.split(',').next().and_then(|x| number(x.trim())) {
            found.series(case, seconds(*metric), &at, &[ms * 1e-3]);
        }
    }
}

/// go-tpc's summary of new orders.
#[derive(Default)]
struct NewOrders {
    /// Line and rate a minute.
    rate: Option<(u32, f64)>,
    failed: f64,
}

impl NewOrders {
    /// Takes a line, and checks that its rate follows from its count and time.
    fn line(&mut self, n: u32, line: &str, found: &mut Found) {
        let Some((name, seconds, count, rate)) = kind(line) else { return };
        // Time and rate are printed to a tenth.
        let follows = count / seconds.max(0.1) * 60.0;
        if !agree(rate, follows, 0.06 + follows * 0.06 / seconds.max(0.1)) {
            let what =
                format!("{name}: {rate} a minute does not follow from {count} in {seconds} s");
            found.warn(n, what);
        }
        match name {
            "NEW_ORDER" => self.rate = Some((n, rate)),
            "NEW_ORDER_ERR" => self.failed = count,
            _ => {}
        }
    }
}

fn begin(line: u32, connections: Option<u64>, warehouses: Option<u64>, found: &mut Found) -> usize {
    let params = known([
        ("statistic", Some("mean".into())),
        ("connections", connections.map(Value::from)),
        ("warehouses", warehouses.map(Value::from)),
    ]);
    found.case(line, ProbeId::Tpcc, &params)
}

fn recognises(text: &Text) -> bool {
    let any =
        |l: &str| result(l).is_some() || kind(l).is_some_and(|(name, ..)| name == "NEW_ORDER");
    text.any(any)
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let (mut connections, mut warehouses, mut failed) = (None, None, vec![]);
    let (mut go, mut summary) = (NewOrders::default(), vec![]);
    for line in text.lines() {
        let n = line.number;
        let value = |head: &str| {
            line.text.trim().strip_prefix(head).and_then(|r| leading(r)).map(|(x, _)| x as u64)
        };
        connections = value("[connection]:").or(connections);
        warehouses = value("[warehouse]:").or(warehouses);
        if let Some(command_line) = command(line.text, &["tpcc_start", "go-tpc", "hammerdbcli"]) {
            let number_of =
                |names: &[&str]| option(command_line, names).and_then(|v| v.parse().ok());
            connections = number_of(&["-T", "--threads"]).or(connections);
            warehouses = number_of(&["--warehouses"]).or(warehouses);
            found.command(command_line);
        }
        if let Some((users, _)) = line.text.split_once(" Active Virtual Users configured") {
            let users = users.rsplit([':', ' ', '"']).next();
            connections = users.and_then(|u| u.parse().ok()).or(connections);
        }
        go.line(n, line.text, found);
        if kind(line.text).is_some() {
            summary.push(line.text);
        }
        if let Some((what, _)) = line.text.split_once("[NG]") {
            failed.push(tidy(what.split(':').next().unwrap_or(what)));
        }
        let Some(result) = result(line.text) else { continue };
        let (tool, orders, all) =
            result.map_err(|()| Problem::at(n, "expected a number of transactions a minute"))?;
        found.source.tool = tool.into();
        if let (Some((of, rate)), "go-tpc") = (go.rate.take(), tool)
            && !agree(rate, orders, 0.06)
        {
            found.warn(n, format!("{orders} new orders a minute, and line {of} prints {rate}"));
        }
        if go.failed > 0.0 {
            let failed = std::mem::take(&mut go.failed);
            found.warn(n, format!("failed new orders: {failed}; they are not counted"));
        }
        if !failed.is_empty() {
            failed.truncate(10);
            let kinds = std::mem::take(&mut failed).join(", ");
            found.warn(n, format!("the run breaks its own constraints ([NG]): {kinds}; late orders are counted all the same"));
        }
        let case = begin(n, connections, warehouses, found);
        found.series(case, per_second(Metric::NewOrders), &[], &[orders / 60.0]);
        summary.drain(..).for_each(|line| times(line, case, found));
        if let Some(all) = all {
            found.series(case, per_second(Metric::Transactions), &[], &[all / 60.0]);
            if all < orders {
                found.warn(n, "there are fewer transactions than new orders");
            }
        }
    }
    // The first versions did not sum up.
    if let Some((n, rate)) = go.rate {
        found.source.tool = "go-tpc".into();
        let case = begin(n, connections, warehouses, found);
        summary.drain(..).for_each(|line| times(line, case, found));
        let orders = per_second(Metric::NewOrders);
        found.series(case, orders, &[], &[rate / 60.0]);
    }
    Problem::when(found.runs.is_empty(), "no result is in it")
}

#[cfg(test)]
mod tests {
    use crate::{Gathered, gathered::imported};
    use record::Outcome;

    fn orders(text: &str) -> (String, f64) {
        let record = imported("t.txt", text);
        let Outcome::Measured(series) = &record.runs[0].outcome else { panic!() };
        (record.provenance.sources[0].tool.clone(), series[0].samples[0] * 60.0)
    }

    #[test]
    fn go_tpc_keeps_its_percentiles() {
        let text = "[Summary] NEW_ORDER - Takes(s): 60.0, Count: 60, TPM: 60.0, Sum(ms): 3600, Avg(ms): 60.0, 50th(ms): 50.0, 90th(ms): 90.0, 95th(ms): 95.0, 99th(ms): 99.0, 99.9th(ms): 99.9, Max(ms): 100.0\ntpmC: 60.0\n";
        let record = imported("t.txt", text);
        let all = record.runs[0].series().iter();
        let times: Vec<(&str, f64)> =
            all.skip(1).map(|s| (s.metric.as_str(), (s.samples[0] * 1e4).round() / 10.0)).collect();
        let named =
            ["mean", "50", "90", "95", "99", "99.9", "most"].map(|n| format!("latency_{n}"));
        let values = [60.0, 50.0, 90.0, 95.0, 99.0, 99.9, 100.0];
        assert_eq!(times, named.iter().map(String::as_str).zip(values).collect::<Vec<_>>());
    }

    /// Made up after published runs, most of which are late.
    #[test]
    fn broken_constraints_give_a_warning() {
        let text = "[warehouse]: 10\n[connection]: 10\n [response time (at least 90% passed)]\n      New-Order: 0.00%  [NG] *\n   Order-Status: 99.1%  [OK]\n        Payment: 1.00%  [NG] *\n<TpmC>\n                 17988.199 TpmC\n";
        let mut gathered = Gathered::default();
        assert_eq!(gathered.add("t.txt", text.as_bytes()).unwrap().warnings, 1);
        let what = &gathered.sources()[0].warnings[0].what;
        assert!(what.contains("New-Order, Payment") && !what.contains("Order-Status"), "{what}");
    }

    /// Lines after each tool's format.
    #[test]
    fn each_tool_is_recognised_by_its_words() {
        for (text, tool, value) in [
            (
                "Vuser 1:TEST RESULT : System achieved 42332 NOPM from 97427 PostgreSQL TPM\n",
                "HammerDB",
                42332.0,
            ),
            (
                "TEST RESULT : System achieved 60501 SQL Server TPM at 13207 NOPM\n",
                "HammerDB",
                13207.0,
            ),
            ("tpmC: 12345.6, tpmTotal: 27000.1, efficiency: 95.0%\n", "go-tpc", 12345.6),
            ("<TpmC>\n                 7104.000 TpmC\n", "tpcc-mysql", 7104.0),
        ] {
            let (named, read) = orders(text);
            assert_eq!((named.as_str(), (read * 10.0).round() / 10.0), (tool, value));
        }
    }
}
