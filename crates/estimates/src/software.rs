//! The software around a benchmark: what it ran under, and who counted how.
use record::Value;
use std::collections::BTreeMap;

/// Parameters that say what a benchmark ran under and who counted how, not what it did: values under unlike ones are set
/// side by side, and marked. (`kernel` is what a loop does, not a system's.)
const SOFTWARE: &[&str] =
    &["compiler", "flags", "os", "scope", "server", "statistic", "tool", "transport"];

/// Whether a parameter says under what software it ran.
pub fn is_of_it(name: &str) -> bool {
    SOFTWARE.contains(&name)
}

/// Those of a quantity's coordinates.
pub fn of(at: &BTreeMap<String, Value>) -> BTreeMap<String, String> {
    let named = at.iter().filter(|(name, _)| is_of_it(name));
    named.map(|(name, value)| (name.clone(), value.to_string())).collect()
}

/// Differences of the software of two values: the name, the first and the second; empty where one does not tell.
pub fn differing(
    a: &BTreeMap<String, String>,
    b: &BTreeMap<String, String>,
) -> Vec<(String, String, String)> {
    let of =
        |all: &BTreeMap<String, String>, name: &str| all.get(name).cloned().unwrap_or_default();
    let names: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let pairs = names.into_iter().map(|name| (name.clone(), of(a, name), of(b, name)));
    pairs.filter(|(_, a, b)| a != b).collect()
}
