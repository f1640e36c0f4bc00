//! The rate of a command, for `scale`, `spread` and `compare -- A -- B`: by an expression, from a file, or by a preset for the program.
use anyhow::{Result, anyhow};
use measure::rate::{Preset, Rate};
use std::{ffi::OsString, path::Path};

/// Completed runs where nothing is said and the program is not known.
pub(crate) fn chosen(
    regex: Option<&str>,
    file: Option<&Path>,
    command: &[OsString],
) -> Result<Rate> {
    let preset = Preset::of(command).map(|preset| preset.regex);
    Ok(match (regex, file, preset) {
        (Some(text), _, _) => Rate::matching(text).map_err(|why| anyhow!("--rate-regex: {why}"))?,
        (None, Some(file), _) => Rate::File(file.as_os_str().to_owned()),
        (None, None, Some(text)) => Rate::matching(&text)
            .map_err(|why| anyhow!("the expression for this program: {why}"))?,
        (None, None, None) => Rate::Runs,
    })
}
