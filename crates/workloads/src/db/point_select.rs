//! sysbench's point select as a closed loop.
use super::{
    clients::{ClientLoad, ClientTotals},
    context::{self, CaseContext},
    options::CaseParams,
    series::EventTypes,
    windows::WindowRecorder,
};
use database::lookups::Lookups;
use host::clock::thread_cpu_time;
use measure::bench::Bench;
use record::{Case, Reason, Series};
use transactions::{
    point_select::{C_LENGTH, Distribution, Ids, STATEMENT, is_c},
    prepare::Dataset,
};

/// The rows of each instance, and the distribution of ids.
fn rows(params: &CaseParams) -> Result<(u64, Distribution), Reason> {
    let own = params.point_select.as_ref().ok_or("the case has no rows")?;
    let rows = own.rows.clamp(1, 1 << 40);
    Ok((rows.div_ceil(params.instances() as u64), own.distribution))
}

/// The reason why a case cannot run here.
pub fn unavailable(case: &Case) -> Option<Reason> {
    let params = CaseParams::of_case(case).ok()?;
    let rows = rows(&params).ok()?.0;
    context::unavailable(case, params, "point_select", &Dataset::PointSelect { rows })
}

/// A client thread with its connections.
struct PointSelectClient {
    lookups: Box<dyn Lookups>,
    ids: Ids,
    /// When the request of each connection was sent.
    began: Vec<f64>,
    /// CPU time of the thread at the first request.
    first_cpu_time: Option<f64>,
    answers: u64,
    wrong: u64,
}

impl PointSelectClient {
    fn new(lookups: Box<dyn Lookups>, ids: Ids) -> PointSelectClient {
        let began = vec![0.0; lookups.connections().max(1)];
        PointSelectClient { lookups, ids, began, first_cpu_time: None, answers: 0, wrong: 0 }
    }
}

/// One answer in this number is checked digit by digit; the length of all is checked.
const CHECKED: u64 = 1024;

impl ClientLoad for PointSelectClient {
    fn run(&mut self, recorder: &mut WindowRecorder<'_>) -> Result<(), Reason> {
        let PointSelectClient { lookups, ids, began, first_cpu_time, answers, wrong } = self;
        if first_cpu_time.is_none() {
            began.fill(recorder.now());
            *first_cpu_time = Some(thread_cpu_time());
        }
        let before = *answers;
        lookups.exchange(&mut |_| ids.draw() as i64, &mut |connection, text| {
            *answers += 1;
            let right = text.is_some_and(|text| {
                text.len() == C_LENGTH && (*answers % CHECKED != 0 || is_c(text))
            });
            *wrong += u64::from(!right);
            began[connection] = recorder.event(0, began[connection]);
        })?;
        // Windows end even if the server does not answer.
        if *answers == before {
            recorder.no_event();
        }
        Ok(())
    }
    fn finish(mut self) -> Result<ClientTotals, Reason> {
        let used =
            self.first_cpu_time.map(|first| thread_cpu_time() - first).filter(|used| *used > 0.0);
        let idle = self.lookups.idle().zip(used).map(|(idle, used)| (idle / used).min(1.0));
        self.lookups.drain(&mut |_, _| ())?;
        Ok(ClientTotals { wrong: self.wrong, idle, ..ClientTotals::default() })
    }
}

/// Runs a case of point select.
///
/// # Errors
/// The reason why there is no number.
pub fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let params = CaseParams::of_case(case)?;
    let (rows, distribution) = rows(&params)?;
    let data = Dataset::PointSelect { rows };
    let context = CaseContext::open(case, params, bench, "point_select", &data)?;
    let samples = context.run_clients(bench, (1, 1), |thread| {
        let (instance, number) = context.instance_of(thread);
        let connections = context.connections_of(thread);
        let lookups = instance.lookups(number, connections, STATEMENT)?;
        let seed = context.seed ^ (thread as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95);
        Ok(PointSelectClient::new(lookups, Ids::new(distribution, rows, seed)))
    })?;
    if samples.totals.wrong > 0 {
        context.invalidate(&data);
        return Err(Reason::mended_by(
            format!("{} answers were not the selected row", samples.totals.wrong),
            context::LOADED_AGAIN,
        ));
    }
    context.finish(bench, &samples, &EventTypes { names: &["select".into()], counted: &[0] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::windows::{SharedWindows, Windows};
    use database::session::Error;
    use host::clock::Clock;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

    /// A clock that advances by half a second at each reading.
    struct Steps(AtomicU64);
    impl Clock for Steps {
        fn now(&self) -> f64 {
            self.0.fetch_add(1, Relaxed) as f64 * 0.5
        }
        fn resolution(&self) -> f64 {
            0.5
        }
    }

    /// A server that accepts requests and never answers.
    struct Silent;
    impl Lookups for Silent {
        fn exchange(
            &mut self,
            next: &mut dyn FnMut(usize) -> i64,
            _: &mut dyn FnMut(usize, Option<&str>),
        ) -> Result<(), Error> {
            next(0);
            Ok(())
        }
    }

    #[test]
    fn windows_end_while_a_server_does_not_answer() {
        let shared =
            SharedWindows::new(Windows { warm_up: 1.0, seconds: 1.0, count: 3 }, 1, 1, None)
                .unwrap();
        let (clock, cancel) = (Steps(AtomicU64::new(0)), AtomicBool::new(false));
        let mut recorder = WindowRecorder::new(&clock, &shared, &cancel).unwrap();
        recorder.begin(recorder.now());
        let ids = Ids::new(Distribution::Uniform, 10, 1);
        let mut client = PointSelectClient::new(Box::new(Silent), ids);
        for _ in 0..100 {
            if recorder.is_over() {
                break;
            }
            client.run(&mut recorder).unwrap();
        }
        assert!(recorder.is_over());
        let counts: Vec<u64> = shared.closed(1).iter().map(|w| w.events[0]).collect();
        assert_eq!(counts, [0, 0, 0]);
    }
}
