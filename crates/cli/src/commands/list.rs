//! `list`: the probes by what they measure, and the rules; with a group or `--full` a line on each.
use super::explain::{chinese_pages, first_sentence};
use crate::{exit::Exit, output};
use anyhow::Result;
use measure::probe::Probe;
use messages::Lang;
use probes::probes::ALL;
use render::summary::wrapped;

/// The most columns, which a pipe has.
const WIDTH: usize = 80;
/// Columns of an id and the space behind it.
const ID: usize = 26;

pub(crate) fn list(args: &arguments::List) -> Result<Exit> {
    let lang = output::language(args.lang);
    let mut groups = groups(lang)?;
    if let Some(asked) = args.group {
        groups.retain(|group| group.is == asked);
    }
    let width =
        output::terminal_columns().map_or(WIDTH, |width| usize::from(width).clamp(40, WIDTH));
    let whole = args.screen.full || args.group.is_some();
    let mut text =
        groups.iter().map(|group| group.shown(whole, width)).collect::<Vec<_>>().join("\n");
    if !whole {
        for line in wrapped(messages::list_next(lang), width) {
            text += &format!("\n{line}");
        }
        text += "\n";
    }
    output::stdout(text.as_bytes())?;
    Ok(Exit::Done)
}

/// Probes that measure alike things, or the rules.
struct Group {
    is: arguments::Listed,
    heading: &'static str,
    /// Ids, and what each is in a few words.
    members: Vec<(&'static str, String)>,
}

impl Group {
    fn shown(&self, whole: bool, width: usize) -> String {
        let heading = format!("{} ({})", self.heading, self.members.len());
        let mut lines = wrapped(&heading, width);
        if whole {
            for (id, title) in &self.members {
                let mut id = *id;
                for line in wrapped(title, width - ID - 2) {
                    lines.push(format!("  {id:<ID$}{line}"));
                    id = "";
                }
            }
        } else {
            let ids: Vec<&str> = self.members.iter().map(|(id, _)| *id).collect();
            lines.extend(wrapped(&ids.join(" "), width - 2).iter().map(|line| format!("  {line}")));
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// The groups in the order of a run, which is by what is measured.
fn groups(lang: Lang) -> Result<Vec<Group>> {
    use arguments::Listed::{Core, Memory, Rules, System, Workloads};
    let mut groups: Vec<Group> = [
        (Core, messages::list_core(lang)),
        (Memory, messages::list_memory(lang)),
        (System, messages::list_system(lang)),
        (Workloads, messages::list_workloads(lang)),
        (Rules, messages::list_rules(lang)),
    ]
    .map(|(is, heading)| Group { is, heading, members: vec![] })
    .into();
    let pages = if lang == Lang::Zh { chinese_pages()? } else { vec![] };
    let titled = |id: &str, title: &str| first_sentence(&pages, id).unwrap_or(title).to_owned();
    for (id, probe) in measure::plan::entries(ALL) {
        let Probe { title, version, order, .. } = probe;
        let of = match order {
            ..90 => 0,
            90..220 => 1,
            220..300 => 2,
            _ => 3,
        };
        let (title, word) = (titled(id, title), messages::list_definition(lang));
        groups[of].members.push((id, format!("{title} ({word} {version})")));
    }
    let rules =
        analyse::rules::ALL.iter().map(|(id, rule)| (*id, titled(id, rule.title.english())));
    groups[4].members.extend(rules);
    Ok(groups)
}
