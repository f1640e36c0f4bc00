//! Latency and bandwidth between nodes, beside what the firmware states about their distances.
use crate::analyses::curves::is_memory;
use crate::analysis::{Analysis, Entry};
use crate::report::Report;
use record::{Metric, ProbeId, Topology, param};
use std::collections::{BTreeMap, BTreeSet};

/// Latency and bandwidth between nodes.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Numa {
    /// Nodes whose CPUs measured, ascending.
    pub from: Vec<u32>,
    /// Nodes whose memory was measured, ascending.
    pub to: Vec<u32>,
    /// The measured pairs, by `from` and `to`.
    pub cells: Vec<NumaCell>,
    /// The firmware's distances against the measured ones; `None` where they cannot be compared.
    pub stated: Option<Stated>,
}

/// The memory of one node seen by the CPUs of another, or of the same.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NumaCell {
    /// The CPUs' node.
    pub from: u32,
    /// The memory's node.
    pub to: u32,
    /// Idle latency in seconds: the median of the CPUs that measured it.
    pub latency: Option<f64>,
    /// Ends of the latency in seconds: the widest of the CPUs' intervals, or of their samples where these are few.
    pub ends: Option<(f64, f64)>,
    /// Idle latency in seconds by CPU, where CPUs of several caches measured it.
    pub sweep: Vec<(u32, f64)>,
    /// Read bandwidth of all cores of `from`, in bytes per second.
    pub bandwidth: Option<f64>,
    /// The firmware's distance; 10 is local.
    pub distance: Option<u32>,
    /// Latency over that of `from`'s own memory.
    pub latency_ratio: Option<f64>,
    /// Bandwidth over that of `from`'s own memory.
    pub bandwidth_ratio: Option<f64>,
}

/// Firmware distances (SLIT) against measured latency.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stated {
    /// Pairs of NUMA nodes whose order, seen from one node, the distances state and the latencies tell.
    pub compared: usize,
    /// Those in which the node that is stated to be nearer is slower: seen from, stated nearer, stated farther.
    pub contradicted: Vec<(u32, u32, u32)>,
    /// The pair whose ratio to the own node is stated most wrongly: from, to, stated ratio, measured ratio.
    pub farthest: Option<(u32, u32, f64, f64)>,
}

/// Two latencies within 5 % are equal: quick medians are known to 2 % each.
const SAME: f64 = 1.05;

/// A latency and its ends by CPU, where each CPU was measured separately.
pub type ByCpu = BTreeMap<Option<u32>, (f64, (f64, f64))>;
/// By the CPUs' node and the memory's.
pub type ByPair<T> = BTreeMap<(u32, u32), T>;

pub static ANALYSIS: Entry = Entry::of::<Option<Numa>>();

impl Analysis for Option<Numa> {
    const TITLE: &str = "Latency and bandwidth between nodes; nothing if none was measured.";
    const ORDER: u16 = 140;
    /// The pairs whose memory was measured and not their caches; nothing without any.
    fn compute(report: &Report<'_>) -> Self {
        let (record, estimates) = (report.record, report.own());
        let mut latency: ByPair<ByCpu> = BTreeMap::new();
        let mut bandwidth: ByPair<f64> = BTreeMap::new();
        for e in estimates.iter().filter(|e| e.probe == ProbeId::NumaMatrix && e.median > 0.0) {
            if !record.runs[e.run].series().get(e.series).is_some_and(is_memory) {
                continue;
            }
            let (Some(from), Some(to)) = (param::FROM.of(&e.at), param::TO.of(&e.at)) else {
                continue;
            };
            let cpu = param::CPU.of(&e.at);
            match e.metric {
                Metric::IdleLatency => {
                    latency.entry((from, to)).or_default().insert(cpu, (e.median, e.ends()));
                }
                Metric::Bandwidth => {
                    bandwidth.insert((from, to), e.median);
                }
                _ => {}
            }
        }
        if latency.is_empty() && bandwidth.is_empty() {
            return None;
        }
        Some(Numa::of(&record.machine.topology, &latency, &bandwidth))
    }
}

impl Numa {
    /// The matrix of latencies in seconds and of bandwidths in bytes per second.
    pub fn of(topology: &Topology, latency: &ByPair<ByCpu>, bandwidth: &ByPair<f64>) -> Numa {
        let pairs: BTreeSet<(u32, u32)> = latency.keys().chain(bandwidth.keys()).copied().collect();
        let median = |pair: &(u32, u32)| -> Option<f64> {
            stats::median_of(latency.get(pair)?.values().map(|(median, _)| *median))
        };
        let cells: Vec<NumaCell> = pairs
            .iter()
            .map(|pair| {
                let own = (pair.0, pair.0);
                let over = |a: Option<f64>, b: Option<f64>| Some(a? / b?);
                let sweep = latency.get(pair).into_iter().flatten();
                NumaCell {
                    from: pair.0,
                    to: pair.1,
                    latency: median(pair),
                    ends: latency.get(pair).and_then(|all| {
                        let ends = all.values().map(|(_, ends)| *ends);
                        ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
                    }),
                    sweep: sweep.filter_map(|(cpu, (s, _))| Some(((*cpu)?, *s))).collect(),
                    bandwidth: bandwidth.get(pair).copied(),
                    distance: topology.distance(pair.0, pair.1),
                    latency_ratio: over(median(pair), median(&own)),
                    bandwidth_ratio: over(
                        bandwidth.get(pair).copied(),
                        bandwidth.get(&own).copied(),
                    ),
                }
            })
            .collect();
        let unique = |of: fn(&NumaCell) -> u32| -> Vec<u32> {
            cells.iter().map(of).collect::<BTreeSet<_>>().into_iter().collect()
        };
        Numa { from: unique(|c| c.from), to: unique(|c| c.to), stated: stated(&cells), cells }
    }
}

/// Whether the stated distances put the nodes in the measured order, and where they are farthest from the truth.
fn stated(cells: &[NumaCell]) -> Option<Stated> {
    let known: Vec<(&NumaCell, u32, f64)> =
        cells.iter().filter_map(|c| Some((c, c.distance?, c.latency?))).collect();
    let mut found = Stated { compared: 0, contradicted: vec![], farthest: None };
    for (i, (a, near, seconds)) in known.iter().enumerate() {
        for (b, far, others) in &known[i + 1..] {
            if a.from != b.from || near == far {
                continue;
            }
            found.compared += 1;
            // Beyond 5 %, and beyond what either may be by its samples.
            let apart = |nearer: &NumaCell, farther: &NumaCell| {
                let ends = nearer.ends.zip(farther.ends);
                ends.is_none_or(|((low, _), (_, high))| low > high)
            };
            let wrong = if near < far {
                *seconds > others * SAME && apart(a, b)
            } else {
                *others > seconds * SAME && apart(b, a)
            };
            if wrong {
                let (nearer, farther) = if near < far { (a, b) } else { (b, a) };
                found.contradicted.push((a.from, nearer.to, farther.to));
            }
        }
    }
    let off = |c: &NumaCell| Some(factor(stated_ratio(cells, c)?, c.latency_ratio?));
    let remote = cells.iter().filter(|c| c.from != c.to && off(c).is_some());
    found.farthest = remote
        .max_by(|a, b| off(a).unwrap_or(0.0).total_cmp(&off(b).unwrap_or(0.0)))
        .and_then(|c| Some((c.from, c.to, stated_ratio(cells, c)?, c.latency_ratio?)));
    (found.compared > 0 || found.farthest.is_some()).then_some(found)
}

/// The stated distance over that of the node to itself.
pub fn stated_ratio(cells: &[NumaCell], cell: &NumaCell) -> Option<f64> {
    let own = cells.iter().find(|c| c.from == cell.from && c.to == cell.from)?.distance?;
    Some(f64::from(cell.distance?) / f64::from(own))
}

/// The ratio of two ratios, 1 or more.
pub fn factor(a: f64, b: f64) -> f64 {
    if a > b { a / b } else { b / a }
}

impl Numa {
    /// What a load costs on average where memory lies on all nodes alike, and on the own node: seconds, averaged over the
    /// nodes whose own latency was measured. Nothing unless every pair from there was.
    pub fn unbound(&self) -> Option<(f64, f64)> {
        let at = |from: u32, to: u32| {
            self.cells.iter().find(|c| (c.from, c.to) == (from, to)).and_then(|c| c.latency)
        };
        let own: Vec<u32> = self.from.iter().copied().filter(|n| at(*n, *n).is_some()).collect();
        let timed = |to: &&u32| self.cells.iter().any(|c| c.to == **to && c.latency.is_some());
        let to: Vec<u32> = self.to.iter().filter(timed).copied().collect();
        let mean = |values: Option<Vec<f64>>| {
            values.filter(|v| !v.is_empty()).map(|v| v.iter().sum::<f64>() / v.len() as f64)
        };
        let all = own.iter().flat_map(|from| to.iter().map(|to| at(*from, *to))).collect();
        let local = own.iter().map(|n| at(*n, *n)).collect();
        Some((mean(all)?, mean(local)?))
    }
    /// Whether that mean is longer than the own node's whatever both were within their samples.
    pub fn surely_farther(&self) -> bool {
        let own: Vec<u32> = self.from.iter().copied().filter(|n| self.to.contains(n)).collect();
        let cells = || self.cells.iter().filter(|c| own.contains(&c.from));
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let low = mean(cells().filter_map(|c| Some(c.ends?.0)).collect());
        let near = cells().filter(|c| c.from == c.to);
        low > mean(near.filter_map(|c| Some(c.ends?.1)).collect())
    }
    /// The cell with this much more latency than the own node, the largest.
    pub fn slowest(&self) -> Option<&NumaCell> {
        let remote = self.cells.iter().filter(|c| c.latency_ratio.is_some() && c.from != c.to);
        remote.max_by(|a, b| {
            a.latency_ratio.unwrap_or(0.0).total_cmp(&b.latency_ratio.unwrap_or(0.0))
        })
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::example;
    use record::{Better, Node, Series, Unit};

    /// Nodes with these distances, and latencies in nanoseconds measured between them.
    pub fn measured(distances: &[&[u32]], nanoseconds: &[&[f64]]) -> Numa {
        let mut record = example::empty();
        record.machine.topology.nodes = (0..)
            .zip(distances)
            .map(|(id, d)| Node { id, distances: d.to_vec(), ..Node::default() })
            .collect();
        example::between_nodes(&mut record, nanoseconds);
        Option::<Numa>::compute(&Report::new(&record)).unwrap()
    }

    /// Two machines of which one was slower than its price: 72 cores on two sockets, 196 on four. What their
    /// measurements let expect is 1.25 and 1.69.
    #[test]
    fn the_mean_of_an_unbound_program() {
        let two = measured(&[], &[&[1.1, 1.4], &[1.4, 1.1]]);
        let (mean, local) = two.unbound().unwrap();
        assert!((mean - 1.25e-9).abs() < 1e-15 && (local - 1.1e-9).abs() < 1e-15, "{mean}");
        let far = |own: usize| -> Vec<f64> {
            (0..4).map(|to| if to == own { 1.2 } else { 1.85 }).collect()
        };
        let rows: Vec<Vec<f64>> = (0..4).map(far).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let (mean, _) = measured(&[], &rows).unbound().unwrap();
        assert!((mean - 1.6875e-9).abs() < 1e-15, "{mean}");
    }

    #[test]
    fn ratios_are_against_the_own_node() {
        let numa = measured(&[&[10, 20], &[20, 10]], &[&[100.0, 150.0], &[300.0, 200.0]]);
        let ratios: Vec<Option<f64>> = numa.cells.iter().map(|c| c.latency_ratio).collect();
        assert_eq!(ratios, [Some(1.0), Some(1.5), Some(1.5), Some(1.0)]);
        assert_eq!(numa.slowest().unwrap().distance, Some(20));
        let stated = numa.stated.unwrap();
        assert_eq!((stated.compared, stated.contradicted.len()), (2, 0));
        assert_eq!(stated.farthest.unwrap().2, 2.0);
    }

    #[test]
    fn an_order_that_is_not_the_measured_one_is_counted() {
        let distances: &[&[u32]] = &[&[10, 16, 28], &[16, 10, 28], &[28, 28, 10]];
        let right: &[&[f64]] = &[&[100.0, 160.0, 250.0], &[160.0, 100.0, 240.0], &[250.0; 3]];
        assert_eq!(measured(distances, right).stated.unwrap().contradicted, []);
        let wrong: &[&[f64]] = &[&[100.0, 260.0, 150.0], &[160.0, 100.0, 240.0], &[250.0; 3]];
        let stated = measured(distances, wrong).stated.unwrap();
        assert_eq!((stated.compared, stated.contradicted), (8, vec![(0, 1, 2)]));
    }

    #[test]
    fn a_memory_only_node_has_a_column_and_no_row() {
        let numa = measured(&[&[10, 20], &[20, 10]], &[&[100.0, 250.0]]);
        assert_eq!((numa.from, numa.to, numa.cells.len()), (vec![0], vec![0, 1], 2));
    }

    #[test]
    fn what_a_cache_answered_is_no_memory() {
        let mut record = example::empty();
        let at = |to: u32, ratio: f64| {
            let mut s = Series::new(Metric::IdleLatency, Unit::Seconds, Better::Lower);
            s.samples = vec![1e-7];
            s.buffer = Some(record::Buffer { llc_ratio: Some(ratio), ..Default::default() });
            s.at(param::FROM, 0u32).at(param::TO, to)
        };
        example::measured(&mut record, "numa_matrix", &[], vec![at(0, 16.0), at(1, 0.9)]);
        let found = Option::<Numa>::compute(&Report::new(&record)).unwrap();
        assert_eq!((found.to, found.cells.len()), (vec![0], 1));
    }
}
