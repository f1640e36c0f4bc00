//! Key lookups over the connections of a thread, each with at most one request in flight. Nothing is allocated and no clock is
//! read while answers arrive.
use super::{
    ClientOptions,
    connection::{CHECK_INTERVAL, Connection, SILENCE, SPINS, no_answer, too_long},
    errors, protocol_error,
    session::{ExitReason, explain},
    wire::{self, Prepared, Response, ResponseStep, first_text},
};
use crate::{
    lookups::Lookups,
    options::{Protocol, WaitMode},
    session::{Error, Value},
};
use host::{
    clock::{Clock, Monotonic},
    signals,
    sockets::{self, Epoll},
};
use std::{io::Write, time::Duration};

/// A connection with at most one request in flight.
struct LookupConnection {
    connection: Connection,
    prepared: Option<Prepared>,
    in_flight: bool,
    /// The row of the current answer has arrived.
    has_row: bool,
}

/// The connections of a client thread.
pub(super) struct MysqlLookups {
    connections: Vec<LookupConnection>,
    /// The text query before and after its key.
    query: (String, String),
    wait: WaitMode,
    /// `None` for a single connection that waits in poll(2).
    epoll: Option<Epoll>,
    clock: Monotonic,
    exit_reason: ExitReason,
    /// Polls without data, of a client that spins.
    empty_polls: u64,
    /// Seconds of such a poll.
    poll_time: f64,
}

/// Number of timings of empty polls, and polls of each. The shortest was not interrupted.
const TIMED_POLLS: (usize, u32) = (8, 32);

/// Returns the next key for a connection, or `None` to send no request.
type NextKey<'a> = &'a mut dyn FnMut(usize) -> Option<i64>;
/// Receives a connection and its answer.
type Answered<'a> = &'a mut dyn FnMut(usize, Option<&str>);

impl MysqlLookups {
    pub(super) fn new(
        connections: Vec<Connection>,
        statement: &str,
        options: &ClientOptions,
        exit_reason: ExitReason,
    ) -> Result<MysqlLookups, Error> {
        let (before, after) = statement
            .split_once('?')
            .ok_or_else(|| Error::fatal("a statement without a parameter"))?;
        let mut all = vec![];
        for mut connection in connections {
            let prepared = match options.protocol {
                Protocol::Prepared => Some(connection.prepare(WaitMode::Poll, statement)?),
                Protocol::Text => None,
            };
            connection.response = Response::new(false);
            all.push(LookupConnection { connection, prepared, in_flight: false, has_row: false });
        }
        let mut epoll = None;
        if all.len() > 1 || options.wait == WaitMode::Epoll {
            let mut new = Epoll::new(all.len()).map_err(|e| errors::lost(&e))?;
            for (number, one) in all.iter().enumerate() {
                new.watch(one.connection.socket(), number).map_err(|e| errors::lost(&e))?;
            }
            if options.wait != WaitMode::Spin {
                // A timer with a number that no connection has.
                new.tick(CHECK_INTERVAL, all.len()).map_err(|e| errors::lost(&e))?;
            }
            epoll = Some(new);
        }
        let mut lookups = MysqlLookups {
            connections: all,
            query: (before.into(), after.into()),
            wait: options.wait,
            epoll,
            clock: Monotonic::new(),
            exit_reason,
            empty_polls: 0,
            poll_time: 0.0,
        };
        if options.wait == WaitMode::Spin {
            lookups.poll_time = lookups.time_empty_polls()?;
        }
        Ok(lookups)
    }

    /// Seconds of a poll without data, before the first request.
    fn time_empty_polls(&mut self) -> Result<f64, Error> {
        let (times, polls) = TIMED_POLLS;
        let mut least = f64::INFINITY;
        for _ in 0..times {
            let began = self.clock.now();
            for _ in 0..polls {
                match &mut self.epoll {
                    Some(epoll) => {
                        _ = epoll.wait(Some(Duration::ZERO)).map_err(|e| errors::lost(&e))?
                    }
                    None => _ = self.connections[0].connection.receive_now()?,
                }
            }
            least = least.min((self.clock.now() - began) / f64::from(polls));
        }
        Ok(least)
    }

    /// Waits in epoll and returns the number of ready connections; 1 without an epoll.
    #[inline]
    fn ready(&mut self) -> Result<usize, Error> {
        let Some(epoll) = &mut self.epoll else { return Ok(1) };
        let timeout = (self.wait == WaitMode::Spin).then_some(Duration::ZERO);
        for _ in 0..SPINS {
            let count = epoll.wait(timeout).map_err(|e| errors::lost(&e))?;
            if count > 0 || self.wait != WaitMode::Spin {
                return Ok(count);
            }
            self.empty_polls += 1;
        }
        Ok(0)
    }

    /// Waits once, for [`CHECK_INTERVAL`] at most, reads the answers and sends the next requests. Returns whether an answer was
    /// complete.
    fn exchange_once(&mut self, next: NextKey<'_>, answered: Answered<'_>) -> Result<bool, Error> {
        let mut any = false;
        for index in 0..self.ready()? {
            let number = self.epoll.as_ref().map_or(0, |epoll| epoll.ready(index));
            let Some(one) = self.connections.get_mut(number) else {
                self.epoll.iter().for_each(Epoll::ticked);
                continue;
            };
            if one.read_answer(number, answered)? {
                any = true;
                if let Some(key) = next(number) {
                    one.send(&self.query, key)?;
                }
            }
        }
        if !any && self.epoll.is_none() {
            let connection = &mut self.connections[0].connection;
            if self.wait == WaitMode::Spin {
                for _ in 0..SPINS {
                    if connection.receive_now()? {
                        break;
                    }
                    self.empty_polls += 1;
                }
            } else {
                sockets::readable(connection.socket(), Some(CHECK_INTERVAL));
            }
        }
        Ok(any)
    }

    /// Waits for an answer, for [`CHECK_INTERVAL`] or a little longer. Returns whether there was one.
    fn exchange_until_answer(
        &mut self,
        next: NextKey<'_>,
        answered: Answered<'_>,
    ) -> Result<bool, Error> {
        let mut since = None;
        loop {
            match self.exchange_once(next, answered) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(e) => return Err(explain(e, &self.exit_reason)),
            }
            // No clock is read as long as answers arrive.
            let now = self.clock.now();
            if now - *since.get_or_insert(now) > CHECK_INTERVAL.as_secs_f64() {
                return Ok(false);
            }
        }
    }
}

impl LookupConnection {
    #[inline]
    fn send(&mut self, (before, after): &(String, String), key: i64) -> Result<(), Error> {
        let packet = &mut self.connection.packet;
        let complete = match &mut self.prepared {
            Some(prepared) => wire::execute(packet, prepared, &[Value::Int(key)]),
            None => {
                let mut digits = [0; 20];
                let mut rest = &mut digits[..];
                // Twenty bytes hold every number of 64 bits.
                let _ = write!(rest, "{key}");
                let left = rest.len();
                let digits = &digits[..digits.len() - left];
                wire::query(packet, &[before.as_bytes(), digits, after.as_bytes()])
            }
        };
        complete.ok_or_else(too_long)?;
        self.in_flight = true;
        self.has_row = false;
        self.connection.send()
    }

    /// Parses what has arrived. Returns whether the answer is complete.
    #[inline]
    fn read_answer(&mut self, number: usize, answered: Answered<'_>) -> Result<bool, Error> {
        if !self.in_flight {
            // The server ends, or it sends an error without a request.
            self.connection.receive_now()?;
            return Ok(false);
        }
        if self.connection.received.is_empty() && !self.connection.receive_now()? {
            return Ok(false);
        }
        let binary = self.prepared.is_some();
        loop {
            let Connection { received, response, .. } = &mut self.connection;
            let Some(payload) = received.packet().map_err(protocol_error)? else {
                if self.connection.receive_now()? {
                    continue;
                }
                return Ok(false);
            };
            match response.packet(payload).map_err(protocol_error)? {
                ResponseStep::Continue
                | ResponseStep::LinesRequested
                | ResponseStep::Prepared(..) => {}
                ResponseStep::Row(row) => {
                    answered(number, first_text(row, binary).map_err(protocol_error)?);
                    self.has_row = true;
                }
                ResponseStep::Done(_) => {
                    if !self.has_row {
                        answered(number, None);
                    }
                    self.in_flight = false;
                    return Ok(true);
                }
                ResponseStep::Refused(code, message) => {
                    let error = errors::refused(code, &String::from_utf8_lossy(message));
                    self.in_flight = false;
                    return Err(error);
                }
            }
        }
    }
}

impl Lookups for MysqlLookups {
    fn connections(&self) -> usize {
        self.connections.len()
    }
    fn idle(&self) -> Option<f64> {
        (self.wait == WaitMode::Spin).then_some(self.empty_polls as f64 * self.poll_time)
    }
    #[inline]
    fn exchange(
        &mut self,
        next: &mut dyn FnMut(usize) -> i64,
        answered: Answered<'_>,
    ) -> Result<(), Error> {
        let idle = self.connections.iter_mut().enumerate().filter(|(_, one)| !one.in_flight);
        for (number, one) in idle {
            one.send(&self.query, next(number))?;
        }
        self.exchange_until_answer(&mut |number| Some(next(number)), answered).map(drop)
    }
    fn drain(&mut self, answered: Answered<'_>) -> Result<(), Error> {
        let began = self.clock.now();
        while self.connections.iter().any(|one| one.in_flight) {
            self.exchange_until_answer(&mut |_| None, answered)?;
            let hung = self.clock.now() - began > SILENCE;
            if hung || signals::interrupted() {
                return Err(no_answer(hung.then_some(SILENCE)));
            }
        }
        Ok(())
    }
}
