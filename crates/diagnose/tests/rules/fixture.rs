//! The records that test one rule.
use crate::example;
use record::Record;

/// The records that each rule needs: a file of its name in `fixtures/`.
pub(crate) struct Fixture {
    /// At least one record each on which the rule fires, is clear, and cannot tell.
    pub(crate) examples: &'static [Example],
    /// Faults of the baseline machine that the rule must rank first.
    pub(crate) faults: &'static [Fault],
}

/// A rule's answer, without its details.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Answer {
    Fires,
    Clear,
    CannotTell,
}

/// A record with no more than one rule reads, and that rule's answer.
pub(crate) struct Example {
    pub(crate) about: &'static str,
    build: fn(&mut Record),
    pub(crate) expected: Answer,
}

impl Example {
    pub(crate) fn record(&self) -> Record {
        let mut record = example::empty();
        (self.build)(&mut record);
        record
    }
}

pub(crate) const fn fires(about: &'static str, build: fn(&mut Record)) -> Example {
    Example { about, build, expected: Answer::Fires }
}

pub(crate) const fn clear(about: &'static str, build: fn(&mut Record)) -> Example {
    Example { about, build, expected: Answer::Clear }
}

pub(crate) const fn cannot_tell(about: &'static str, build: fn(&mut Record)) -> Example {
    Example { about, build, expected: Answer::CannotTell }
}

/// A fault, and how it changes the record of a machine.
pub(crate) struct Fault {
    pub(crate) about: &'static str,
    pub(crate) plant: fn(&mut Record),
}

pub(crate) const fn fault(about: &'static str, plant: fn(&mut Record)) -> Fault {
    Fault { about, plant }
}
