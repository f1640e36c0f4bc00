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
    answers: u64,
    wrong: u64,
}

/// One answer in so many is looked at digit by digit; the length is looked at always.
const LOOKED_AT: u64 = 1024;

impl Load for Asking {
    fn turn(&mut self, log: &mut Log<'_>) -> Result<(), Reason> {
        let Asking { lookups, ids, began, answers, wrong } = self;
        if *answers == 0 {
            began.fill(log.now());
        }
        lookups.turn(&mut |_| ids.draw() as i64, &mut |connection, text| {
            *answers += 1;
            let right = text.is_some_and(|text| {
                text.len() == C_LENGTH && (*answers % LOOKED_AT != 0 || is_c(text))
            });
            *wrong += u64::from(!right);
            began[connection] = log.ended(0, began[connection]);
        })?;
        Ok(())
    }
    fn end(mut self) -> Result<Ended, Reason> {
        self.lookups.drain(&mut |_, _| ())?;
        Ok(Ended { wrong: self.wrong, ..Ended::default() })
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
        Ok(Asking { lookups, ids, began, answers: 0, wrong: 0 })
    })?;
    if driven.ended.wrong > 0 {
        return Err(Reason::mended_by(
            format!("{} answers were not the row that was asked for", driven.ended.wrong),
            "load the data anew: --replace",
        ));
    }
    stand.finish(bench, &driven, &Kinds { names: &["select"], counted: &[0] })
}
