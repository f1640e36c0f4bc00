//! TPC-C's transactions as a closed loop, and the conditions that must hold afterwards.
use super::{
    clients::{ClientLoad, ClientTotals},
    context::{self, CaseContext, LOADED_AGAIN},
    options::{CaseParams, TpccParams},
    series::EventTypes,
    windows::WindowRecorder,
};
use measure::bench::Bench;
use record::{Case, Reading, Reason, Series, Unit};
use transactions::{
    prepare::Dataset,
    tpcc::{
        ConditionSet, DISTRICTS, Scale, StatementStyle, Terminal, TerminalOptions,
        TransactionOutcome, TransactionType, next_orders, violations,
    },
};

/// Latencies below a microsecond are not distinguished.
const MIN_LATENCY: u64 = 1000;

/// TPC-C's parameters, and the cardinalities of each instance.
fn own_params(params: &CaseParams) -> Result<(TpccParams, Scale), Reason> {
    let own = params.tpcc.clone().ok_or("the case has no warehouses")?;
    let warehouses = own.warehouses.clamp(1, 1_000_000).div_ceil(params.instances() as u64);
    Ok((own, Scale::standard(warehouses as i64)))
}

/// The reason why a case cannot run here.
pub fn unavailable(case: &Case) -> Option<Reason> {
    let params = CaseParams::of_case(case).ok()?;
    let (_, scale) = own_params(&params).ok()?;
    context::unavailable(case, params, "tpcc", &Dataset::Tpcc { scale })
}

/// A client thread with its terminal.
struct TpccClient {
    terminal: Terminal,
    began: Option<f64>,
    totals: ClientTotals,
    /// The sum of next order numbers at the start, where the thread has its own data.
    orders_at_start: Option<i64>,
    conditions: ConditionSet,
    scale: Scale,
}

impl ClientLoad for TpccClient {
    fn run(&mut self, recorder: &mut WindowRecorder<'_>) -> Result<(), Reason> {
        let began = self.began.unwrap_or_else(|| recorder.now());
        let done = self.terminal.run_transaction()?;
        let totals = &mut self.totals;
        for (sum, n) in totals.retries.iter_mut().zip(done.retries) {
            *sum += u64::from(n);
        }
        match done.outcome {
            TransactionOutcome::Committed => {
                totals.new_orders += i64::from(done.transaction == TransactionType::NewOrder);
            }
            TransactionOutcome::RolledBack => totals.rolled_back += 1,
            // It is no event, but its time has passed.
            TransactionOutcome::GivenUp => {
                totals.given_up += 1;
                self.began = Some(recorder.no_event());
                return Ok(());
            }
        }
        self.began = Some(recorder.event(done.transaction as usize, began));
        Ok(())
    }
    fn finish(self) -> Result<ClientTotals, Reason> {
        let mut totals = self.totals;
        if let Some(at_start) = self.orders_at_start {
            let mut session = self.terminal.into_session();
            totals.stored_orders = Some(next_orders(&mut *session)? - at_start);
            totals.violations = violations(&mut *session, &self.scale, self.conditions)?;
        }
        Ok(totals)
    }
}

/// Runs a case of TPC-C.
///
/// # Errors
/// The reason why there is no number: among others, that the data are inconsistent.
pub fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let params = CaseParams::of_case(case)?;
    let (own, scale) = own_params(&params)?;
    let data = Dataset::Tpcc { scale };
    let conditions = if own.conditions == 12 { ConditionSet::All } else { ConditionSet::Four };
    let options = TerminalOptions {
        index: 0,
        scale,
        style: own.statements,
        mix: own.mix,
        binding: own.binding,
        seed: bench.seed,
        now: host::clock::utc().replace('T', " ").trim_end_matches('Z').to_owned(),
    };
    let context = CaseContext::open(case, params, bench, "tpcc", &data)?;
    let instances = context.instances();
    let has_procedures = instances.iter().all(|instance| instance.has_procedures());
    if options.style == StatementStyle::Procedure && !has_procedures {
        return Err(Reason::mended_by(
            "this engine has no stored procedures",
            "--statements row-wise,batched",
        ));
    }
    let sharded = instances.iter().all(|instance| instance.is_sharded());
    let stored_orders = || -> Result<i64, Reason> {
        instances.iter().map(|one| Ok(next_orders(&mut *one.session(0)?)?)).sum()
    };
    let at_start = if sharded { None } else { Some(stored_orders()?) };
    if let Some(next) = at_start {
        // A district's next number is one more than its orders.
        let districts = instances.len() as i64 * scale.warehouses * DISTRICTS;
        let orders = (next - districts) as f64;
        bench.readings.push(Reading::new("tpcc.orders_at_start", Unit::Count, orders));
    }
    let types = TransactionType::ALL;
    let samples = context.run_clients(bench, (types.len(), MIN_LATENCY), |thread| {
        let (instance, index) = context.instance_of(thread);
        let mut session = instance.session(index)?;
        let orders_at_start = if sharded { Some(next_orders(&mut *session)?) } else { None };
        // Terminals with the same number draw differently in each instance.
        let seed = options.seed ^ ((thread % instances.len()) as u64) << 32;
        let options = TerminalOptions { index, seed, ..options.clone() };
        let terminal = Terminal::new(session, instance.dialect(), &options)?;
        let totals =
            ClientTotals { stored_orders: sharded.then_some(0), ..ClientTotals::default() };
        Ok(TpccClient { terminal, began: None, totals, orders_at_start, conditions, scale })
    })?;
    let (stored, violated) = match at_start {
        None => (samples.totals.stored_orders, samples.totals.violations.clone()),
        Some(at_start) => {
            let mut violated = vec![];
            for one in instances {
                violated.extend(violations(&mut *one.session(0)?, &scale, conditions)?);
            }
            (Some(stored_orders()? - at_start), violated)
        }
    };
    check_consistency(samples.totals.new_orders, stored, &violated)
        .inspect_err(|_| context.invalidate(&data))?;
    let names = types.map(|one| record::stored_name(&one));
    let counted = [TransactionType::NewOrder as usize];
    context.finish(bench, &samples, &EventTypes { names: &names, counted: &counted })
}

/// Whether the data are what the committed transactions should have left.
fn check_consistency(
    committed: i64,
    stored: Option<i64>,
    violated: &[(usize, i64)],
) -> Result<(), Reason> {
    let why = match (stored, violated.first()) {
        (Some(stored), _) if stored != committed => {
            format!("{committed} new orders were committed, and the districts have {stored} more")
        }
        (_, Some((number, rows))) => format!(
            "consistency condition 3.3.2.{number} of TPC-C does not hold: {rows} rows violate it"
        ),
        _ => return Ok(()),
    };
    let remedy = format!("{LOADED_AGAIN}; if it comes back, the engine or cpulens has a defect");
    Err(Reason::mended_by(why, remedy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_orders_and_violated_conditions_are_errors() {
        assert_eq!(check_consistency(7, Some(7), &[]), Ok(()));
        assert_eq!(check_consistency(7, None, &[]), Ok(()));
        let why = |stored, violated: &[(usize, i64)]| {
            check_consistency(7, stored, violated).unwrap_err().why
        };
        assert!(why(Some(6), &[]).contains("6 more"));
        assert!(why(Some(7), &[(3, 2)]).contains("3.3.2.3"));
    }
}
