//! Predictions as a document: what each change would bring, on what that rests, and what would test it.
use crate::document::Document;
use crate::page::{Block, Entry, Page, Section, Table};
use crate::say;
use analyse::Report;
use analyse::summary::of_predictions;
use analyse::whatif::{Answer, Prediction};
use record::{Between, Judgement, Text};
use serde_json::{Value, json};

/// Version of the JSON form.
const WHATIF: u32 = 1;

/// The answers on a report's record; `name` is what the record is called.
pub fn document(answers: &[Answer], report: &Report<'_>, name: &str) -> Document {
    let section = Section {
        id: "whatif",
        title: "Predicted gain of each change alone",
        numbers: true,
        blocks: answers.iter().flat_map(blocks).collect(),
    };
    let subtitle = say::predictions_from(name);
    let page = Page::of_record(report, subtitle, vec![section]);
    let value = json!({
        "whatif": WHATIF,
        "summary": of_predictions(report, answers).flat(),
        "judgement": report.get::<Judgement>(),
        "predictions": answers.iter().map(value).collect::<Vec<_>>(),
    });
    Document { page, value, table: table(answers) }
}

fn blocks(answer: &Answer) -> Vec<Block> {
    let heading = Block::heading(say::predicted(&answer.title));
    let mut entries = match &answer.found {
        Ok(p) => vec![
            Entry::known("Throughput", p.words()),
            Entry::known("Program", p.who.clone()),
            Entry::known("Rests on", p.basis.clone()),
            Entry::known("Assumes above all", p.assumes.clone()),
            Entry::known("To test it", p.test.clone()),
        ],
        Err(why) => vec![Entry::known("Cannot be predicted", why)],
    };
    if !answer.read.is_empty() {
        entries.push(Entry::known("Looked at", Text::list(&answer.read, Between::Semicolon)));
    }
    vec![heading, Block::Entries(entries)]
}

fn table(answers: &[Answer]) -> Table {
    let mut table =
        Table::new(["change", "#low", "#high", "program", "rests on", "assumes", "test"]);
    for answer in answers {
        let row = match &answer.found {
            Ok(Prediction { times: (low, high), who, basis, assumes, test, .. }) => {
                [low.into(), high.into(), who.clone(), basis.clone(), assumes.clone(), test.clone()]
            }
            Err(why) => {
                let empty = Text::default;
                [empty(), empty(), empty(), why.into(), empty(), empty()]
            }
        };
        let [low, high, who, basis, assumes, test] = row;
        table.row([answer.title.clone(), low, high, who, basis, assumes, test]);
    }
    table
}

fn value(answer: &Answer) -> Value {
    let found = answer.found.as_ref().ok().map(|p| {
        json!({
            "low": p.times.0, "high": p.times.1, "unit": "ratio", "of": p.who, "basis": p.basis,
            "assumes": p.assumes, "test": p.test,
        })
    });
    json!({
        "change": answer.title, "prediction": found, "cannot_tell": answer.found.as_ref().err(),
        "read": answer.read,
    })
}
