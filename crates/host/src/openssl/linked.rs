//! The library itself. Its C functions are timed as `openssl speed` calls them: the checks of the safe wrappers take longer
//! than the encryption of 16 bytes. All else uses the wrappers.
use super::Algorithm;
use foreign_types::ForeignTypeRef;
use openssl::{
    aes::{AesKey, aes_ige},
    cipher::Cipher,
    cipher_ctx::CipherCtx,
    error::ErrorStack,
    lib_ctx::LibCtx,
    md::Md,
    pkey::{PKey, Private},
    pkey_ctx::PkeyCtx,
    rsa::Rsa,
    symm::Mode,
    version,
};
use openssl_sys as ffi;
use record::Reason;
use std::{
    ffi::{CStr, c_int, c_uint, c_void},
    fmt, ptr,
};

unsafe extern "C" {
    /// EVP_DigestInit(3); the crate `openssl-sys` does not declare it.
    fn EVP_Digest(
        data: *const c_void,
        count: usize,
        md: *mut u8,
        size: *mut c_uint,
        kind: *const ffi::EVP_MD,
        engine: *mut c_void,
    ) -> c_int;
}

/// openssl/crypto.h: the processor capabilities that the library uses.
const CPU_INFO: c_int = 9;
/// openssl/evp.h: EVP_CTRL_AEAD_SET_IVLEN.
const SET_NONCE_LENGTH: c_int = 9;
/// Keeps the direction, encryption or decryption.
const UNCHANGED: c_int = -1;
/// Bytes that `openssl speed` signs: an MD5 and a SHA-1.
const SIGNED: usize = 36;
/// Bytes of a signature with a key of 2048 bits.
const SIGNATURE: usize = 256;
/// AES-256's and ChaCha20's key in bytes.
const KEY: usize = 32;
/// Default nonce length of both authenticated modes, in bytes.
const NONCE: usize = 12;

pub fn missing() -> Option<Reason> {
    None
}

/// Encrypts for the owner of this public RSA key (PEM), with OAEP. Nothing is timed.
pub fn encrypt(key: &[u8], secret: &[u8]) -> Result<Vec<u8>, Reason> {
    let refused = |e: ErrorStack| {
        Reason::mended_by(
            format!("the key does not encrypt: {e}"),
            "a public RSA key as MySQL's public_key.pem",
        )
    };
    let key = Rsa::public_key_from_pem(key).map_err(refused)?;
    let mut encrypted = vec![0; key.size() as usize];
    let padding = openssl::rsa::Padding::PKCS1_OAEP;
    let length = key.public_encrypt(secret, &mut encrypted, padding).map_err(refused)?;
    encrypted.truncate(length);
    Ok(encrypted)
}

/// Version and date, processor capabilities, and compiler flags.
pub fn code() -> Result<String, Reason> {
    openssl::init();
    // SAFETY: any number may be asked for.
    let text = unsafe { ffi::OpenSSL_version(CPU_INFO) };
    // SAFETY: the function returns a string that ends in a zero and lives as long as the program, whatever was asked.
    let found = unsafe { CStr::from_ptr(text) };
    let after = |text: &str, head: &str| text.strip_prefix(head).unwrap_or(text).trim().to_owned();
    Ok([
        version::version().to_owned(),
        after(&found.to_string_lossy(), "CPUINFO:"),
        after(version::c_flags(), "compiler:"),
    ]
    .join(", "))
}

/// An RSA key of 2048 bits that every thread can load.
pub struct Key(Vec<u8>);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

impl Key {
    /// Generates one, in some tenths of a second.
    pub fn generate() -> Result<Key, Reason> {
        let key = Rsa::generate(2048).map_err(failed("make a key"))?;
        key.private_key_to_der().map(Key).map_err(failed("make a key"))
    }
}

/// One thread's work on blocks of one size. Each has a library context of its own, like a process; otherwise threads would
/// contend for reference counts.
pub struct Job {
    block: usize,
    buffer: Vec<u8>,
    other: Vec<u8>,
    work: Work,
}

/// In each variant the referring field comes first, so that it is dropped first.
enum Work {
    Ige { key: AesKey, chain: [u8; 32] },
    Stream { context: CipherCtx, nonce: [u8; NONCE], _of: (Cipher, LibCtx) },
    Messages { context: CipherCtx, key: [u8; KEY], nonce: [u8; NONCE], _of: (Cipher, LibCtx) },
    Digest { kind: Md, digest: [u8; 64], _of: LibCtx },
    Sign { context: PkeyCtx<Private>, _of: PKey<Private> },
    Verify { context: PkeyCtx<Private>, signature: Vec<u8>, _of: PKey<Private> },
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("block", &self.block).finish_non_exhaustive()
    }
}

impl Job {
    /// Prepares for blocks of this many bytes. Signatures have one size, and need a key.
    pub fn new(algorithm: Algorithm, block: usize, key: Option<&Key>) -> Result<Job, Reason> {
        openssl::init();
        if block == 0 || !block.is_multiple_of(16) || c_int::try_from(block).is_err() {
            return Err(Reason::new(format!("a block of {block} bytes cannot be encrypted")));
        }
        let work = match algorithm {
            Algorithm::Aes256Ige => {
                let key = AesKey::new_encrypt(&pattern::<KEY>())
                    .map_err(|_| Reason::new("OpenSSL refuses a key of 256 bits"))?;
                Work::Ige { key, chain: pattern() }
            }
            Algorithm::Aes256Gcm => {
                let (context, of) = cipher("AES-256-GCM").map_err(failed("set up AES-256-GCM"))?;
                Work::Messages { context, key: pattern(), nonce: pattern(), _of: of }
            }
            Algorithm::Aes256GcmStream => stream("AES-256-GCM")?,
            Algorithm::ChaCha20Poly1305 => stream("ChaCha20-Poly1305")?,
            Algorithm::Sha256 => {
                let library = LibCtx::new().map_err(failed("set up SHA-256"))?;
                let kind = Md::fetch(Some(&library), "SHA256", None);
                let kind = kind.map_err(failed("set up SHA-256"))?;
                Work::Digest { kind, digest: [0; 64], _of: library }
            }
            Algorithm::Rsa2048Sign | Algorithm::Rsa2048Verify => {
                let key = key.ok_or("there is no key to sign with")?;
                rsa(algorithm, key).map_err(failed("set up RSA"))?
            }
        };
        let buffer: Vec<u8> = (0..=u8::MAX).cycle().take(block.max(SIGNATURE)).collect();
        Ok(Job { block, other: buffer.clone(), buffer, work })
    }

    /// Runs the operation this many times.
    pub fn run(&mut self, times: u64) -> Result<(), Reason> {
        let block = self.block;
        // `new` has checked that it fits.
        let length = block as c_int;
        match &mut self.work {
            Work::Ige { key, chain } => {
                for _ in 0..times {
                    let (from, to) = (&self.buffer[..block], &mut self.other[..block]);
                    aes_ige(from, to, key, chain, Mode::Encrypt);
                }
            }
            Work::Stream { context, nonce, .. } => {
                let (at, mut out) = (self.buffer.as_mut_ptr(), 0);
                for _ in 0..times {
                    // SAFETY: the context has a cipher, key and nonce; `buffer` has `length` bytes; in place is allowed, and
                    // these modes put out as many bytes as they are given (EVP_EncryptInit(3)); `out` is one int.
                    let done = unsafe {
                        ffi::EVP_EncryptUpdate(context.as_ptr(), at, &raw mut out, at, length)
                    };
                    // A message has an end: GCM's after 64 GiB. As in the original, a new one is begun.
                    if done != 1 {
                        let again = context.encrypt_init(None, None, Some(&nonce[..]));
                        again.map_err(failed("begin a message"))?;
                    }
                }
            }
            Work::Messages { context, key, nonce, .. } => {
                for _ in 0..times {
                    message(context, key, nonce, &mut self.buffer, length)
                        .map_err(failed("encrypt a message"))?;
                }
            }
            Work::Digest { kind, digest, .. } => {
                let (from, to) = (self.buffer.as_ptr().cast(), digest.as_mut_ptr());
                for _ in 0..times {
                    // SAFETY: reads `block` bytes of `buffer`, which has as many, and writes a digest into `digest`,
                    // which has the 64 bytes of the longest; its size need not be passed, and there is no engine.
                    let done = unsafe {
                        EVP_Digest(from, block, to, ptr::null_mut(), kind.as_ptr(), ptr::null_mut())
                    };
                    if done != 1 {
                        return Err(failed("take a digest")(ErrorStack::get()));
                    }
                }
            }
            Work::Sign { context, .. } => {
                for _ in 0..times {
                    context
                        .sign(&self.buffer[..SIGNED], Some(&mut self.other))
                        .map_err(failed("sign"))?;
                }
            }
            Work::Verify { context, signature, .. } => {
                for _ in 0..times {
                    let good = context.verify(&self.buffer[..SIGNED], signature);
                    if !good.map_err(failed("verify"))? {
                        return Err(Reason::new("OpenSSL does not know its own signature"));
                    }
                }
            }
        }
        Ok(())
    }
}

/// One message: length of the nonce, key and nonce, data in place, tag.
fn message(
    context: &mut CipherCtx,
    key: &[u8; KEY],
    nonce: &[u8; NONCE],
    buffer: &mut [u8],
    length: c_int,
) -> Result<(), ErrorStack> {
    let (context, at, mut out) = (context.as_ptr(), buffer.as_mut_ptr(), 0);
    let good = |done: c_int| if done == 1 { Ok(()) } else { Err(ErrorStack::get()) };
    let nonce_length = NONCE as c_int;
    // SAFETY: the context has a cipher; this command has a number and no pointer.
    good(unsafe {
        ffi::EVP_CIPHER_CTX_ctrl(context, SET_NONCE_LENGTH, nonce_length, ptr::null_mut())
    })?;
    let (key, nonce) = (key.as_ptr(), nonce.as_ptr());
    // SAFETY: reads the 32 bytes of the cipher's key and the 12 of its nonce, which these have; the cipher stays, there is no
    // engine.
    good(unsafe {
        ffi::EVP_CipherInit_ex(context, ptr::null(), ptr::null_mut(), key, nonce, UNCHANGED)
    })?;
    // SAFETY: as in `Work::Stream`; `length` is that of a block, and `buffer` has as many.
    good(unsafe { ffi::EVP_EncryptUpdate(context, at, &raw mut out, at, length) })?;
    // SAFETY: the end of a message in this mode puts out nothing, and writes one int.
    good(unsafe { ffi::EVP_EncryptFinal_ex(context, at, &raw mut out) })
}

/// A cipher in a library context of its own.
fn cipher(name: &str) -> Result<(CipherCtx, (Cipher, LibCtx)), ErrorStack> {
    let library = LibCtx::new()?;
    let cipher = Cipher::fetch(Some(&library), name, None)?;
    let mut context = CipherCtx::new()?;
    context.encrypt_init(Some(&cipher), None, None)?;
    Ok((context, (cipher, library)))
}

fn stream(name: &str) -> Result<Work, Reason> {
    let made = || -> Result<Work, ErrorStack> {
        let (mut context, of) = cipher(name)?;
        let nonce = pattern();
        context.encrypt_init(None, Some(&pattern::<KEY>()), Some(&nonce))?;
        Ok(Work::Stream { context, nonce, _of: of })
    };
    made().map_err(failed(&format!("set up {name}")))
}

fn rsa(algorithm: Algorithm, key: &Key) -> Result<Work, ErrorStack> {
    let key = PKey::private_key_from_der(&key.0)?;
    let mut context = PkeyCtx::new(&key)?;
    context.sign_init()?;
    if algorithm == Algorithm::Rsa2048Sign {
        return Ok(Work::Sign { context, _of: key });
    }
    let mut signature = vec![];
    let message: Vec<u8> = (0..=u8::MAX).take(SIGNED).collect();
    context.sign_to_vec(&message, &mut signature)?;
    context.verify_init()?;
    Ok(Work::Verify { context, signature, _of: key })
}

/// Varied bytes.
fn pattern<const N: usize>() -> [u8; N] {
    std::array::from_fn(|i| (i as u8).wrapping_mul(37).wrapping_add(0x12))
}

fn failed(what: &str) -> impl Fn(ErrorStack) -> Reason + use<> {
    let what = what.to_owned();
    move |error| Reason::new(format!("OpenSSL cannot {what}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use openssl::symm;

    const ALL: [Algorithm; 7] = [
        Algorithm::Aes256Ige,
        Algorithm::Aes256Gcm,
        Algorithm::Aes256GcmStream,
        Algorithm::Sha256,
        Algorithm::ChaCha20Poly1305,
        Algorithm::Rsa2048Sign,
        Algorithm::Rsa2048Verify,
    ];

    #[test]
    fn every_algorithm_does_blocks_of_every_size_any_number_of_times() {
        let key = Key::generate().unwrap();
        for algorithm in ALL {
            for block in [16, 64, 1024, 16384] {
                let mut job = Job::new(algorithm, block, Some(&key)).unwrap();
                assert_eq!((job.run(0), job.run(3)), (Ok(()), Ok(())), "{algorithm:?}, {block}");
            }
            for block in [0, 17, usize::MAX & !15] {
                assert!(Job::new(algorithm, block, Some(&key)).is_err(), "{algorithm:?}, {block}");
            }
        }
        assert!(Job::new(Algorithm::Rsa2048Sign, 16, None).unwrap_err().why.contains("no key"));
    }

    /// Twice two blocks are one message of four, whose every byte the crate's own one-shot function gives as well.
    #[test]
    fn streams_are_one_message() {
        for (algorithm, like) in [
            (Algorithm::Aes256GcmStream, symm::Cipher::aes_256_gcm()),
            (Algorithm::ChaCha20Poly1305, symm::Cipher::chacha20_poly1305()),
        ] {
            let mut job = Job::new(algorithm, 64, None).unwrap();
            // In place: what is encrypted next is what has come out.
            let mut plain = job.buffer[..64].to_vec();
            let mut whole = vec![];
            for _ in 0..3 {
                whole.extend_from_slice(&plain);
                job.run(1).unwrap();
                plain.copy_from_slice(&job.buffer[..64]);
            }
            whole.extend_from_slice(&plain);
            let (key, nonce) = (pattern::<KEY>(), pattern::<NONCE>());
            let expected =
                symm::encrypt_aead(like, &key, Some(&nonce), &[], &whole[..192], &mut [0; 16]);
            assert_eq!(whole[64..], expected.unwrap(), "{algorithm:?}");
        }
    }

    /// Each message begins anew: encrypting the same one twice gives the first back, since the stream of a key and a nonce
    /// is the same.
    #[test]
    fn messages_begin_anew() {
        let mut job = Job::new(Algorithm::Aes256Gcm, 256, None).unwrap();
        let plain = job.buffer.clone();
        job.run(1).unwrap();
        let (key, nonce) = (pattern::<KEY>(), pattern::<NONCE>());
        let cipher = symm::Cipher::aes_256_gcm();
        let mut tag = [0; 16];
        let expected = symm::encrypt_aead(cipher, &key, Some(&nonce), &[], &plain, &mut tag);
        assert_eq!(job.buffer, expected.unwrap());
        let Work::Messages { context, .. } = &job.work else { panic!("another work") };
        let mut made = [0; 16];
        context.tag(&mut made).unwrap();
        assert_eq!(made, tag, "the tag is computed, too");
        job.run(1).unwrap();
        assert_eq!(job.buffer, plain);
    }

    /// The build leaves out code for keys that are not timed, and for decryption (`xtask/openssl/perl`): encryption is right all the
    /// same, and decryption right or refused. Source: McGrew and Viega, The Galois/Counter Mode of Operation (GCM), test cases 2, 8
    /// and 14.
    #[test]
    fn gcm_is_right_with_keys_of_every_length() {
        for (cipher, expected) in [
            (symm::Cipher::aes_128_gcm(), 0x0388_dace_60b6_a392_f328_c2b9_71b2_fe78_u128),
            (symm::Cipher::aes_192_gcm(), 0x98e7_247c_07f0_fe41_1c26_7e43_84b0_f600),
            (symm::Cipher::aes_256_gcm(), 0xcea7_403d_4d60_6b6e_074e_c5d3_baf3_9d18),
        ] {
            let (key, nonce, plain, mut tag) =
                (vec![0; cipher.key_len()], [0; NONCE], [0; 16], [0; 16]);
            let made = symm::encrypt_aead(cipher, &key, Some(&nonce), &[], &plain, &mut tag);
            let made = made.unwrap();
            assert_eq!(made, expected.to_be_bytes(), "{} bits", 8 * key.len());
            let back = symm::decrypt_aead(cipher, &key, Some(&nonce), &[], &made, &tag);
            assert!(back.is_err() || back.is_ok_and(|text| text == plain));
        }
    }

    /// IGE by its definition: c(i) = E(p(i) ^ c(i-1)) ^ p(i-1).
    #[test]
    fn ige_is_what_its_definition_says() {
        let mut job = Job::new(Algorithm::Aes256Ige, 64, None).unwrap();
        job.run(1).unwrap();
        let (key, chain) = (pattern::<KEY>(), pattern::<32>());
        let (mut cipher_before, mut plain_before) = (chain[..16].to_vec(), chain[16..].to_vec());
        let xor = |a: &[u8], b: &[u8]| -> Vec<u8> { a.iter().zip(b).map(|(a, b)| a ^ b).collect() };
        let mut expected = vec![];
        for plain in job.buffer[..64].chunks(16) {
            let mut crypter =
                symm::Crypter::new(symm::Cipher::aes_256_ecb(), Mode::Encrypt, &key, None).unwrap();
            crypter.pad(false);
            let mut block = [0; 32];
            crypter.update(&xor(plain, &cipher_before), &mut block).unwrap();
            cipher_before = xor(&block[..16], &plain_before);
            plain_before = plain.to_vec();
            expected.extend_from_slice(&cipher_before);
        }
        assert_eq!(job.other[..64], expected);
    }

    #[test]
    fn digests_are_those_of_the_block() {
        let mut job = Job::new(Algorithm::Sha256, 64, None).unwrap();
        job.run(2).unwrap();
        let Work::Digest { digest, .. } = &job.work else { panic!("another work") };
        assert_eq!(digest[..32], openssl::sha::sha256(&job.buffer[..64]));
    }

    #[test]
    fn a_signature_that_is_wrong_is_told() {
        let key = Key::generate().unwrap();
        let mut job = Job::new(Algorithm::Rsa2048Verify, 64, Some(&key)).unwrap();
        assert_eq!(job.run(2), Ok(()));
        job.buffer[0] ^= 1;
        assert!(job.run(1).is_err());
    }

    #[test]
    fn the_code_is_named_by_version_processor_and_compiler() {
        let code = code().unwrap();
        assert!(code.starts_with("OpenSSL 3.") && code.contains("-O2"), "{code}");
        let capabilities = if cfg!(target_arch = "x86_64") { "OPENSSL_ia32cap=" } else { ", " };
        assert!(code.contains(capabilities), "{code}");
    }
}
