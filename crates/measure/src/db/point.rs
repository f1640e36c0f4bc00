//! sysbench's point select, asked over and over.
use super::{
    drive::{Ended, Load},
    log::Log,
    series::Kinds,
    stand::{self, Stand},
};
use crate::bench::Bench;
use database::{
    lookups::Lookups,
    point_select::{C_LENGTH, Distribution, Ids, STATEMENT, is_c},
    prepare::Data,
};
use host::clock::thread_cpu_time;
use record::{Case, Reason, Series};

/// The rows that a case asks for, of each instance.
fn data(case: &Case) -> Data {
    let rows = case.integer("rows").unwrap_or(1).clamp(1, 1 << 40);
    Data::PointSelect { rows: rows.div_ceil(stand::instances(case)) }
}

/// What is not here that a case needs.
pub(crate) fn lacks(case: &Case) -> Option<Reason> {
    stand::lacks(case, "point_select", &data(case))
}

/// One thread with its connections.
struct Asking {
    lookups: Box<dyn Lookups>,
    ids: Ids,
    /// When each connection's question began.
    began: Vec<f64>,
    /// CPU time of the thread when the first of them did.
    since: Option<f64>,
    answers: u64,
    wrong: u64,
}

/// One answer in so many is looked at digit by digit; the length is looked at always.
const LOOKED_AT: u64 = 1024;

impl Load for Asking {
    fn turn(&mut self, log: &mut Log<'_>) -> Result<(), Reason> {
        let Asking { lookups, ids, began, since, answers, wrong } = self;
        if since.is_none() {
            began.fill(log.now());
            *since = Some(thread_cpu_time());
        }
        let before = *answers;
        lookups.turn(&mut |_| ids.draw() as i64, &mut |connection, text| {
            *answers += 1;
            let right = text.is_some_and(|text| {
                text.len() == C_LENGTH && (*answers % LOOKED_AT != 0 || is_c(text))
            });
            *wrong += u64::from(!right);
            began[connection] = log.ended(0, began[connection]);
        })?;
        // Windows end, too, while a server says nothing.
        if *answers == before {
            log.given_up();
        }
        Ok(())
    }
    fn end(mut self) -> Result<Ended, Reason> {
        // What others took of its CPU was neither.
        let used = self.since.map(|since| thread_cpu_time() - since).filter(|used| *used > 0.0);
        let idle = self.lookups.idle().zip(used).map(|(idle, used)| (idle / used).min(1.0));
        self.lookups.drain(&mut |_, _| ())?;
        Ok(Ended { wrong: self.wrong, idle, ..Ended::default() })
    }
}

/// A step of point select.
///
/// # Errors
/// Why there is no number.
pub(crate) fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let data = data(case);
    let Data::PointSelect { rows } = data else { return Err(Reason::new("no rows")) };
    let distribution = case.text("distribution").and_then(Distribution::named);
    let distribution = distribution.unwrap_or(Distribution::Uniform);
    let stand = Stand::open(case, bench, "point_select", &data)?;
    let driven = stand.drive(bench, (1, 1), |worker| {
        let connections = stand.connections(worker);
        let (running, number) = stand.of(worker);
        let lookups = running.lookups(number, connections, STATEMENT)?;
        let seed = stand.seed ^ (worker as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95);
        let began = vec![0.0; lookups.connections().max(1)];
        let ids = Ids::new(distribution, rows, seed);
        Ok(Asking { lookups, ids, began, since: None, answers: 0, wrong: 0 })
    })?;
    if driven.ended.wrong > 0 {
        stand.spoil(&data);
        return Err(Reason::mended_by(
            format!("{} answers were not the row that was asked for", driven.ended.wrong),
            stand::LOADED_ANEW,
        ));
    }
    stand.finish(bench, &driven, &Kinds { names: &["select"], counted: &[0] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::log::{Board, Windows};
    use database::session::Error;
    use host::clock::Clock;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

    /// Each reading is half a second later.
    struct Steps(AtomicU64);
    impl Clock for Steps {
        fn now(&self) -> f64 {
            self.0.fetch_add(1, Relaxed) as f64 * 0.5
        }
        fn resolution(&self) -> f64 {
            0.5
        }
    }

    /// A server that takes questions and says nothing.
    struct Silent;
    impl Lookups for Silent {
        fn turn(
            &mut self,
            next: &mut dyn FnMut(usize) -> i64,
            _: &mut dyn FnMut(usize, Option<&str>),
        ) -> Result<(), Error> {
            next(0);
            Ok(())
        }
    }

    #[test]
    fn windows_end_while_a_server_says_nothing() {
        let windows = Windows::fixed(1.0, 1.0, 3);
        let board = Board::new(windows, 1, 1).unwrap();
        let (clock, cancel) = (Steps(AtomicU64::new(0)), AtomicBool::new(false));
        let mut log = Log::new(&clock, &board, &cancel).unwrap();
        log.begin(log.now());
        let ids = Ids::new(Distribution::Uniform, 10, 1);
        let lookups = Box::new(Silent);
        let mut asking =
            Asking { lookups, ids, began: vec![0.0], since: None, answers: 0, wrong: 0 };
        for _ in 0..100 {
            if log.is_over() {
                break;
            }
            asking.turn(&mut log).unwrap();
        }
        assert!(log.is_over());
        let counts: Vec<u64> = board.closed(1).iter().map(|w| w.events[0]).collect();
        assert_eq!(counts, [0, 0, 0]);
    }
}
