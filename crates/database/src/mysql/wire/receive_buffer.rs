//! Received bytes, split into packets: three bytes of length, a sequence number, and the payload.
use super::{ProtocolError, Result};

/// The largest accepted payload. No query here needs more, and a server that announces more must not make us allocate it.
const LARGEST: usize = 1 << 20;
const HEADER: usize = 4;
/// Initial size: several answers to a point select.
const INITIAL: usize = 16 << 10;
/// Free bytes that a receive always has.
const FREE: usize = 4 << 10;

/// Bytes that were received and not yet parsed.
#[derive(Debug)]
pub(in crate::mysql) struct ReceiveBuffer {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// Sequence number of the next packet.
    sequence: u8,
}

impl ReceiveBuffer {
    pub(in crate::mysql) fn new() -> ReceiveBuffer {
        ReceiveBuffer { bytes: vec![0; INITIAL], start: 0, end: 0, sequence: 1 }
    }
    /// The next packet has this sequence number: 1 after a command.
    pub(in crate::mysql) fn expect_packet(&mut self, sequence: u8) {
        self.sequence = sequence;
    }
    /// The sequence number of the next packet in either direction.
    pub(in crate::mysql) fn sequence(&self) -> u8 {
        self.sequence
    }
    /// The space for the next bytes.
    #[inline]
    pub(in crate::mysql) fn free(&mut self) -> Result<&mut [u8]> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        if self.bytes.len() - self.end < FREE {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            if self.bytes.len() - self.end < FREE {
                let most = LARGEST + HEADER + FREE;
                if self.bytes.len() >= most {
                    return Err(ProtocolError("a larger response than any query has"));
                }
                self.bytes.resize((self.bytes.len() * 2).min(most), 0);
            }
        }
        Ok(&mut self.bytes[self.end..])
    }
    /// Adds the bytes that were received into [`ReceiveBuffer::free`].
    #[inline]
    pub(in crate::mysql) fn received(&mut self, count: usize) {
        self.end = (self.end + count).min(self.bytes.len());
    }
    pub(in crate::mysql) fn is_empty(&self) -> bool {
        self.start == self.end
    }
    /// The payload of the next packet; `None` until it is complete.
    #[inline]
    pub(in crate::mysql) fn packet(&mut self) -> Result<Option<&[u8]>> {
        let received = &self.bytes[self.start..self.end];
        let Some((&[a, b, c, sequence], rest)) = received.split_first_chunk::<HEADER>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes([a, b, c, 0]) as usize;
        if length > LARGEST {
            return Err(ProtocolError("a larger packet than any query has"));
        }
        if sequence != self.sequence {
            return Err(ProtocolError("packets out of order"));
        }
        if rest.len() < length {
            return Ok(None);
        }
        self.sequence = self.sequence.wrapping_add(1);
        let from = self.start + HEADER;
        self.start = from + length;
        Ok(Some(&self.bytes[from..from + length]))
    }
}
