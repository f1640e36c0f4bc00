//! Two CPUs are stated to be threads of one core and compute like two, or stated to be two cores and compute like one.
//!
//! Threads of a core share its units: additions alone keep one busy, so a second thread adds nothing. Two cores add twice as
//! much. Virtual machines often state a core for each of their CPUs, though the hypervisor runs two of them on one core's
//! threads: half of what was expected, and neighbours on the same core. The time of a line agrees: threads of a core hand it
//! over inside their first-level cache.
use crate::cost::{Cost, Demand, Sure};
use crate::estimate::Estimate;
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, measured};
use crate::matrix::Matrix;
use crate::rule::Finding;
use crate::rule::Rule;
use crate::words::{number, percent};
use record::{Better, Cpu, Reason, Record, Relation, Series, Unit};

/// Two threads of a core add up to 1.0 to 1.3 times what one adds (a core alone is busy with additions), two cores to
/// 1.8 to 2.0; between these it is not said.
const ONE_CORE: f64 = 1.35;
const TWO_CORES: f64 = 1.7;
/// Other programs on the CPUs make two cores look like one, or one thread like half of one.
const BUSY: f64 = 0.10;
/// A line between threads of one core takes less than this share of one between neighbouring cores: a third is typical.
const LINE: f64 = 0.7;

/// See the file's header.
#[derive(Debug)]
pub struct SmtUntrue;

impl Rule for SmtUntrue {
    fn title(&self) -> &'static str {
        "Threads and cores are not what they are stated to be"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let both = evidence.all("smt_pair", "additions", &[("on", "both")])?;
        let matrix = evidence.pairs().ok();
        let mut disturbed = None;
        for e in both {
            let pair = Pair::of(evidence, e)?;
            let line = matrix.as_ref().and_then(|m| pair.line(m));
            let (stated, found) = match pair.siblings {
                true if pair.ends.0 > TWO_CORES && line.is_none_or(|l| l > LINE) => {
                    ("threads of one core", "two cores")
                }
                false if pair.ends.1 < ONE_CORE && line.is_none_or(|l| l < LINE) => {
                    ("two cores", "threads of one core")
                }
                _ => continue,
            };
            match busy(evidence, e)? {
                Some(busy) => disturbed = Some(busy),
                None => return Ok(Some(pair.finding(line, stated, found))),
            }
        }
        disturbed.map_or(Ok(None), |why| Err(Missing(why)))
    }

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Cycles]
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let all = evidence.all("smt_pair", "additions", &[("on", "both")])?;
        let pairs = all.into_iter().filter_map(|e| Pair::of(evidence, e).ok());
        let worst = pairs.filter(|p| !p.siblings).map(|p| p.gain).reduce(f64::min);
        let lost = worst.filter(|gain| *gain < ONE_CORE).ok_or_else(|| {
            Missing(Reason::new(
                "threads that are cores cost nothing: they do more than was stated",
            ))
        })?;
        Cost::between(
            0.0,
            1.0 - lost / 2.0,
            Sure::Measured,
            "From nothing, by programs that wait for memory, to what two such CPUs do less than two cores, in additions.",
        )
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "cores of a virtual machine that are threads of one",
                build: |r| pair(r, "cores", 1.02, 0.0),
                expect: Expect::Fires,
            },
            Example {
                about: "siblings that are cores of their own",
                build: |r| pair(r, "siblings", 1.98, 0.0),
                expect: Expect::Fires,
            },
            Example {
                about: "siblings that share a core",
                build: |r| pair(r, "siblings", 1.1, 0.0),
                expect: Expect::Clear,
            },
            Example {
                about: "cores that are cores",
                build: |r| pair(r, "cores", 1.97, 0.0),
                expect: Expect::Clear,
            },
            Example {
                about: "cores that add little, and whose line takes as long as any other",
                build: |r| {
                    pair(r, "cores", 1.2, 0.0);
                    lines(r, &|_, _| 50e-9);
                },
                expect: Expect::Clear,
            },
            Example {
                about: "cores that others use meanwhile",
                build: |r| pair(r, "cores", 1.02, 0.6),
                expect: Expect::CannotTell,
            },
            Example { about: "not measured", build: |_| {}, expect: Expect::CannotTell },
        ];
        EXAMPLES
    }
}

/// What two CPUs gain over one.
struct Pair {
    cpus: [u32; 2],
    siblings: bool,
    gain: f64,
    /// Between what the gain lies, by the ends of both counts.
    ends: (f64, f64),
}

impl Pair {
    fn of(evidence: &Evidence<'_>, both: &Estimate) -> Result<Pair, Missing> {
        let odd = |what: &str| Missing(Reason::new(format!("smt_pair did not record {what}")));
        let case = evidence.case(both).ok_or_else(|| odd("its case"))?;
        let cpu = |name| case.integer(name).and_then(|c| u32::try_from(c).ok());
        let cpus = [cpu("from"), cpu("to")].map(|c| c.ok_or_else(|| odd("its CPUs")));
        let [from, to] = cpus;
        let pair = [from?, to?];
        let alone = ["first", "second"].map(|on| {
            let all = evidence.all(
                "smt_pair",
                "additions",
                if on == "first" { &[("on", "first")] } else { &[("on", "second")] },
            );
            all.ok()?.into_iter().find(|e| e.run == both.run)
        });
        let [Some(a), Some(b)] = alone else { return Err(odd("each CPU alone")) };
        let one = f64::midpoint(a.median, b.median);
        let least = f64::midpoint(a.ends().0, b.ends().0);
        let most = f64::midpoint(a.ends().1, b.ends().1);
        if one.is_nan() || one <= 0.0 {
            return Err(odd("additions"));
        }
        let gain = both.median / one;
        if !gain.is_finite() {
            return Err(odd("additions"));
        }
        let [from, to] = pair;
        evidence.noted(format!(
            "CPUs {from} and {to}, stated as {}: {} times one of them",
            case.text("stated").unwrap_or("unknown"),
            number(gain)
        ));
        let ends = (both.ends().0 / most, both.ends().1 / least);
        let siblings = case.text("stated") == Some("siblings");
        Ok(Pair { cpus: pair, siblings, gain, ends })
    }
    /// The time of a line between the two, as a share of that between other CPUs of different cores.
    fn line(&self, matrix: &Matrix) -> Option<f64> {
        let [a, b] = self.cpus;
        let here = matrix.cells.iter().find(|c| (c.from, c.to) == (a.min(b), a.max(b)))?;
        let others: Vec<f64> = matrix
            .cells
            .iter()
            .filter(|c| {
                c.relation != Relation::Siblings.name() && (c.from, c.to) != (here.from, here.to)
            })
            .map(|c| c.median)
            .collect();
        // The nearest of them: a line to another socket is slow for everybody.
        let nearest = others.into_iter().reduce(f64::min)?;
        Some(here.median / nearest).filter(|share| share.is_finite())
    }
    fn finding(&self, line: Option<f64>, stated: &str, found: &str) -> Finding {
        let [a, b] = self.cpus;
        let line = line.map_or(String::new(), |share| {
            format!(
                ", and a line between them takes {} of the time of one between others",
                percent(share)
            )
        });
        let cost = if self.siblings {
            "Software that avoids siblings leaves half of this machine idle."
        } else {
            "Two busy programs get what one core has, and whoever shares a core can watch its neighbour."
        };
        Finding {
            claim: format!(
                "CPUs {a} and {b} are stated to be {stated}, but together do {} times what one does alone, as {found} would{line}. {cost}",
                number(self.gain)
            ),
            advice: "On the host, state threads and cores as they are (libvirt: <topology> with threads, and vcpupin), or choose an instance of whole cores.".into(),
            confirm_with: format!("cpulens run --only smt_pair --cpus {a},{b}; on the host, lscpu --extended"),
        }
    }
}

/// Why a pair may only have been disturbed.
fn busy(evidence: &Evidence<'_>, pair: &Estimate) -> Result<Option<Reason>, Missing> {
    if !evidence.undisturbed(pair.run) {
        return Ok(Some(Reason::mended_by(
            "two CPUs do not add up as stated, but others had the CPUs meanwhile",
            "measure again while nothing else runs",
        )));
    }
    for what in ["busy", "steal"] {
        let share = evidence.estimate("preflight", what, &[])?.median;
        if share > BUSY {
            return Ok(Some(Reason::mended_by(
                format!(
                    "two CPUs do not add up as stated, but others use {} of the CPUs",
                    percent(share)
                ),
                "measure again while nothing else runs",
            )));
        }
    }
    Ok(None)
}

fn pair(record: &mut Record, stated: &str, gain: f64, busy: f64) {
    let alone = 14e9;
    let series = |metric: &str, unit, value| Series {
        samples: vec![value; 7],
        ..Series::new(metric, unit, Better::Higher)
    };
    let looks = ["busy", "steal"]
        .map(|what| series(what, Unit::Ratio, if what == "busy" { busy } else { 0.0 }));
    measured(record, "preflight", &[], looks.into());
    let additions = [("first", 1.0), ("second", 1.0), ("both", gain)]
        .map(|(on, share)| series("additions", Unit::PerSecond, alone * share).at("on", on));
    measured(record, "smt_pair", &[("stated", stated)], additions.into());
    if let Some(run) = record.runs.last_mut() {
        run.case.params.insert("from".into(), 0u64.into());
        run.case.params.insert("to".into(), 1u64.into());
    }
}

/// Four CPUs, each stated to be a core, and round trips in seconds.
fn lines(record: &mut Record, seconds: &dyn Fn(u32, u32) -> f64) {
    for id in 0..4 {
        let siblings = [id].into_iter().collect();
        let cpu = Cpu { id, online: true, package: Some(0), siblings, ..Cpu::default() };
        record.machine.topology.cpus.push(cpu);
    }
    let pairs = (0..4).flat_map(|a| (a + 1..4).map(move |b| (a, b)));
    let series = |(from, to): (u32, u32)| {
        let series = Series::new("round_trip", Unit::Seconds, Better::Lower);
        Series { samples: vec![seconds(from, to); 7], ..series.at("from", from).at("to", to) }
    };
    measured(record, "core_to_core", &[("method", "cas")], pairs.map(series).collect());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{estimate, evidence, observed::Observed, rule::Verdict};

    fn ask(record: &Record) -> Verdict {
        let estimates = estimate::estimates(record);
        let seen = Observed { record, estimates: &estimates };
        evidence::judge(&SmtUntrue, &Evidence::over(seen))
    }

    /// Throughput and line agree that CPUs 0 and 1 share a core: both are in the claim.
    #[test]
    fn the_line_is_a_second_witness() {
        let mut record = crate::example::empty();
        pair(&mut record, "cores", 1.05, 0.0);
        lines(&mut record, &|a, b| if (a, b) == (0, 1) { 12e-9 } else { 50e-9 });
        let Verdict::Fires { finding, read } = ask(&record) else { panic!("{:?}", ask(&record)) };
        assert!(finding.claim.contains("24 %"), "{}", finding.claim);
        assert!(read.iter().any(|r| r.contains("CPUs 0 and 1")), "{read:?}");
    }
}
