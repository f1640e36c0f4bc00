//! A text of limited length that is written without allocating.
use std::fmt;

/// Text of at most `N` bytes; what does not fit is left out.
#[derive(Clone, Copy)]
pub(crate) struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Text<N> {
    pub(crate) const fn new() -> Self {
        Text { bytes: [0; N], length: 0 }
    }
    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }
    pub(crate) fn push(&mut self, text: &str) {
        let mut room = N - self.length;
        while !text.is_char_boundary(room.min(text.len())) {
            room -= 1;
        }
        let part = &text.as_bytes()[..room.min(text.len())];
        self.bytes[self.length..][..part.len()].copy_from_slice(part);
        self.length += part.len();
    }
    pub(crate) fn set(&mut self, text: &str) {
        self.clear();
        self.push(text);
    }
    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text);
        Ok(())
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    #[test]
    fn what_does_not_fit_is_left_out_between_characters() {
        let mut text = Text::<9>::new();
        text.set("abc");
        assert!(write!(text, "{}-é", 12).is_ok());
        assert_eq!(text.as_str(), "abc12-é");
        text.push("é");
        assert_eq!(text.as_str(), "abc12-é", "one byte is left and it takes two");
        text.push("xyz");
        assert_eq!(text.as_str(), "abc12-éx");
    }
}
