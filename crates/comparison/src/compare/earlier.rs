//! Earlier runs of a machine: how its medians vary from run to run, where visits of one run cannot say it because it changes by
//! minutes.
use super::extract::Extract;
use record::Record;
use stats::repeat;
use std::collections::HashMap;

/// Medians of earlier runs by machine, quantity and version of its definition, in the order of time.
#[derive(Debug, Default)]
pub struct Earlier {
    machines: HashMap<String, HashMap<(String, u32), Vec<f64>>>,
}

impl Earlier {
    /// Adds the next run.
    pub fn put(&mut self, of: &Extract) {
        let Some(machine) = &of.machine else { return };
        let machine = self.machines.entry(machine.clone()).or_default();
        for found in &of.cells {
            let key = (found.named.key.clone(), found.cell.conditions.version);
            machine.entry(key).or_default().push(found.cell.median);
        }
    }
    /// Lets the earlier runs of its machine say how sure a run's medians are, where three of them or more have the quantity.
    pub fn teach(&self, of: &mut Extract) {
        let machine = of.machine.as_ref().and_then(|machine| self.machines.get(machine));
        let Some(machine) = machine else { return };
        for found in &mut of.cells {
            let key = (found.named.key.clone(), found.cell.conditions.version);
            let Some(medians) = machine.get(&key) else { continue };
            let seen = repeat::from_run_to_run(medians);
            let (Some(seen), Some(repeat)) = (seen, &mut found.cell.spread.repeat) else {
                continue;
            };
            *repeat = repeat.among(seen);
            found.cell.interval = Some(repeat.interval(found.cell.median));
            of.side.earlier = of.side.earlier.max(medians.len());
        }
    }
}

/// What tells a machine from others, as far as records say it: its identity or name, and what it is. Nothing where it has neither,
/// for machines of one kind are many.
pub(super) fn machine(record: &Record) -> Option<String> {
    let (made, machine) = (&record.provenance, &record.machine);
    let id = machine.text("machine.id").or(machine.text("machine.os_id")).or(made.called())?;
    let kind = ["cpu.model", "cpu.microarchitecture"].map(|fact| machine.text(fact));
    let (cpus, memory) = (machine.topology.cpus.len(), machine.number("memory.total"));
    Some(format!("{:?}", (id, kind, cpus, memory, &made.tool)))
}

#[cfg(test)]
mod tests {
    use crate::compare::{Comparison, Earlier, Extractor, Gathering, Verdict};
    use record::{Better, Metric, Record, Series, Unit};

    fn run(level: f64) -> Record {
        let mut record = crate::example::empty();
        record.provenance.host = Some("one".into());
        let mut s = Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher);
        s.samples = (0..14).map(|i| level * (1.0 + 0.001 * f64::from(i % 3))).collect();
        s.visits = vec![7, 7];
        crate::example::measured(&mut record, "bandwidth", &[("kernel", "read")], vec![s]);
        record.runs[0].visits = vec![Default::default(); 2];
        record
    }

    fn compared(a: &Record, b: &Record, earlier: &[Record]) -> Comparison {
        let (mut extractor, mut known) = (Extractor::default(), Earlier::default());
        earlier.iter().for_each(|record| known.put(&extractor.take("earlier", record, false)));
        let mut gathering = Gathering::new();
        for (name, record) in [("a", a), ("b", b)] {
            let mut taken = extractor.take(name, record, false);
            known.teach(&mut taken);
            gathering.put(taken);
        }
        gathering.finish(0)
    }

    #[test]
    fn a_machine_that_switches_by_minutes_is_not_called_different() {
        let runs = |levels: &[f64]| levels.iter().map(|level| run(*level)).collect::<Vec<_>>();
        let differs = |of: &Comparison| of.count(1, Verdict::Better) > 0;
        let loud = runs(&[34.0, 60.0, 34.0, 35.0, 59.0, 58.0, 34.0]);
        let calm = runs(&[34.0, 34.1, 33.9, 34.0, 34.1, 34.0, 33.9, 34.0, 34.2, 34.0]);
        let (a, b, c) = (run(34.0), run(60.0), run(35.7));
        assert!(differs(&compared(&a, &b, &[])));
        let of = compared(&a, &b, &loud);
        assert!(!differs(&of) && of.sides[0].earlier == 7);
        // A difference of 5 % is found where the machine is known to be calm.
        assert!(!differs(&compared(&a, &c, &[])));
        assert!(differs(&compared(&a, &c, &calm)));
        // Two runs say nothing, and neither do those of another machine or of one that has no name.
        assert_eq!(compared(&a, &b, &loud[..2]).sides[0].earlier, 0);
        let host = |mut of: Record, host: Option<&str>| {
            of.provenance.host = host.map(str::to_owned);
            of
        };
        for own in [Some("one"), Some("localhost"), None] {
            let other = if own == Some("one") { Some("other") } else { own };
            let others: Vec<Record> = loud.iter().map(|r| host(r.clone(), other)).collect();
            let of = compared(&host(a.clone(), own), &host(b.clone(), own), &others);
            assert_eq!(of.sides[0].earlier, 0, "{own:?}");
        }
    }
}
