//! What the lab's init and the host say to each other over a serial line that the kernel also writes to:
//! `@lab <number> <kind> <checksum> <text>` on one line, the text percent-encoded. Both sides compile this file.

/// One message from the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// Bytes the program printed.
    Out(Vec<u8>),
    /// Bytes the program printed to its standard error.
    Err(Vec<u8>),
    /// The next bytes of a named file; a file that is not there sends none.
    File(String, Vec<u8>),
    /// What the init could not do, in words.
    Note(String),
    /// How a program ended; what follows is of the next one.
    End(Ending),
    /// Everything has been run; the last frame.
    Off,
}

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Exited(i32),
    Killed(i32),
    /// It ran longer than the job allows, and was killed.
    TimedOut,
    /// It could not be started; a note says why.
    NotStarted,
}

/// Bytes of a frame's text before encoding: a line stays well below a terminal's 4096.
pub(crate) const CHUNK: usize = 1024;

/// The frame as a line. A newline comes first, in case the kernel stopped in the middle of one.
pub(crate) fn encode(number: u32, frame: &Frame) -> String {
    let (kind, text) = match frame {
        Frame::Out(bytes) => ("out", escape(bytes)),
        Frame::Err(bytes) => ("err", escape(bytes)),
        Frame::File(name, bytes) => {
            ("file", format!("{}:{}", escape(name.as_bytes()), escape(bytes)))
        }
        Frame::Note(text) => ("note", escape(text.as_bytes())),
        Frame::Off => ("off", String::new()),
        Frame::End(ending) => (
            "end",
            match ending {
                Ending::Exited(code) => format!("exited:{code}"),
                Ending::Killed(signal) => format!("killed:{signal}"),
                Ending::TimedOut => "timedout:".into(),
                Ending::NotStarted => "notstarted:".into(),
            },
        ),
    };
    format!("\n@lab {number} {kind} {:08x} {text}\n", checksum(number, kind, &text))
}

/// The frame in a line, if there is one; an error if it was damaged or one before it is missing.
pub(crate) fn decode(line: &str, expected: u32) -> Option<Result<Frame, String>> {
    let (_, rest) = line.split_once("@lab ")?;
    let mut parts = rest.trim_end().splitn(4, ' ');
    let number = parts.next().and_then(|n| n.parse().ok());
    let (kind, sum) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    let text = parts.next().unwrap_or("");
    if number != Some(expected) {
        return Some(Err(format!("frame {expected} is missing before: {line}")));
    }
    if u32::from_str_radix(sum, 16) != Ok(checksum(expected, kind, text)) {
        return Some(Err(format!("frame {expected} is damaged: {line}")));
    }
    let frame = parse(kind, text);
    Some(frame.ok_or_else(|| format!("frame {expected} makes no sense: {line}")))
}

fn parse(kind: &str, text: &str) -> Option<Frame> {
    Some(match kind {
        "out" => Frame::Out(unescape(text)?),
        "err" => Frame::Err(unescape(text)?),
        "off" => Frame::Off,
        "note" => Frame::Note(String::from_utf8(unescape(text)?).ok()?),
        "file" => {
            let (name, bytes) = text.split_once(':')?;
            Frame::File(String::from_utf8(unescape(name)?).ok()?, unescape(bytes)?)
        }
        "end" => Frame::End(match text.split_once(':')? {
            ("exited", code) => Ending::Exited(code.parse().ok()?),
            ("killed", signal) => Ending::Killed(signal.parse().ok()?),
            ("timedout", _) => Ending::TimedOut,
            ("notstarted", _) => Ending::NotStarted,
            _ => return None,
        }),
        _ => return None,
    })
}

/// Visible ASCII as it is, anything else (and `%` and `:`) as `%XX`.
pub(crate) fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        if byte.is_ascii_graphic() && byte != b'%' && byte != b':' {
            text.push(char::from(byte));
        } else {
            text += &format!("%{byte:02X}");
        }
    }
    text
}

pub(crate) fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let (digits, after) = after.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    Some(bytes)
}

/// FNV-1a, 32 bits.
fn checksum(number: u32, kind: &str, text: &str) -> u32 {
    let all = number.to_le_bytes().into_iter().chain(kind.bytes()).chain(text.bytes());
    all.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_survive_the_line() {
        let all: Vec<u8> = (0..=255).collect();
        let frames = [
            Frame::Out(all.clone()),
            Frame::Err(b"100 % : odd\r\n".to_vec()),
            Frame::File("/tmp/a:b c".into(), all),
            Frame::Note("cannot offline CPU 3: é".into()),
            Frame::End(Ending::Exited(3)),
            Frame::End(Ending::Killed(9)),
            Frame::End(Ending::TimedOut),
            Frame::End(Ending::NotStarted),
            Frame::Off,
        ];
        for (number, frame) in (7..).zip(&frames) {
            let line = encode(number, frame).replace('\n', "\r\n");
            let line = line.trim_matches(['\r', '\n']);
            assert_eq!(decode(&format!("[    0.1] {line}"), number), Some(Ok(frame.clone())));
        }
    }

    #[test]
    fn damage_and_loss_are_seen() {
        let line = encode(2, &Frame::Out(b"hello".to_vec()));
        assert!(
            matches!(decode(&line.replace("hello", "hallo"), 2), Some(Err(e)) if e.contains("damaged"))
        );
        assert!(matches!(decode(line.trim(), 1), Some(Err(e)) if e.contains("missing")));
        assert_eq!(decode("[    0.000000] Linux version 6.1", 0), None);
    }

    #[test]
    fn a_cut_escape_is_refused() {
        assert_eq!(unescape("a%4"), None);
        assert_eq!(unescape("a%zz"), None);
        assert_eq!(unescape("a%41").as_deref(), Some(&b"aA"[..]));
    }
}
