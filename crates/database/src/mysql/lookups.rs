//! One question over one or several connections of a thread, each with at most one request under way. Requests lie ready and
//! get their number written in; nothing is allocated, and no clock is read, while answers come.
use super::{
    Manner, Wait, broken,
    connection::{Connection, LOOK_AROUND, SILENCE, SPINS, silence},
    errors,
    session::{Obituary, told},
    wire::{self, Prepared, Step, code, first_text},
};
use crate::{
    lookups::Lookups,
    session::{Class, Error, Value},
};
use host::{
    clock::{Clock, Monotonic},
    signals,
    sockets::{self, Epoll},
};
use std::{io::Write, time::Duration};

/// A connection, and whether it owes an answer.
struct Link {
    connection: Connection,
    prepared: Option<Prepared>,
    under_way: bool,
    /// An answer has begun: the row's text was given already.
    answered: bool,
}

/// What is asked, as a text around its number.
struct Question {
    before: String,
    after: String,
}

/// A worker's connections.
pub(super) struct Wires {
    links: Vec<Link>,
    question: Question,
    wait: Wait,
    /// Nothing for a single connection that is waited for by poll(2).
    epoll: Option<Epoll>,
    clock: Monotonic,
    obituary: Obituary,
    /// Looks that found nothing, by one that never sleeps.
    empty: u64,
    /// Seconds of such a look.
    look: f64,
}

/// Times that looks are timed, and looks of each: the quickest is one that nobody interrupted.
const TIMED: (usize, u32) = (8, 32);

impl Wires {
    pub(super) fn new(
        connections: Vec<Connection>,
        statement: &str,
        manner: &Manner,
        obituary: Obituary,
    ) -> Result<Wires, Error> {
        let (before, after) = statement
            .split_once('?')
            .ok_or_else(|| Error::new(Class::Fatal, 0, "a statement without a parameter"))?;
        let mut links = vec![];
        for mut connection in connections {
            let prepared = match manner.prepared {
                true => Some(connection.prepare(Wait::Poll, statement)?),
                false => None,
            };
            connection.answer = wire::Answer::new(false);
            links.push(Link { connection, prepared, under_way: false, answered: false });
        }
        let epoll = if links.len() == 1 && manner.wait != Wait::Epoll {
            None
        } else {
            let mut epoll = Epoll::new(links.len()).map_err(|e| errors::lost(&e))?;
            for (number, link) in links.iter().enumerate() {
                epoll.watch(&link.connection.socket, number).map_err(|e| errors::lost(&e))?;
            }
            if manner.wait != Wait::Spin {
                // Nobody's number: it is looked around.
                epoll.tick(LOOK_AROUND, links.len()).map_err(|e| errors::lost(&e))?;
            }
            Some(epoll)
        };
        let question = Question { before: before.into(), after: after.into() };
        let clock = Monotonic::new();
        let wait = manner.wait;
        let mut wires =
            Wires { links, question, wait, epoll, clock, obituary, empty: 0, look: 0.0 };
        if wait == Wait::Spin {
            wires.look = wires.time_looks()?;
        }
        Ok(wires)
    }

    /// Seconds of a look that finds nothing: nothing has been asked yet.
    fn time_looks(&mut self) -> Result<f64, Error> {
        let (times, looks) = TIMED;
        let mut least = f64::INFINITY;
        for _ in 0..times {
            let began = self.clock.now();
            for _ in 0..looks {
                match &mut self.epoll {
                    Some(epoll) => {
                        _ = epoll.wait(Some(Duration::ZERO)).map_err(|e| errors::lost(&e))?
                    }
                    None => _ = self.links[0].connection.receive_now()?,
                }
            }
            least = least.min((self.clock.now() - began) / f64::from(looks));
        }
        Ok(least)
    }

    /// Waits for one of the connections that owe an answer: how many are worth a look. Without an epoll there is one.
    #[inline]
    fn ready(&mut self) -> Result<usize, Error> {
        let Some(epoll) = &mut self.epoll else { return Ok(1) };
        let patience = (self.wait == Wait::Spin).then_some(Duration::ZERO);
        for _ in 0..SPINS {
            let count = epoll.wait(patience).map_err(|e| errors::lost(&e))?;
            if count > 0 || self.wait != Wait::Spin {
                return Ok(count);
            }
            self.empty += 1;
        }
        Ok(0)
    }

    /// Waits until something came, or for as long as nobody should look away.
    fn come(
        &mut self,
        next: &mut dyn FnMut(usize) -> Option<i64>,
        answered: &mut dyn FnMut(usize, Option<&str>),
    ) -> Result<bool, Error> {
        let mut any = false;
        let ready = self.ready()?;
        for index in 0..ready {
            let number = self.epoll.as_ref().map_or(0, |epoll| epoll.ready(index));
            let Some(link) = self.links.get_mut(number) else {
                self.epoll.iter().for_each(Epoll::ticked);
                continue;
            };
            if link.take(number, answered)? {
                any = true;
                if let Some(id) = next(number) {
                    link.ask(&self.question, id)?;
                }
            }
        }
        if !any && self.epoll.is_none() {
            let link = &mut self.links[0];
            if self.wait == Wait::Spin {
                for _ in 0..SPINS {
                    if link.connection.receive_now()? {
                        break;
                    }
                    self.empty += 1;
                }
            } else {
                sockets::readable(&link.connection.socket, Some(LOOK_AROUND));
            }
        }
        Ok(any)
    }

    /// Comes until an answer is there or a tenth of a second is over; for ever silent is an error.
    fn until_one(
        &mut self,
        next: &mut dyn FnMut(usize) -> Option<i64>,
        answered: &mut dyn FnMut(usize, Option<&str>),
        patience: f64,
    ) -> Result<bool, Error> {
        let mut since = None;
        loop {
            if self.come(next, answered)? {
                return Ok(true);
            }
            // Nobody reads a clock as long as answers come.
            let now = self.clock.now();
            if now - *since.get_or_insert(now) > patience {
                return Ok(false);
            }
        }
    }
}

impl Link {
    #[inline]
    fn ask(&mut self, question: &Question, id: i64) -> Result<(), Error> {
        let out = &mut self.connection.out;
        let whole = match &mut self.prepared {
            Some(prepared) => wire::execute(out, prepared, &[Value::Int(id)]),
            None => {
                let mut digits = [0; 20];
                let mut rest = &mut digits[..];
                // Twenty bytes hold every number of 64 bits.
                let _ = write!(rest, "{id}");
                let left = rest.len();
                let digits = &digits[..digits.len() - left];
                wire::text(
                    out,
                    code::QUERY,
                    &[question.before.as_bytes(), digits, question.after.as_bytes()],
                )
            }
        };
        whole.ok_or_else(super::connection::too_long)?;
        self.under_way = true;
        self.answered = false;
        self.connection.send()
    }

    /// Takes what has come: whether the answer is whole.
    #[inline]
    fn take(
        &mut self,
        number: usize,
        answered: &mut dyn FnMut(usize, Option<&str>),
    ) -> Result<bool, Error> {
        if !self.under_way {
            // An end, or words that nobody asked for: the server is going.
            self.connection.receive_now()?;
            return Ok(false);
        }
        if self.connection.inbox.is_empty() && !self.connection.receive_now()? {
            return Ok(false);
        }
        let binary = self.prepared.is_some();
        loop {
            let Connection { inbox, answer, .. } = &mut self.connection;
            let Some(payload) = inbox.packet().map_err(broken)? else {
                if self.connection.receive_now()? {
                    continue;
                }
                return Ok(false);
            };
            match answer.take(payload).map_err(broken)? {
                Step::More | Step::Wanted | Step::Prepared(..) => {}
                Step::Row(row) => {
                    answered(number, first_text(row, binary).map_err(broken)?);
                    self.answered = true;
                }
                Step::Done(_) => {
                    if !self.answered {
                        answered(number, None);
                    }
                    self.under_way = false;
                    return Ok(true);
                }
                Step::Refused(code, words) => {
                    let error = errors::refused(code, &String::from_utf8_lossy(words));
                    self.under_way = false;
                    return Err(error);
                }
            }
        }
    }
}

impl Lookups for Wires {
    fn connections(&self) -> usize {
        self.links.len()
    }
    fn idle(&self) -> Option<f64> {
        (self.wait == Wait::Spin).then_some(self.empty as f64 * self.look)
    }
    #[inline]
    fn turn(
        &mut self,
        next: &mut dyn FnMut(usize) -> i64,
        answered: &mut dyn FnMut(usize, Option<&str>),
    ) -> Result<(), Error> {
        for (number, link) in self.links.iter_mut().enumerate().filter(|(_, link)| !link.under_way)
        {
            link.ask(&self.question, next(number))?;
        }
        let patience = LOOK_AROUND.as_secs_f64();
        let done = self.until_one(&mut |number| Some(next(number)), answered, patience);
        done.map(drop).map_err(|e| told(e, &self.obituary))
    }
    fn drain(&mut self, answered: &mut dyn FnMut(usize, Option<&str>)) -> Result<(), Error> {
        let began = self.clock.now();
        while self.links.iter().any(|link| link.under_way) {
            let patience = LOOK_AROUND.as_secs_f64();
            let done = self.until_one(&mut |_| None, answered, patience);
            done.map_err(|e| told(e, &self.obituary))?;
            let silent = self.clock.now() - began > SILENCE;
            if silent || signals::interrupted() {
                return Err(silence(silent));
            }
        }
        Ok(())
    }
}
