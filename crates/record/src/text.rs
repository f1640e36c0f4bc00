//! Characters that have no place in a text that somebody else wrote, and texts without them.

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

/// Control characters could move a terminal's cursor, direction overrides could make a line read differently from what
/// it says.
pub fn hostile(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text of several lines with visible marks in the place of hostile characters.
pub fn visible(text: &str) -> String {
    text.chars().map(|c| if c != '\n' && hostile(c) { '\u{fffd}' } else { c }).collect()
}

/// A copy of the text made printable by [`printable`].
pub fn printed(text: &str) -> String {
    let mut text = text.to_owned();
    printable(&mut text);
    text
}

/// Records come from anywhere: hostile characters become visible marks.
pub fn printable(text: &mut String) {
    let mark = |c: char| match c {
        '\n' | '\t' => ' ',
        c if hostile(c) => '\u{fffd}',
        c => c,
    };
    if text.chars().any(hostile) {
        *text = text.chars().map(mark).collect();
    }
}

/// JSON in which no character drives a terminal.
pub fn json_escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && hostile(c) {
            plain += &format!("\\u{:04x}", u32::from(c));
        } else {
            plain.push(c);
        }
    }
    plain
}
