//! The drawing of a machine: sockets, nodes and devices as indented lines.
use super::layout::flow;
use crate::quantity;
use analyse::summary::{Drawn, Label, Part};
use messages::prose::in_language;
use messages::{self as say, Lang};
use record::Text;

/// Its lines, none wider than `width`.
pub(super) fn lines(all: &[Drawn], lang: Lang, width: usize) -> Vec<String> {
    all.iter().flat_map(|line| one(line, lang, width)).collect()
}

fn one(line: &Drawn, lang: Lang, width: usize) -> Vec<String> {
    match line {
        Drawn::Long(part, items) => {
            let between = if *part == Part::CommandLine { " " } else { say::comma(lang) };
            let name = super::words::label(lang, &Label::Part(*part));
            let said = |item: &Text| match part {
                Part::Mitigations | Part::Modules => in_language(lang, item),
                _ => item.to_string(),
            };
            let items: Vec<String> = items.iter().map(said).collect();
            flow(&format!("{name}  "), &items, between, width)
        }
        Drawn::Socket { id, cores, cpus } => {
            let name = say::drawn_socket(lang, id.map_or("-".into(), |id| id.to_string()));
            let cores = cores.map(|cores| say::cores(lang, cores as u64));
            let parts: Vec<_> = cores.into_iter().chain([say::cpus(lang, *cpus as u64)]).collect();
            flow(&format!("{name}  "), &parts, say::comma(lang), width)
        }
        Drawn::Node { ids, cpus, bytes, kind, caches, distances } => {
            let mut parts = vec![match cpus.is_empty() {
                true => say::drawn_no_cpus(lang).to_owned(),
                false => say::drawn_cpus(lang, cpus.to_string()),
            }];
            parts.extend(bytes.map(quantity::size));
            parts.extend(kind.clone());
            parts.extend(caches.map(|(level, count, bytes)| match count {
                1 => format!("L{level} {}", quantity::size(bytes)),
                count => format!("{count} x L{level} {}", quantity::size(bytes)),
            }));
            if !distances.is_empty() {
                let all: Vec<String> = distances.iter().map(ToString::to_string).collect();
                parts.push(say::drawn_distances(lang, all.join(" ")));
            }
            flow(
                &format!("  {}  ", say::drawn_node(lang, ids.to_string())),
                &parts,
                say::comma(lang),
                width,
            )
        }
        Drawn::Devices { placed, devices } => {
            let head = match placed {
                true => "    ".to_owned(),
                false => format!("{}  ", say::drawn_elsewhere(lang)),
            };
            let devices: Vec<String> = devices.iter().map(Text::to_string).collect();
            flow(&head, &devices, say::comma(lang), width)
        }
    }
}
