//! Parameters of cases and coordinates of series: the name and the kind of value of each, declared once. A name that
//! holds words in one place and a number in another is two parameters. What they mean is in `docs/series.md`.
use crate::{Value, named::name_of};
use std::{collections::BTreeMap, marker::PhantomData};

/// A kind of value that a parameter holds.
pub trait Kind {
    /// It, as it is read.
    type Read<'a>;
    /// The value, if it is of this kind.
    fn read(value: &Value) -> Option<Self::Read<'_>>;
}

/// Types that can be written as a parameter of this kind.
pub trait Fits<T: ?Sized>: Into<Value> {}

macro_rules! kinds {
    ($($Kind:ty: $read:expr, $Read:ty, [$($Fits:ty),*];)*) => {$(
        impl Kind for $Kind {
            type Read<'a> = $Read;
            fn read(value: &Value) -> Option<Self::Read<'_>> {
                $read(value)
            }
        }
        $(impl Fits<$Kind> for $Fits {})*
    )*};
}

kinds! {
    str: Value::text, &'a str, [&str, String];
    u64: Value::integer, u64, [u64, u32, usize];
    u32: |value: &Value| value.integer().and_then(|n| n.try_into().ok()), u32, [u32];
    f64: Value::number, f64, [f64, u64];
    bool: Value::yes_or_no, bool, [bool];
    [Value]: Value::list, &'a [Value], [Vec<Value>];
}

/// A name under which a case or a series holds a value of this kind.
#[derive(Debug)]
pub struct Parameter<T: ?Sized>(&'static str, PhantomData<fn() -> T>);

impl<T: ?Sized> Clone for Parameter<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: ?Sized> Copy for Parameter<T> {}

impl<T: Kind + ?Sized> Parameter<T> {
    /// The name, as it stands in a record.
    pub const fn name(self) -> &'static str {
        self.0
    }
    /// Its value among these, if it is there and of this kind.
    pub fn of(self, among: &BTreeMap<String, Value>) -> Option<T::Read<'_>> {
        T::read(among.get(self.0)?)
    }
    /// Its value among these, of whatever kind it is.
    pub fn value(self, among: &BTreeMap<String, Value>) -> Option<&Value> {
        among.get(self.0)
    }
    /// Whether it is among these.
    pub fn is_in(self, among: &BTreeMap<String, Value>) -> bool {
        among.contains_key(self.0)
    }
    /// The parameter with this value.
    pub fn set(self, value: impl Fits<T>) -> (&'static str, Value) {
        (self.0, value.into())
    }
}

/// Their names are those of the constants in lower case, but for those that say another.
macro_rules! parameters {
    ($($Kind:ty: $($NAME:ident $(= $name:literal)?)*;)*) => {$($(
        #[doc = concat!("`", stringify!($NAME), "` in lower case" $(, ", but `", $name, "`")?, ".")]
        pub const $NAME: Parameter<$Kind> =
            Parameter(name_of!($NAME $(, $name)?), PhantomData);
    )*)*};
}

parameters! {
    str:
        ACCELERATOR ACROSS ALGORITHM BINDING CALL CHAIN CHILD CLASS CLIENTS CLIENT_CPUS COMMAND CONTENT ENGINE
        EVENT EVENTS FAMILY FOREIGN FROM_EACH = "from" GUEST HINT INJECT INTERRUPTS KERNEL KIND KMOD LAYOUT
        LINEAGE LOOP MAPPING MEMORY METHOD MODE NODES NOT_COMPARABLE OF ON ONE_OR_ALL = "threads"
        ONE_OR_ALL_COPIES = "copies" OP ORDER OVER PAGES PARENT PATTERN PIN PLACE PLACEMENT POLICY
        QUANTUM RATE RATE_FILE READY_TEXT REPEAT_MENTION REQUEST SCOPE SCRATCH SERVER START STATE STATED STATUS STEP STILL_RUNNING
        SWITCH SYSBENCH SYSTEM TARGET TASK TEST TOOL TRAFFIC TRANSACTION TRANSPORT TURN VARIANT WAIT WAY WHEN
        WORKLOAD OS PINNING;
    u64:
        ACTIVE BLOCK CONNECTIONS COPIES CORES CORES_USED COUNTERS NODE ELEMENTS INSTANCES LANES LEVEL
        MAX_PRIME NUMBERS OTHERS PAGES_TOUCHED = "pages" PASSES PER_CLASS PROCESSES READY_PORT REPEAT ROUNDS
        SECOND SIZE THREADS THREAD_COUNT WAYS WIDTH;
    u32:
        CALLER CPU FROM MEMORY_NODE = "memory" TO;
    f64:
        DUTY QUANTILE SECONDS STRIDE THRESHOLD TIMEOUT WORKING_SET;
    bool:
        BOUND DURABLE END_CHILDREN EXACT IRQ_ENABLED ISOLATE;
    [Value]:
        COMMAND_WORDS = "command" SERVER_WORDS = "server_command";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_back_as_the_kind_that_was_written_and_as_no_other() {
        let written =
            [WORKING_SET.set(4096u64), ONE_OR_ALL.set("all"), FROM.set(3u32), EXACT.set(true)];
        let among = written.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let read = (WORKING_SET.of(&among), ONE_OR_ALL.of(&among), FROM.of(&among));
        assert_eq!(read, (Some(4096.0), Some("all"), Some(3)));
        assert_eq!((EXACT.of(&among), THREADS.of(&among), TO.of(&among)), (Some(true), None, None));
        assert_eq!((WORKING_SET.name(), PAGES_TOUCHED.name()), ("working_set", "pages"));
    }
}
