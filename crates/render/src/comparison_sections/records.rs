//! Which records are compared.
use crate::compared::{BESIDE, marked};
use crate::page::{Block, Table};
use crate::quantity::{self, counted};
use crate::section::{ComparisonSection, Section};
use analyse::compare::{Comparison, Grade};

pub(crate) static SECTION: ComparisonSection =
    Section { title: "The records", order: 30, numbers: false, probes: &[], blocks };

/// Which records, on what, by whom, and whether each was fit.
fn blocks(of: &Comparison) -> Vec<Block> {
    let mut table = Table::new(&[
        "record",
        "machine",
        "measured by",
        "fitness",
        "#moved by itself",
        "#series",
        "#not measured",
        "#only here",
    ]);
    for (i, side) in of.sides.iter().enumerate() {
        table.row([
            if i == of.baseline { format!("{} (baseline)", side.name) } else { side.name.clone() },
            side.model.clone().unwrap_or_else(|| "does not say its model".into()),
            side.made.clone(),
            format!("{:?}", side.environment).to_lowercase(),
            side.drift.map_or("not watched".into(), quantity::percent),
            side.measured.to_string(),
            side.missing.to_string(),
            of.alone[i].to_string(),
        ]);
    }
    let mut blocks = vec![];
    if of.sides.len() <= BESIDE {
        blocks.push(Block::Table(table));
        for i in of.others().filter(|i| !of.unlike[*i].is_empty()) {
            let name = &of.sides[i].name;
            blocks
                .push(Block::Paragraph(format!("{name} and the baseline are unlike as a whole:")));
            let reasons = of.unlike[i].iter().map(|u| marked(u, "cpulens run"));
            blocks.push(Block::List(reasons.collect()));
        }
    } else {
        let unclaimed =
            of.unlike.iter().filter(|u| u.iter().any(|u| u.grade() >= Grade::Unclaimed)).count();
        blocks.push(Block::Paragraph(match unclaimed {
            0 => format!("{}.", counted(of.sides.len(), "record")),
            some => format!(
                "{}; of {some} nothing is claimed, for they are unlike the baseline as a whole.",
                counted(of.sides.len(), "record")
            ),
        }));
        blocks.push(Block::details("Every record", vec![Block::Table(table)]));
    }
    blocks
}
