//! What has arrived of a connection, cut into packets: three bytes of length, one that counts, and the payload.
use super::Broken;

/// Bytes of the largest payload that is taken. Nothing that is asked for comes near it, and a server that announces more
/// shall not make us hold it.
const LARGEST: usize = 1 << 20;
const HEADER: usize = 4;
/// Bytes to begin with: several answers to a point select.
const FIRST: usize = 16 << 10;
/// Bytes that there is always room for.
const ROOM: usize = 4 << 10;

/// Bytes between having arrived and having been looked at.
#[derive(Debug)]
pub(in crate::mysql) struct Inbox {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// The number that the next packet has.
    number: u8,
}

impl Inbox {
    pub(in crate::mysql) fn new() -> Inbox {
        Inbox { bytes: vec![0; FIRST], start: 0, end: 0, number: 1 }
    }
    /// A command is about to be sent: what arrives next is its answer's first packet.
    pub(in crate::mysql) fn begin(&mut self) {
        self.begin_at(1);
    }
    /// What arrives next has this number: it answers packets that had the ones before.
    pub(in crate::mysql) fn begin_at(&mut self, number: u8) {
        self.number = number;
    }
    /// Where more may be put.
    #[inline]
    pub(in crate::mysql) fn room(&mut self) -> Result<&mut [u8], Broken> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        if self.bytes.len() - self.end < ROOM {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            if self.bytes.len() - self.end < ROOM {
                if self.bytes.len() >= LARGEST + HEADER + ROOM {
                    return Err(Broken("more than anything asked for"));
                }
                let most = LARGEST + HEADER + ROOM;
                self.bytes.resize((self.bytes.len() * 2).min(most), 0);
            }
        }
        Ok(&mut self.bytes[self.end..])
    }
    /// So many bytes have been put there.
    #[inline]
    pub(in crate::mysql) fn arrived(&mut self, count: usize) {
        self.end = (self.end + count).min(self.bytes.len());
    }
    /// Whether something has arrived that nobody has looked at.
    pub(in crate::mysql) fn is_empty(&self) -> bool {
        self.start == self.end
    }
    /// The next whole payload; nothing if it is not all there yet.
    #[inline]
    pub(in crate::mysql) fn packet(&mut self) -> Result<Option<&[u8]>, Broken> {
        let there = &self.bytes[self.start..self.end];
        let Some((&[a, b, c, number], rest)) = there.split_first_chunk::<HEADER>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes([a, b, c, 0]) as usize;
        if length > LARGEST {
            return Err(Broken("a packet larger than anything asked for"));
        }
        if number != self.number {
            return Err(Broken("packets out of order"));
        }
        if rest.len() < length {
            return Ok(None);
        }
        self.number = self.number.wrapping_add(1);
        let from = self.start + HEADER;
        self.start = from + length;
        Ok(Some(&self.bytes[from..from + length]))
    }
}
