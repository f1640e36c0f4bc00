//! A case: the parameters and placement of one measurement, decided before it runs, so that a plan can be printed and resumed.
use crate::{
    CpuSet, ProbeId,
    param::{Kind, Parameter},
};
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt};

/// One planned unit of work: a probe with its parameters and placement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Case {
    /// The probe's id, which is its file's name.
    pub probe: ProbeId,
    /// Version of the probe's definition. Numbers of unlike versions are not comparable. 0 is no definition of ours:
    /// the number was imported, and the parameter `tool` says whose it is.
    pub version: u32,
    /// Parameters that tell this case from the probe's other cases.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, Value>,
    /// Its placement.
    pub place: Placement,
    /// Planned duration in seconds.
    pub estimate: f64,
}

impl Case {
    /// The probe and its parameters in one line: `load_latency pages=4k`.
    pub fn label(&self) -> String {
        let mut label = self.probe.to_string();
        for (name, value) in &self.params {
            label.push(' ');
            label.push_str(name);
            label.push('=');
            value.write_to(&mut label);
        }
        label
    }
    /// The value of a parameter, or nothing.
    pub fn get<T: Kind + ?Sized>(&self, parameter: Parameter<T>) -> Option<T::Read<'_>> {
        parameter.of(&self.params)
    }
}

/// The placement that is asked for; the verified one is in [`crate::Run::threads`] and [`crate::Buffer`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Placement {
    /// One thread is pinned to each of these CPUs.
    pub cpus: CpuSet,
    /// The node that memory is bound to; nothing means each thread's own node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// The pages that buffers are asked to have.
    #[serde(default)]
    pub pages: Pages,
}

/// Page size of a buffer, as asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pages {
    /// The kernel's base page (4 KiB on x86-64), huge pages refused by `madvise(MADV_NOHUGEPAGE)`.
    #[default]
    Base,
    /// Transparent huge pages by `madvise(MADV_HUGEPAGE)`.
    Thp,
    /// Reserved huge pages of the given size in bytes (`MAP_HUGETLB`).
    Hugetlb(u64),
}

impl fmt::Display for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pages::Base => f.write_str("base"),
            Pages::Thp => f.write_str("thp"),
            Pages::Hugetlb(bytes) => write!(f, "reserved-{}k", bytes / 1024),
        }
    }
}

/// A plain value: of a fact, a parameter, or a coordinate of a series.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Value {
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Integer(u64),
    /// Any other number.
    Number(f64),
    /// Words.
    Text(String),
    /// Several values.
    List(Vec<Value>),
}

/// Read as what stands there. serde's own reading of untagged variants keeps a copy of each value to try them on, which is
/// a third of the time that a record takes to be read.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Value;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("yes or no, a number, text, or a list of them")
            }
            fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
                Ok(Value::Bool(flag))
            }
            fn visit_u64<E>(self, n: u64) -> Result<Value, E> {
                Ok(Value::Integer(n))
            }
            fn visit_i64<E>(self, n: i64) -> Result<Value, E> {
                Ok(u64::try_from(n).map_or(Value::Number(n as f64), Value::Integer))
            }
            fn visit_f64<E>(self, x: f64) -> Result<Value, E> {
                Ok(Value::Number(x))
            }
            fn visit_str<E>(self, text: &str) -> Result<Value, E> {
                Ok(Value::Text(text.to_owned()))
            }
            fn visit_string<E>(self, text: String) -> Result<Value, E> {
                Ok(Value::Text(text))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Value, A::Error> {
                let mut values = vec![];
                while let Some(value) = all.next_element()? {
                    values.push(value);
                }
                Ok(Value::List(values))
            }
        }
        from.deserialize_any(Any)
    }
}

impl Value {
    /// The value as a whole number, if it is one.
    pub fn integer(&self) -> Option<u64> {
        match self {
            Value::Integer(n) => Some(*n),
            _ => None,
        }
    }
    /// The value as a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Integer(n) => Some(*n as f64),
            Value::Number(x) => Some(*x),
            _ => None,
        }
    }
    /// Appends what [`fmt::Display`] writes; of text without the formatter, for keys and labels are made by the thousand.
    pub fn write_to(&self, out: &mut String) {
        match self {
            Value::Text(text) => out.push_str(text),
            other => drop(fmt::Write::write_fmt(out, format_args!("{other}"))),
        }
    }
    /// Yes or no, if it is one of them.
    pub fn yes_or_no(&self) -> Option<bool> {
        match self {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        }
    }
    /// The values, if they are several.
    pub fn list(&self) -> Option<&[Value]> {
        match self {
            Value::List(values) => Some(values),
            _ => None,
        }
    }
    /// The value's words, if it is text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(true) => f.write_str("yes"),
            Value::Bool(false) => f.write_str("no"),
            Value::Integer(n) => write!(f, "{n}"),
            Value::Number(x) => write!(f, "{x}"),
            Value::Text(text) => f.write_str(text),
            Value::List(values) => {
                for (i, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if i > 0 { ", " } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

macro_rules! values {
    ($($Plain:ty => $Variant:ident),*) => {$(
        impl From<$Plain> for Value {
            fn from(plain: $Plain) -> Self {
                Value::$Variant(plain.into())
            }
        }
    )*};
}

impl From<usize> for Value {
    fn from(n: usize) -> Self {
        Value::Integer(n as u64)
    }
}

values!(&str => Text, String => Text, u64 => Integer, u32 => Integer, f64 => Number, bool => Bool, Vec<Value> => List);
