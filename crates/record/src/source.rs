//! Sources of imported results: files of other tools, the programs that wrote them, and warnings.
use serde::{Deserialize, Serialize};

/// A part of a file that another tool wrote and that was imported. A file that holds the output of two tools is two
/// sources.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// Name of the file, without its folders.
    pub file: String,
    /// The importer that read it.
    pub format: String,
    /// The tool that wrote it.
    pub tool: String,
    /// Its version, where the output tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The command that was run, where the output tells it; hosts, users and passwords left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The machine that it names, where the first file that names one names another: its processor, else core design,
    /// vendor or architecture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_machine: Option<String>,
    /// The publication, for results of others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publication: Option<Publication>,
    /// Damage, contradictions, and limits of what may be concluded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// The author, place and date of published results; `None` where the text does not say it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Publication {
    /// Its title, in its own language.
    pub title: String,
    /// The author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// When it was published, as far as it says: `2021-06-18`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// The address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

/// A doubt about what was imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Warning {
    /// The line of the file, counted from 1; nothing where it is about the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// A sentence without its full stop.
    pub what: String,
    /// Its kind.
    #[serde(default, skip_serializing_if = "WarningKind::is_doubt")]
    pub kind: WarningKind,
}

/// What a warning about an import is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WarningKind {
    /// A number, or a part of the file.
    #[default]
    Doubt,
    /// The file contradicts an earlier one about the machine: it is of another one, or of other settings.
    OtherMachine,
    /// An author's remarks, which change no number.
    Remark,
}

impl WarningKind {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_doubt(&self) -> bool {
        *self == WarningKind::Doubt
    }
}

impl Warning {
    /// One about a number, or a part of the file.
    pub fn doubt(line: Option<u32>, what: impl Into<String>) -> Warning {
        Warning { line, what: what.into(), kind: WarningKind::Doubt }
    }
}

/// The position of an imported run in its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Origin {
    /// Index into [`crate::Provenance::sources`].
    pub source: u32,
    /// The line of the file at which its numbers begin, counted from 1.
    pub line: u32,
}
