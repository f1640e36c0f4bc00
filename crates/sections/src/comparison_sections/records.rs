//! The records of a comparison.
use crate::compared::{BESIDE, marked};
use crate::page::{Block, Table};
use crate::quantity::{self, counted};
use crate::say;
use crate::section::{ComparisonSection, Section};
use analyse::compare::{Comparison, Grade};

pub(crate) static SECTION: ComparisonSection =
    Section::without_numbers("The records", 30, &[], blocks);

/// The records, their machines and authors, and whether each environment was fit.
fn blocks(of: &Comparison) -> Vec<Block> {
    let table = Table::of(of.sides.iter().enumerate(), |(i, side)| {
        let baseline = if i == of.baseline { " (baseline)" } else { "" };
        [
            ("record", format!("{}{baseline}", side.name)),
            ("machine", side.model.clone().unwrap_or_else(|| "does not say its model".into())),
            ("measured by", side.made.clone()),
            ("environment", format!("{:?}", side.environment).to_lowercase()),
            ("#drift", side.drift.map_or("not checked".into(), quantity::percent)),
            ("#earlier runs", side.earlier.to_string()),
            ("#series", side.measured.to_string()),
            ("#not measured", side.missing.to_string()),
            ("#only here", of.alone[i].to_string()),
        ]
    });
    let mut blocks = vec![];
    if of.sides.len() <= BESIDE {
        blocks.push(Block::Table(table.turned()));
        for i in of.others().filter(|i| !of.unlike[*i].is_empty()) {
            let name = &of.sides[i].name;
            blocks.push(Block::text(say::unlike_whole(name)));
            let reasons = of.unlike[i].iter().map(|u| marked(u, "cpulens run"));
            blocks.push(Block::items(reasons));
        }
    } else {
        let unclaimed =
            of.unlike.iter().filter(|u| u.iter().any(|u| u.grade() >= Grade::Unclaimed)).count();
        blocks.push(Block::text(match unclaimed {
            0 => format!("{}.", counted(of.sides.len(), "record")),
            some => format!(
                "{}; of {some} nothing is claimed, for they are not comparable with the baseline as a whole.",
                counted(of.sides.len(), "record")
            ),
        }));
        blocks.push(Block::folded("Every record", table));
    }
    blocks
}
