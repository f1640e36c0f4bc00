//! PostgreSQL's pgbench: transactions a second and their latency, of any script; several runs in one file.
//!
//! Limits: figures are means over the whole run; the lines of `--progress` and the parts of several scripts are left. Rates
//! without the time of connecting are read where both are printed. With `--rate` the rate is what was asked for.
//! Source: PostgreSQL, src/bin/pgbench/pgbench.c of versions 9.6 to 17, and its documentation.
use crate::prelude::*;

pub(crate) static IMPORTER: Importer = Importer::new("pgbench", recognises, read);

/// The first words of the summary of a run.
const HEAD: &str = "transaction type: ";

/// `pgbench (15.18 (Debian 15.18-0+deb12u1))`, `pgbench (PostgreSQL) 17.2`.
fn version(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("pgbench (")?;
    let word = rest.strip_prefix("PostgreSQL) ").unwrap_or(rest).split([' ', ')']).next()?;
    word.starts_with(|c: char| c.is_ascii_digit()).then_some(word)
}

fn recognises(text: &Text) -> bool {
    text.any(|l| l.starts_with(HEAD)) && text.any(|l| l.starts_with("scaling factor: "))
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut run: Option<Run> = None;
    for line in text.lines() {
        if let Some(version) = version(line.text) {
            found.version(version);
        } else if let Some(script) = line.text.strip_prefix(HEAD) {
            run.take().into_iter().for_each(|run: Run| run.end(found));
            let script = script.trim_matches(['<', '>']).trim_start_matches("builtin: ");
            let params = vec![("script", tidy(script).into()), ("statistic", "mean".into())];
            run = Some(Run { line: line.number, params, ..Run::default() });
        } else if let Some(run) = &mut run {
            run.line(line.number, line.text, found)?;
        }
    }
    run.into_iter().for_each(|run| run.end(found));
    Ok(())
}

#[derive(Default)]
struct Run {
    line: u32,
    params: Vec<(&'static str, Value)>,
    /// Seconds, where the run was limited by time.
    duration: Option<f64>,
    processed: Option<f64>,
    latency: Option<f64>,
    /// Line, transactions a second, and half a unit of its last digit.
    rate: Option<(u32, f64, f64)>,
}

impl Run {
    fn line(&mut self, n: u32, text: &str, found: &mut Found) -> Result<(), Problem> {
        if let Some((label, value)) = text.split_once(" = ") {
            let bad = || Problem::at(n, format!("'{}' is no value of {label}", tidy(value)));
            let printed = value.split(' ').next().unwrap_or("");
            match label {
                "latency average" => {
                    self.latency = Some(leading(value).ok_or_else(bad)?.0 * 1e-3);
                }
                // Before version 14 both rates are printed, this one first.
                "tps" if value.contains("including connections") => {}
                "tps" => {
                    let rate = number(printed).ok_or_else(bad)?;
                    self.rate = Some((n, rate, rounding(printed)));
                }
                _ => {}
            }
            return Ok(());
        }
        let Some((label, value)) = text.split_once(": ") else { return Ok(()) };
        let mut count = |name| self.params.extend(whole(value).map(|count| (name, count.into())));
        match label {
            "scaling factor" => count("scale_factor"),
            "number of clients" => count("connections"),
            "number of threads" => count("thread_count"),
            "query mode" => self.params.push(("query_mode", tidy(value).into())),
            "duration" => self.duration = leading(value).map(|(seconds, _)| seconds),
            // `10000/10000` where a count was asked for.
            "number of transactions actually processed" => {
                self.processed = value.split('/').next().and_then(number);
            }
            "number of failed transactions" => {
                if let Some((failed, _)) = leading(value).filter(|(failed, _)| *failed > 0.0) {
                    found.warn(n, format!("failed transactions: {failed}"));
                }
            }
            _ => {}
        }
        Ok(())
    }
    fn end(self, found: &mut Found) {
        let Some((line, rate, half)) = self.rate else {
            found.warn(self.line, "the rate is not there: it is cut short");
            return;
        };
        let case = found.case(self.line, ProbeId::Pgbench, &self.params);
        found.series(case, per_second(Metric::Transactions), &[], &[rate]);
        if let Some(latency) = self.latency.filter(|latency| *latency > 0.0) {
            found.series(case, seconds(Metric::LatencyMean), &[], &[latency]);
        }
        // Connecting and the last transactions are in the duration, or not.
        if let (Some(processed), Some(duration)) = (self.processed, self.duration)
            && !agree(rate, processed / duration, rate * 0.25 + half)
        {
            let what = format!(
                "{rate} a second do not follow from {processed} transactions in {duration} s"
            );
            found.warn(line, what);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::gathered::imported;
    use record::Outcome;

    /// Made up after the documentation of version 9.6.
    #[test]
    fn of_two_rates_the_one_without_connecting_is_read() {
        let record = imported(
            "t.txt",
            "transaction type: <builtin: TPC-B (sort of)>\nscaling factor: 10\nnumber of clients: 10\ntps = 85.184871 (including connections establishing)\ntps = 85.296346 (excluding connections establishing)\n",
        );
        let Outcome::Measured(series) = &record.runs[0].outcome else { panic!() };
        assert_eq!(series[0].samples, [85.296346]);
        assert_eq!(record.runs[0].case.params["script"].text(), Some("TPC-B (sort of)"));
    }

    #[test]
    fn what_does_not_fit_is_a_warning() {
        let head = "transaction type: f.sql\nscaling factor: 1\n";
        let of = |rest: &str| {
            let record = imported("t.txt", &format!("{head}{rest}"));
            (record.runs.len(), record.provenance.sources[0].warnings.clone())
        };
        let (runs, warnings) =
            of("duration: 10 s\nnumber of transactions actually processed: 100\ntps = 99.5\n");
        assert!(runs == 1 && warnings[0].what.contains("do not follow"), "{warnings:?}");
        let failed = "number of failed transactions: 3 (0.1%)\n";
        let (runs, warnings) = of(&format!("{failed}tps = 1.0\n{head}"));
        let warned: Vec<&str> = warnings.iter().map(|w| &*w.what).collect();
        assert_eq!(runs, 1);
        assert_eq!(warned, ["failed transactions: 3", "the rate is not there: it is cut short"]);
    }
}
