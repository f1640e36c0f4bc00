//! Characters that have no place in a text that somebody else wrote.

/// Whether a character shows nothing, or lets a text show as another: zero-width marks, direction marks and overrides,
/// line and paragraph separators, invisible operators, the byte order mark. Control characters are another matter
/// (`char::is_control`).
///
/// ```
/// assert!(record::invisible('\u{202e}') && record::invisible('\u{200b}') && record::invisible('\u{feff}'));
/// assert!(!record::invisible(' ') && !record::invisible('\u{9f98}') && !record::invisible('\u{2010}'));
/// ```
pub fn invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
