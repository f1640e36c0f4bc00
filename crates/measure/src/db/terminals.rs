//! TPC-C's transactions, asked over and over, and the conditions that must hold afterwards.
use super::{
    drive::{Ended, Load},
    log::Log,
    series::Kinds,
    stand::{self, LOADED_ANEW, Stand},
};
use crate::bench::Bench;
use database::{
    prepare::Data,
    tpcc::{
        Binding, Check, DISTRICTS, Ending, Kind, Mix, Scale, Terminal, Way, Worker, check,
        next_orders,
    },
};
use record::{Case, Reading, Reason, Series, Unit};

/// Latencies from a microsecond on are told apart.
const LEAST: u64 = 1000;

/// What a case's tables hold, in each instance.
fn data(case: &Case) -> Data {
    let warehouses = case.integer("warehouses").unwrap_or(1).clamp(1, 1_000_000);
    let warehouses = warehouses.div_ceil(stand::instances(case));
    Data::Tpcc { scale: Scale::standard(warehouses as i64) }
}

/// What is not here that a case needs.
pub(crate) fn lacks(case: &Case) -> Option<Reason> {
    stand::lacks(case, "tpcc", &data(case))
}

/// One thread with its session.
struct Asking {
    terminal: Terminal,
    began: Option<f64>,
    ended: Ended,
    /// The sum of the next order numbers before, where the thread has data of its own.
    before: Option<i64>,
    check: Check,
    scale: Scale,
}

impl Load for Asking {
    fn turn(&mut self, log: &mut Log<'_>) -> Result<(), Reason> {
        let began = self.began.unwrap_or_else(|| log.now());
        let turn = self.terminal.turn()?;
        let ended = &mut self.ended;
        for (sum, n) in ended.retries.iter_mut().zip(turn.retries) {
            *sum += u64::from(n);
        }
        match turn.ending {
            Ending::Committed => ended.orders += i64::from(turn.kind == Kind::NewOrder),
            Ending::RolledBack => ended.rolled_back += 1,
            // It is no event, but its time has passed.
            Ending::GivenUp => {
                ended.given_up += 1;
                self.began = Some(log.given_up());
                return Ok(());
            }
        }
        self.began = Some(log.ended(turn.kind as usize, began));
        Ok(())
    }
    fn end(self) -> Result<Ended, Reason> {
        let mut ended = self.ended;
        if let Some(before) = self.before {
            let mut session = self.terminal.into_session();
            ended.grown = Some(next_orders(&mut *session)? - before);
            ended.broken = check(&mut *session, &self.scale, self.check)?;
        }
        Ok(ended)
    }
}

/// A step of TPC-C.
///
/// # Errors
/// Why there is no number: among others, that the data are not what the transactions left.
pub(crate) fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let data = data(case);
    let Data::Tpcc { scale } = data else { return Err(Reason::new("no warehouses")) };
    let word = |name: &str| case.text(name).unwrap_or_default();
    let worker = Worker {
        index: 0,
        scale,
        way: Way::named(word("way")).unwrap_or(Way::RowWise),
        mix: Mix::named(word("mix")).unwrap_or_default(),
        binding: Binding::named(word("binding")).unwrap_or(Binding::Random),
        seed: bench.seed,
        now: now(),
    };
    let which = if case.integer("conditions") == Some(12) { Check::All } else { Check::Four };
    let stand = Stand::open(case, bench, "tpcc", &data)?;
    let instances = stand.instances();
    if worker.way == Way::Procedure && !instances.iter().all(|running| running.procedures()) {
        return Err(Reason::mended_by(
            "this engine has no stored procedures",
            "--way row-wise,batched",
        ));
    }
    let sharded = instances.iter().all(|running| running.sharded());
    let orders = || -> Result<i64, Reason> {
        let each = instances.iter().map(|one| Ok(next_orders(&mut *one.session(0)?)?));
        each.sum()
    };
    let before = if sharded { None } else { Some(orders()?) };
    if let Some(next) = before {
        // Each district's next number is one more than its orders.
        let districts = instances.len() as i64 * scale.warehouses * DISTRICTS;
        let orders = (next - districts) as f64;
        bench.readings.push(Reading::new("tpcc.orders_at_start", Unit::Count, orders));
    }
    let driven = stand.drive(bench, (Kind::ALL.len(), LEAST), |thread| {
        let (running, index) = stand.of(thread);
        let mut session = running.session(index)?;
        let before = match sharded {
            true => Some(next_orders(&mut *session)?),
            false => None,
        };
        // Workers of the same number draw differently in each instance.
        let seed = worker.seed ^ ((thread % instances.len()) as u64) << 32;
        let worker = Worker { index, seed, ..worker.clone() };
        let terminal = Terminal::new(session, running.dialect(), &worker)?;
        let ended = Ended { grown: sharded.then_some(0), ..Ended::default() };
        Ok(Asking { terminal, began: None, ended, before, check: which, scale })
    })?;
    let (grown, broken) = match before {
        None => (driven.ended.grown, driven.ended.broken.clone()),
        Some(before) => {
            let mut broken = vec![];
            for one in instances {
                broken.extend(check(&mut *one.session(0)?, &scale, which)?);
            }
            (Some(orders()? - before), broken)
        }
    };
    consistent(driven.ended.orders, grown, &broken).inspect_err(|_| stand.spoil(&data))?;
    let names = Kind::ALL.map(Kind::name);
    stand.finish(bench, &driven, &Kinds { names: &names, counted: &[Kind::NewOrder as usize] })
}

/// Why the data are not what the transactions should have left, if so.
fn consistent(orders: i64, grown: Option<i64>, broken: &[(usize, i64)]) -> Result<(), Reason> {
    let remedy = format!("{LOADED_ANEW}; if it comes back, the engine or cpulens has a defect");
    if let Some(grown) = grown.filter(|grown| *grown != orders) {
        return Err(Reason::mended_by(
            format!("{orders} new orders were committed, and the districts have {grown} more"),
            remedy,
        ));
    }
    let Some((number, rows)) = broken.first() else { return Ok(()) };
    Err(Reason::mended_by(
        format!(
            "consistency condition 3.3.2.{number} of TPC-C does not hold: {rows} rows break it"
        ),
        remedy,
    ))
}

/// When orders are entered, as a date of SQL.
fn now() -> String {
    let utc = host::clock::utc();
    utc.replace('T', " ").trim_end_matches('Z').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_orders_and_broken_conditions_are_no_result() {
        assert_eq!(consistent(7, Some(7), &[]), Ok(()));
        assert_eq!(consistent(7, None, &[]), Ok(()));
        assert!(consistent(7, Some(6), &[]).is_err_and(|why| why.why.contains("6 more")));
        assert!(consistent(7, Some(7), &[(3, 2)]).is_err_and(|why| why.why.contains("3.3.2.3")));
    }
}
