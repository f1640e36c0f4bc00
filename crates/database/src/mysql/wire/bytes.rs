//! The protocol's integers and strings, read from bytes that may end anywhere.
use super::Broken;

/// What is left of a payload.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

const SHORT: Broken = Broken("a packet ends before what it should hold");

impl<'a> Bytes<'a> {
    #[inline]
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Broken> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(SHORT)?;
        self.0 = rest;
        Ok(taken)
    }
    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Broken> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(SHORT)?;
        self.0 = rest;
        Ok(*taken)
    }
    #[inline]
    pub(super) fn u8(&mut self) -> Result<u8, Broken> {
        Ok(self.array::<1>()?[0])
    }
    #[inline]
    pub(super) fn u16(&mut self) -> Result<u16, Broken> {
        self.array().map(u16::from_le_bytes)
    }
    #[inline]
    pub(super) fn u32(&mut self) -> Result<u32, Broken> {
        self.array().map(u32::from_le_bytes)
    }
    #[inline]
    pub(super) fn u64(&mut self) -> Result<u64, Broken> {
        self.array().map(u64::from_le_bytes)
    }
    /// A length-encoded integer.
    #[inline]
    pub(super) fn length(&mut self) -> Result<u64, Broken> {
        match self.u8()? {
            small @ 0..=0xfa => Ok(small.into()),
            0xfc => self.u16().map(u64::from),
            0xfd => {
                let [a, b, c] = self.array()?;
                Ok(u64::from(u32::from_le_bytes([a, b, c, 0])))
            }
            0xfe => self.u64(),
            _ => Err(Broken("a length that is none")),
        }
    }
    /// A string behind its length.
    #[inline]
    pub(super) fn string(&mut self) -> Result<&'a [u8], Broken> {
        let length = usize::try_from(self.length()?).map_err(|_| SHORT)?;
        self.take(length)
    }
}
