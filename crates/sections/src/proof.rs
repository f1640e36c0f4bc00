//! The gain of placement for a program, as a document.
use crate::document::Document;
use crate::page::{Block, Page, Section, Table};
use crate::quantity;
use crate::say;
use analyse::proof::{Arm, Proof};
use serde_json::{Value, json};

/// Version of the JSON form.
const PROOF: u32 = 1;

/// The proof for this command, whose rate was taken so.
pub fn document(proof: &Proof, command: &str, rate: &str) -> Document {
    let sections = vec![
        Section::new("arms", "Interleaved runs", vec![Block::Table(table(proof))]),
        Section::new("answer", "Gain of pinning", vec![Block::items(proof.sentences.clone())]),
    ];
    let subtitle = say::proof_subtitle(rate);
    let page = Page::new(command, subtitle, sections);
    Document { page, value: value(proof, command, rate), table: table(proof) }
}

fn table(proof: &Proof) -> Table {
    Table::of(&proof.arms, |way| {
        let end = |pick: fn(&Arm) -> Option<f64>| pick(way).map_or(String::new(), quantity::short);
        [
            ("copies", way.name.clone()),
            ("#median rate", end(|w| w.median).into()),
            ("#95 % low", end(|w| w.interval.map(|i| i.low)).into()),
            ("#95 % high", end(|w| w.interval.map(|i| i.high)).into()),
            ("#repeats", way.rates.len().to_string().into()),
        ]
    })
}

fn value(proof: &Proof, command: &str, rate: &str) -> Value {
    let ways: Vec<Value> = proof
        .arms
        .iter()
        .map(|w| {
            json!({ "how": w.name, "rates": w.rates, "median": w.median, "interval": w.interval })
        })
        .collect();
    let gains: Vec<Value> = proof
        .gains
        .iter()
        .map(|g| {
            let found = match &g.found {
                Ok(r) => json!({
                    "ratio": r.estimate, "low": r.interval.low, "high": r.interval.high,
                    "confidence": r.interval.confidence, "distinguishable": r.distinguishable,
                }),
                Err(why) => json!({ "unknown": why }),
            };
            json!({ "of": g.of, "with": g.with, "without": g.without, "found": found })
        })
        .collect();
    json!({
        "proof": PROOF, "command": command, "rate": rate, "copies": proof.copies, "ways": ways,
        "gains": gains, "sentences": proof.sentences, "differs": proof.differs,
    })
}
