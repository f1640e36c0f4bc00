//! Units that tools have for their results, where these are not ours.
use record::{Metric, ProbeId, Unit};

/// A unit that a tool prints.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitOfTool {
    /// The number of ours that make one.
    pub one: f64,
    /// Its name.
    pub name: &'static str,
}

impl UnitOfTool {
    /// New orders a minute, by whatever name.
    pub fn is_orders(self) -> bool {
        self.one < 1.0
    }
}

/// The unit of a result; `test` and `tool` are its coordinates, and `foreign` is what another program measured.
pub fn unit_of_tool(
    (probe, metric, unit): (ProbeId, Metric, Unit),
    (test, tool): (&str, &str),
    foreign: bool,
) -> Option<UnitOfTool> {
    let orders = metric == Metric::NewOrders
        || probe == ProbeId::Tpcc && metric == Metric::Throughput && !foreign;
    let (one, name) = match unit {
        Unit::PerSecond if metric == "rating" => (1e6, "MIPS"),
        Unit::PerSecond if test.ends_with("Whetstone") => (1e6, "MWIPS"),
        // Those of HammerDB and ours are no TPC result.
        Unit::PerSecond if orders && (!foreign || tool.contains("HammerDB")) => {
            (1.0 / 60.0, "NOPM")
        }
        Unit::PerSecond if orders => (1.0 / 60.0, "tpmC"),
        _ => return None,
    };
    Some(UnitOfTool { one, name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_called_as_their_tools_do() {
        let of = |metric: Metric, test: &str, tool: &str, foreign| {
            let found =
                unit_of_tool((ProbeId::Tpcc, metric, Unit::PerSecond), (test, tool), foreign);
            found.map(|unit| unit.name)
        };
        assert_eq!(of(Metric::NewOrders, "", "go-tpc", true), Some("tpmC"));
        assert_eq!(of(Metric::NewOrders, "", "HammerDB", true), Some("NOPM"));
        assert_eq!(of(Metric::Throughput, "", "", false), Some("NOPM"));
        // All five kinds are not new orders.
        assert_eq!(of(Metric::Transactions, "", "go-tpc", true), None);
        assert_eq!(of("rating".into(), "", "7-zip", true), Some("MIPS"));
        assert_eq!(of(Metric::Rate, "Double-Precision Whetstone", "", true), Some("MWIPS"));
    }
}
