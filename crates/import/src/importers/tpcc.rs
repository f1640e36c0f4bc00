//! Summaries of TPC-C-like loads: tpcc-mysql (`TpmC`), go-tpc (`tpmC`), HammerDB (`System achieved ... NOPM`).
//!
//! Limits: none is a TPC result, and no two of them count alike: tpcc-mysql counts late new orders too, go-tpc those
//! without error, HammerDB new orders from the database itself. Each is compared with itself only.
//! Source: Percona-Lab/tpcc-mysql, src/main.c; pingcap/go-tpc, tpcc/workload.go; HammerDB's documentation; lines of published
//! outputs of tpcc-mysql and of HammerDB 3 and 4. What tpcc-mysql itself marks `[NG]` is told: most published runs have it.
use crate::found::{Found, Problem};
use crate::importer::{Importer, Sure};
use crate::number::{leading, number};
use crate::session::{command, kept};
use crate::text::{Text, tidy};
use record::{Better, Unit, Value};

/// The importer.
#[derive(Debug)]
pub struct Tpcc;

/// Tool, new orders a minute, all transactions a minute.
type Rates = (&'static str, f64, Option<f64>);

/// What a line of results says; an error where its number is not there.
fn result(line: &str) -> Option<Result<Rates, ()>> {
    let line = line.trim();
    if let Some((_, rest)) = line.split_once("TEST RESULT : System achieved ") {
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
        return Some(first.map(|x| ("go-tpc", x, None)).ok_or(()));
    }
    let value = line.strip_suffix(" TpmC")?;
    Some(leading(value).map(|(x, _)| ("tpcc-mysql", x, None)).ok_or(()))
}

impl Importer for Tpcc {
    fn title(&self) -> &'static str {
        "tpcc-mysql, go-tpc, HammerDB"
    }
    fn recognise(&self, text: &Text) -> Sure {
        if text.any(|l| result(l).is_some()) { Sure::Certain } else { Sure::No }
    }
    fn read(&self, text: &Text, found: &mut Found) -> Result<(), Problem> {
        let (mut connections, mut warehouses, mut failed) = (None, None, vec![]);
        for line in text.lines() {
            let n = line.number;
            let value = |head: &str| {
                line.text.trim().strip_prefix(head).and_then(|r| leading(r)).map(|(x, _)| x as u64)
            };
            connections = value("[connection]:").or(connections);
            warehouses = value("[warehouse]:").or(warehouses);
            if let Some(asked) = command(line.text, &["tpcc_start", "go-tpc", "hammerdbcli"]) {
                found.source.command.get_or_insert(kept(asked));
            }
            if let Some((users, _)) = line.text.split_once(" Active Virtual Users configured") {
                connections =
                    users.rsplit([':', ' ']).next().and_then(|u| u.parse().ok()).or(connections);
            }
            if let Some((what, _)) = line.text.split_once("[NG]") {
                failed.push(tidy(what.split(':').next().unwrap_or(what)));
            }
            let Some(result) = result(line.text) else { continue };
            let (tool, orders, all) = result
                .map_err(|()| Problem::at(n, "expected a number of transactions a minute"))?;
            found.source.tool = tool.into();
            let mut params: Vec<(&str, Value)> = vec![("statistic", "mean".into())];
            params.extend(connections.map(|c| ("connections", c.into())));
            params.extend(warehouses.map(|w| ("warehouses", w.into())));
            if !failed.is_empty() {
                let what = format!(
                    "the run breaks its own constraints ([NG]): {}; late orders are counted all the same",
                    std::mem::take(&mut failed).into_iter().take(10).collect::<Vec<_>>().join(", ")
                );
                found.warn(n, what);
            }
            let case = found.case(n, "tpcc", &params);
            found.series(
                case,
                ("new_orders", Unit::PerSecond, Better::Higher),
                &[],
                &[orders / 60.0],
            );
            if let Some(all) = all {
                found.series(
                    case,
                    ("transactions", Unit::PerSecond, Better::Higher),
                    &[],
                    &[all / 60.0],
                );
                if all < orders {
                    found.warn(n, "there are fewer transactions than new orders");
                }
            }
        }
        if found.runs.is_empty() { Err(Problem::whole("no result is in it")) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use crate::Gathered;
    use record::{Outcome, Provenance};

    fn orders(text: &str) -> (String, f64) {
        let mut gathered = Gathered::default();
        gathered.add("t.txt", text.as_bytes()).unwrap();
        let record = gathered.record(Provenance::default());
        let Outcome::Measured(series) = &record.runs[0].outcome else { panic!() };
        (record.provenance.sources[0].tool.clone(), series[0].samples[0] * 60.0)
    }

    /// Made up after published runs, most of which are late.
    #[test]
    fn broken_constraints_are_told() {
        let text = "[warehouse]: 10\n[connection]: 10\n [response time (at least 90% passed)]\n      New-Order: 0.00%  [NG] *\n   Order-Status: 99.1%  [OK]\n        Payment: 1.00%  [NG] *\n<TpmC>\n                 17988.199 TpmC\n";
        let mut gathered = Gathered::default();
        assert_eq!(gathered.add("t.txt", text.as_bytes()).unwrap().warnings, 1);
        let what = &gathered.sources()[0].warnings[0].what;
        assert!(what.contains("New-Order, Payment") && !what.contains("Order-Status"), "{what}");
    }

    /// Lines after each tool's format.
    #[test]
    fn each_tool_is_told_by_its_words() {
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
