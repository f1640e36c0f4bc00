//! Bytes of a file into lines of harmless text: bounded, in one encoding, without anything that drives a terminal.
use crate::found::Problem;
use record::{Warning, WarningKind, invisible};
use roxmltree::{Document, ParsingOptions};
use std::borrow::Cow;

/// The largest file that is read, in bytes: an lstopo of 1024 CPUs has about one megabyte.
pub const MAX_BYTES: usize = 16 << 20;
/// The longest line in bytes; longer ones are cut. lscpu's flags have 3 KB, a matrix row of 1024 CPUs 8 KB.
pub const MAX_LINE: usize = 64 << 10;
/// The most lines that are read.
pub const MAX_LINES: usize = 500_000;
/// The most elements of XML; an lstopo of 1024 CPUs has some ten thousand.
const MOST_NODES: u32 = 400_000;
/// The longest text that is kept, in bytes.
const MAX_TEXT: usize = 300;

/// Compressed formats that are not unpacked here: first bytes, the program, and the command that unpacks them.
const PACKED: [(&[u8], &str, &str); 5] = [
    (b"\xfd7zXZ\0", "xz", "xz -d"),
    (b"\x28\xb5\x2f\xfd", "zstd", "zstd -d"),
    (b"BZh", "bzip2", "bzip2 -d"),
    (b"\x04\x22\x4d\x18", "lz4", "lz4 -d"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip", "7z x"),
];

/// A file's text.
#[derive(Debug)]
pub struct Text {
    /// The file's name, without folders, harmless and bounded.
    pub name: String,
    /// The name of the folder that the file is in, if it is known.
    folder: String,
    whole: String,
    /// The number of each line, if it is not its place here.
    numbers: Option<Vec<u32>>,
    /// About the encoding, cut lines and remarks.
    pub(crate) warnings: Vec<Warning>,
}

/// One line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its number, counted from 1.
    pub number: u32,
    /// Its text without the line end, an author's `// remark`, and blanks at the end.
    pub text: &'a str,
}

impl Line<'_> {
    /// A problem at this line.
    pub(crate) fn problem(self, why: impl Into<String>) -> Problem {
        Problem::at(self.number, why)
    }
}

impl Text {
    /// Decodes a file's bytes.
    ///
    /// # Errors
    /// If it is empty, too large, or no text.
    pub fn decode(name: &str, bytes: &[u8]) -> Result<Text, Problem> {
        if let Some((_, with, unpack)) = PACKED.iter().find(|(start, ..)| bytes.starts_with(start))
        {
            return Err(Problem::whole(format!(
                "it is compressed with {with}; unpack it first with {unpack}"
            )));
        }
        // A reader of the file need not read all of it.
        if bytes.len() > MAX_BYTES {
            return Err(Problem::whole(format!(
                "it has more than {MAX_BYTES} bytes; files of up to {MAX_BYTES} bytes are read"
            )));
        }
        let mut warnings = vec![];
        let decoded: Cow<'_, str> = match bytes {
            [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes).into(),
            [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes).into(),
            [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest),
            _ => String::from_utf8_lossy(bytes),
        };
        let binary = decoded.bytes().take(8192).any(|b| b == 0);
        Problem::when(binary, "it is not text: it holds zero bytes")?;
        if matches!(decoded, Cow::Owned(_)) && decoded.contains('\u{fffd}') {
            let line = decoded.lines().position(|l| l.contains('\u{fffd}')).unwrap_or(0) + 1;
            warnings.push(Warning::doubt(
                u32::try_from(line).ok(),
                "the file is not UTF-8 (GB18030 or Latin-1?); what could not be decoded is left out",
            ));
        }
        let whole = plain(&decoded);
        Problem::when(whole.trim().is_empty(), "it is empty")?;
        let folder = name.trim_end_matches(['/', '\\']).rfind(['/', '\\']);
        let folder = folder.map_or(String::new(), |at| file_name(&name[..at]));
        let mut text = Text { name: file_name(name), folder, whole, numbers: None, warnings };
        text.look();
        Ok(text)
    }
    /// This output in the form that is read, each line with the number of the line it is from.
    pub(crate) fn derived(&self, lines: &[(u32, String)]) -> Text {
        let whole = lines.iter().map(|(_, line)| tidy_line(line) + "\n").collect();
        let numbers = Some(lines.iter().map(|(number, _)| *number).collect());
        let (name, folder) = (self.name.clone(), self.folder.clone());
        Text { name, folder, whole, numbers, warnings: vec![] }
    }
    /// Warns of what is cut, and of lines with remarks.
    fn look(&mut self) {
        let (mut long, mut first, mut count) = (None, None, 0);
        for (number, line) in (1u32..).zip(self.whole.lines()) {
            if number as usize > MAX_LINES {
                let what = format!("only the first {MAX_LINES} lines were read");
                self.warnings.push(Warning::doubt(Some(number), what));
                break;
            }
            if line.len() > MAX_LINE {
                long = long.or(Some(number));
            }
            if remark(line).is_some() {
                (first, count) = (first.or(Some(number)), count + 1);
            }
        }
        let cut = format!("lines are cut after {MAX_LINE} bytes");
        let remarks =
            format!("an author's remarks (// ...) are left out, the first here and {count} in all");
        let all = [(long, cut, WarningKind::Doubt), (first, remarks, WarningKind::Remark)];
        let all = all.into_iter().filter(|(line, ..)| line.is_some());
        self.warnings.extend(all.map(|(line, what, kind)| Warning { line, what, kind }));
    }
    /// Whether the file or the folder that it is in has this name, whatever the ending.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.folder == name || self.name.split('.').next() == Some(name)
    }
    /// All of it, for formats that are not read by lines.
    pub fn whole(&self) -> &str {
        &self.whole
    }
    /// All of it as XML, which may have a DTD or may not.
    pub(crate) fn xml(&self, allow_dtd: bool) -> Result<Document<'_>, Problem> {
        let nodes_limit = MOST_NODES;
        let options = ParsingOptions { allow_dtd, nodes_limit, ..ParsingOptions::default() };
        Document::parse_with_options(&self.whole, options).map_err(|e| {
            let why = format!("the XML cannot be read: {}", tidy(&e.to_string()));
            Problem::at(e.pos().row, why)
        })
    }
    /// The lines.
    pub fn lines(&self) -> LinesOf<'_> {
        LinesOf { text: self, all: self.whole.lines(), before: 0 }
    }
    /// Whether any line fits.
    pub fn any(&self, fits: impl Fn(&str) -> bool) -> bool {
        self.has(&fits)
    }
    fn has(&self, fits: &dyn Fn(&str) -> bool) -> bool {
        self.lines().any(|l| fits(l.text))
    }
    /// The line number of a byte of [`Text::whole`].
    pub fn line_at(&self, byte: usize) -> u32 {
        let end = byte.min(self.whole.len());
        self.whole.as_bytes()[..end].iter().filter(|b| **b == b'\n').count() as u32 + 1
    }
}

/// The lines of a text.
#[derive(Debug, Clone)]
pub struct LinesOf<'a> {
    text: &'a Text,
    all: std::str::Lines<'a>,
    before: usize,
}

impl<'a> Iterator for LinesOf<'a> {
    type Item = Line<'a>;
    /// Every importer goes through lines, some in ten places: a copy in each is 12 KB of code.
    #[inline(never)]
    fn next(&mut self) -> Option<Line<'a>> {
        let at = self.before;
        let line = short(self.all.next().filter(|_| at < MAX_LINES)?);
        self.before += 1;
        let number = self.text.numbers.as_ref().and_then(|all| all.get(at).copied());
        Some(Line {
            number: number.unwrap_or(at as u32 + 1),
            text: remark(line).unwrap_or(line).trim_end(),
        })
    }
}

/// A text without line ends.
fn tidy_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\t' { ' ' } else { c }).collect()
}

/// The text before `// a remark`. An address such as `http://` is no remark.
fn remark(line: &str) -> Option<&str> {
    let at = line.match_indices("//").map(|(at, _)| at).find(|at| {
        let before = line[..*at].chars().next_back();
        before.is_none_or(|c| c.is_whitespace() || c == '*')
    })?;
    Some(line[..at].trim_end_matches('*'))
}

/// The line, cut to [`MAX_LINE`] bytes.
fn short(line: &str) -> &str {
    let mut end = line.len().min(MAX_LINE);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    &line[..end]
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect()
}

/// Without terminal sequences, and with one kind of line end: sessions are recorded with `script`.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => {
                if chars.next_if(|c| *c == '[').is_some() {
                    // Parameters, then one letter.
                    while chars.next_if(|c| matches!(c, ' '..='?')).is_some() {}
                    chars.next_if(|c| matches!(c, '@'..='~'));
                } else if chars.next_if(|c| *c == ']').is_some() {
                    while chars.next_if(|c| !c.is_control()).is_some() {}
                    chars.next_if(|c| *c == '\u{7}');
                }
            }
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' => out.push('\n'),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || invisible(c) => {}
            c => out.push(c),
        }
    }
    out
}

/// One printable line of at most 300 bytes: all text that is kept of a file passes through here.
pub fn tidy(text: &str) -> String {
    let mut out = String::new();
    for c in text.trim().chars() {
        let c = if c.is_control() || c.is_whitespace() || invisible(c) { ' ' } else { c };
        if c == ' ' && (out.is_empty() || out.ends_with(' ')) {
            continue;
        }
        if out.len() + c.len_utf8() > MAX_TEXT {
            break;
        }
        out.push(c);
    }
    out.truncate(out.trim_end().len());
    out
}

/// The last part of a path, harmless and of bounded length.
fn file_name(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or("input");
    let tidied: String = tidy(name).chars().take(100).collect();
    if tidied.is_empty() { "input".into() } else { tidied }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &Text) -> Vec<(u32, &str)> {
        text.lines().map(|l| (l.number, l.text)).collect()
    }

    #[test]
    fn remarks_and_terminal_sequences_are_left_out() {
        let text =
            Text::decode("a", b"\x1b[31mSize: 2 TB  \x1b[0m // most\r\nsee http://x\n//all\nx\n")
                .unwrap();
        assert_eq!(lines(&text), [(1, "Size: 2 TB"), (2, "see http://x"), (3, ""), (4, "x")]);
        assert_eq!(text.warnings[0].line, Some(1));
        assert!(text.warnings[0].what.contains("2 in all"));
    }

    #[test]
    fn other_encodings_are_read_or_reported() {
        let wide: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain("座: 2\n".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        assert_eq!(lines(&Text::decode("a", &wide).unwrap()), [(1, "座: 2")]);
        let latin = Text::decode("a", b"one\ncaf\xe9: 1\n").unwrap();
        assert_eq!(latin.warnings[0].line, Some(2));
        assert!(Text::decode("a", b"\x7fELF\0\0\0").is_err());
        assert!(Text::decode("a", b" \n\n").is_err());
        let why = |bytes: &[u8]| Text::decode("a", bytes).unwrap_err().why;
        assert_eq!(
            why(b"\xfd7zXZ\0\0\x04"),
            "it is compressed with xz; unpack it first with xz -d"
        );
        assert!(why(b"\x28\xb5\x2f\xfd\x04").contains("zstd -d"));
        assert!(why(&vec![b'a'; MAX_BYTES + 1]).contains("more than"));
    }

    #[test]
    fn names_are_harmless() {
        let text = Text::decode("../../x\u{1b}[2J/\u{202e}a\nb.txt", b"x").unwrap();
        assert_eq!(text.name, "a b.txt");
        assert_eq!(tidy(&"長".repeat(300)).len(), 300);
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let text = Text::decode("a", "長".repeat(MAX_LINE).as_bytes()).unwrap();
        assert!(text.lines().all(|l| l.text.len() <= MAX_LINE));
        assert!(text.warnings[0].what.contains("cut"));
    }
}
