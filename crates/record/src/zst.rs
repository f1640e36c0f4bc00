//! Documents compressed with Zstandard (RFC 8878), a sixth to a ninth of their size.
use crate::{LoadError, MAX_BYTES};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::{borrow::Cow, cell::RefCell};
use zstd_safe::DCtx;

/// The first bytes of every Zstandard frame.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

thread_local! {
    /// Its tables serve the next document, too.
    static DECODER: RefCell<DCtx<'static>> = RefCell::new(DCtx::create());
}

/// The document as one frame.
#[must_use]
pub fn compressed(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// The document itself, of bytes that are compressed or are not.
///
/// # Errors
/// Says what is wrong with a frame, and refuses a document of more than [`MAX_BYTES`].
pub fn plain(bytes: &[u8]) -> Result<Cow<'_, [u8]>, LoadError> {
    if !bytes.starts_with(&MAGIC) {
        return Ok(Cow::Borrowed(bytes));
    }
    decompressed(bytes, MAX_BYTES).map(Cow::Owned)
}

/// The content of all frames, one after the other, of at most so many bytes.
///
/// # Errors
/// Says what is wrong with a frame, and refuses what is longer.
pub fn decompressed(bytes: &[u8], most: u64) -> Result<Vec<u8>, LoadError> {
    DECODER.with_borrow_mut(|decoder| whole(bytes, most, decoder))
}

/// The room for a document that is tried first, in lengths of its frames: records shrink to a fifth.
const ROOM: usize = 8;
/// The code of too little room, as zstd_errors.h has it.
const TOO_SMALL: usize = 70_usize.wrapping_neg();

fn whole(bytes: &[u8], most: u64, decoder: &mut DCtx<'_>) -> Result<Vec<u8>, LoadError> {
    let beyond = most as usize + 1;
    let mut out = vec![];
    let mut room = (bytes.len() * ROOM).min(beyond);
    loop {
        out.reserve_exact(room);
        match decoder.decompress(&mut out, bytes) {
            Ok(length) if length as u64 > most => return Err(LoadError::TooLarge(length as u64)),
            Ok(_) => return Ok(out),
            // A frame need not say how long its content is.
            Err(TOO_SMALL) if room < beyond => room = (room * ROOM).min(beyond),
            Err(TOO_SMALL) => return Err(LoadError::TooLarge(beyond as u64)),
            Err(_) => return Err(LoadError::Damaged),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    #[cfg_attr(miri, ignore = "C")]
    fn a_document_comes_back_and_is_smaller() {
        let text = "{\"metric\": \"latency\", \"samples\": [1.5e-9, 1.6e-9]}\n".repeat(500);
        let small = compressed(text.as_bytes());
        assert!(small.len() * 10 < text.len(), "{}", small.len());
        assert_eq!(plain(&small).unwrap(), text.as_bytes());
        assert_eq!(plain(text.as_bytes()).unwrap(), text.as_bytes());
        // What is damaged leaves nothing behind for the next.
        assert!(plain(&small[..small.len() / 2]).is_err());
        assert_eq!(plain(&small).unwrap(), text.as_bytes());
        // As `cat a.zst b.zst` joins them.
        let twice = [small.clone(), small].concat();
        assert_eq!(plain(&twice).unwrap().len(), 2 * text.len());
    }

    #[test]
    #[cfg_attr(miri, ignore = "C")]
    fn what_is_cut_off_or_expands_without_end_is_an_error() {
        let frame = compressed(&[b' '; 100_000]);
        for cut in MAGIC.len()..frame.len() {
            assert!(matches!(plain(&frame[..cut]), Err(LoadError::Damaged)), "cut at {cut}");
        }
        let bomb = compressed(&vec![b' '; 1 << 25]).repeat(9);
        assert!(matches!(plain(&bomb), Err(LoadError::TooLarge(_))));
    }

    proptest! {
        #[test]
        #[cfg_attr(miri, ignore = "C")]
        fn garbled_frames_never_panic(at in 4usize..4000, with in any::<u8>()) {
            let mut frame = compressed(include_bytes!("zst.rs"));
            let at = 4 + at % (frame.len() - 4);
            frame[at] = with;
            if let Err(error) = plain(&frame) {
                prop_assert!(!error.to_string().contains('\n'));
            }
        }
    }
}
