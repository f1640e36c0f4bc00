//! Data files in TOML that are part of the program.
use serde::de::DeserializeOwned;

/// Reads such a file. The parser is compiled for one type, whatever is read; one for each type made the program 0.1 MB larger.
///
/// # Errors
/// It is no TOML (with the line), or not what is read.
pub fn from_toml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let value: serde_json::Value = basic_toml::from_str(text).map_err(|e| e.to_string())?;
    serde_json::from_value(value).map_err(|e| e.to_string())
}
