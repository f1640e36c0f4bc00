//! The published JSON Schema of reports is generated from the types; the first test refreshes it and fails once.
//! The unit of a number is read from its description, so that both readers, human and program, get the same.
use serde_json::{Map, Value};
use std::{fs, path::Path};

/// Words of a description and the record's name of the unit, the more specific first.
const UNITS: &[(&str, &str)] = &[
    ("joules", "joules"),
    ("watts", "watts"),
    ("degrees celsius", "celsius"),
    ("bytes per second", "bytes_per_second"),
    ("transfers per second", "transfers_per_second"),
    ("per cycle", "per_cycle"),
    ("per core cycle", "per_cycle"),
    ("per second", "per_second"),
    ("a second", "per_second"),
    ("share", "ratio"),
    ("ratio", "ratio"),
    ("times", "ratio"),
    (" over ", "ratio"),
    ("median / median", "ratio"),
    ("/ median", "ratio"),
    ("fraction", "ratio"),
    ("coefficient of variation", "ratio"),
    ("cycles", "cycles"),
    ("second", "seconds"),
    ("hertz", "hertz"),
    ("bytes", "bytes"),
    ("count", "count"),
    ("unit", "as stated beside it"),
];

/// Whether a schema is of numbers that are not whole, or of lists of them.
fn is_number(schema: &Map<String, Value>) -> bool {
    let of = |key: &str| schema.get(key).and_then(Value::as_object).is_some_and(is_number);
    let any = |key: &str| {
        let all = schema.get(key).and_then(Value::as_array);
        all.is_some_and(|all| all.iter().filter_map(Value::as_object).any(is_number))
    };
    let named = match schema.get("type") {
        Some(Value::Array(all)) => all.contains(&"number".into()),
        Some(one) => one == "number",
        None => false,
    };
    named || of("items") || of("additionalProperties") || any("prefixItems") || any("anyOf")
}

/// Writes the unit into every number; collects the paths of those whose description names none.
fn add_units(schema: &mut Value, path: &str, without: &mut Vec<String>) {
    let Value::Object(object) = schema else {
        if let Value::Array(all) = schema {
            all.iter_mut().for_each(|one| add_units(one, path, without));
        }
        return;
    };
    // The number of an enum's variant is described with the variant.
    let described = object.get("description").cloned();
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        let beside = properties.contains_key("unit");
        for (name, property) in properties.iter_mut() {
            let Value::Object(property) = property else { continue };
            if !is_number(property) || (beside && name != "unit") {
                continue;
            }
            let own = property.get("description").or(described.as_ref());
            let description = own.and_then(Value::as_str).unwrap_or_default();
            let description = description.to_lowercase().replace('\n', " ");
            match UNITS.iter().find(|(words, _)| description.contains(words)) {
                Some((_, unit)) => drop(property.insert("unit".into(), (*unit).into())),
                None => without.push(format!("{path}.{name}: {description}")),
            }
        }
    }
    for (key, value) in object.iter_mut() {
        if key != "unit" {
            add_units(value, &format!("{path}.{key}"), without);
        }
    }
}

#[test]
fn the_committed_schema_is_current_and_every_number_has_a_unit() {
    let mut schema = render::renderers::json::report_schema().to_value();
    let mut without = vec![];
    add_units(&mut schema, "", &mut without);
    assert!(without.is_empty(), "say the unit in the description of\n{}", without.join("\n"));
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/report.schema.json");
    if fs::read_to_string(&file).is_ok_and(|old| old == text) {
        return;
    }
    fs::write(&file, text).unwrap();
    panic!("updated docs/report.schema.json; look at the change and run again");
}
