//! Memory modules as firmware describes them: SMBIOS 3.0 type 17 (DSP0134, section 7.18).
//! QEMU's own give every module the speed it is rated for, so ours are written here.

use crate::machine::Module;

const DDR4: u8 = 0x1A;
const DIMM: u8 = 0x09;

impl Module {
    /// The structure and its strings, numbered `handle`.
    pub(crate) fn to_bytes(&self, handle: u16) -> Vec<u8> {
        let mut bytes = vec![17, 0x28];
        let mut word = |value: u16| bytes.extend_from_slice(&value.to_le_bytes());
        let (present, ddr) = (self.size.is_some(), if self.size.is_some() { DDR4 } else { 2 });
        word(handle);
        word(0x1000); // the array QEMU declares
        word(0xFFFE); // no error information
        word(if present { 72 } else { 0xFFFF }); // width with check bits
        word(if present { 64 } else { 0xFFFF });
        word(self.size.unwrap_or(0));
        bytes.extend_from_slice(&[DIMM, 0, 1, 2, ddr]);
        bytes.extend_from_slice(&0x80_u16.to_le_bytes()); // synchronous
        bytes.extend_from_slice(&if present { self.rated } else { 0 }.to_le_bytes());
        bytes.extend_from_slice(&[3, 4, 0, 5, if present { 2 } else { 0 }]); // maker, serial, part, ranks
        bytes.extend_from_slice(&[0; 4]); // the size fits its first field
        bytes.extend_from_slice(&if present { self.configured } else { 0 }.to_le_bytes());
        bytes.extend_from_slice(&[0xB0, 4, 0xB0, 4, 0xB0, 4]); // 1200 mV
        for text in [&self.slot, &self.bank, "Lab", "0", "LAB-DDR4"] {
            bytes.extend_from_slice(text.as_bytes());
            bytes.push(0);
        }
        bytes.push(0);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_where_the_specification_puts_them() {
        let module = Module {
            slot: "A1".into(),
            bank: "P0".into(),
            size: Some(512),
            rated: 3200,
            configured: 2133,
        };
        let bytes = module.to_bytes(0x1101);
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        assert_eq!((bytes[0], usize::from(bytes[1]), word(2)), (17, 0x28, 0x1101));
        assert_eq!((word(0x0C), bytes[0x12], word(0x15), word(0x20)), (512, DDR4, 3200, 2133));
        assert_eq!(&bytes[0x28..0x2B], b"A1\0");
        assert!(bytes.ends_with(b"LAB-DDR4\0\0"));
    }
}
