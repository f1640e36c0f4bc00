//! The text below the options of `--help`, wrapped to the terminal's width.
use render::summary::wrapped;

/// Columns at most, as of clap's own text.
const WIDEST: usize = 100;
/// Columns before what an example does, where that stands below it.
const BELOW: usize = 6;

/// Fits the help of a command and of its subcommands to the terminal.
pub fn fitted(command: clap::Command) -> clap::Command {
    // Without a terminal as clap does for its own text.
    let stated = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns > 0);
    let terminal = terminal_size::terminal_size().map(|(width, _)| width.0.into());
    of_width(command, terminal.or_else(stated).unwrap_or(WIDEST).min(WIDEST))
}

fn of_width(command: clap::Command, width: usize) -> clap::Command {
    let names: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    let command =
        names.iter().fold(command, |all, name| all.mut_subcommand(name, |c| of_width(c, width)));
    match command.get_after_help().map(ToString::to_string) {
        Some(text) => command.after_help(flowed(&text, width)),
        None => command,
    }
}

/// Lines that begin with two blanks are examples; all others between empty lines are one text.
fn flowed(text: &str, width: usize) -> String {
    let (mut lines, mut paragraph) = (vec![], String::new());
    for line in text.lines().chain([""]) {
        let example = line.strip_prefix("  ");
        if example.is_none() && !line.is_empty() && line != "Examples:" {
            paragraph = paragraph + line + " ";
            continue;
        }
        if !paragraph.is_empty() {
            lines.extend(wrapped(std::mem::take(&mut paragraph).trim_end(), width));
        }
        match example {
            Some(example) => lines.extend(shown(example, width)),
            None => lines.push(line.to_owned()),
        }
    }
    lines.join("\n").trim_end().to_owned()
}

/// An example, and what it does beside it or, where there is no room, below.
fn shown(example: &str, width: usize) -> Vec<String> {
    let whole = format!("  {example}");
    match example.split_once("  ") {
        Some((command, what)) if whole.len() > width => {
            let below = wrapped(what.trim_start(), width.saturating_sub(BELOW));
            let below = below.iter().map(|line| " ".repeat(BELOW) + line);
            // What an example does may stand on a line of its own.
            let command = (!command.is_empty()).then(|| format!("  {command}"));
            command.into_iter().chain(below).collect()
        }
        _ => vec![whole],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_stay_lines_and_texts_are_filled() {
        let text = "Examples:\n  a -x   what it does for a user\n  b\n         what b does\n\nOne text\nin lines.";
        assert_eq!(flowed(text, 80), text.replace("text\nin", "text in"));
        let narrow = "Examples:\n  a -x\n      what it does\n      for a user\n  b\n      what b does\n\nOne text in lines.";
        assert_eq!(flowed(text, 18), narrow);
    }
}
