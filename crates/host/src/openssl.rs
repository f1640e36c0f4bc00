//! The linked OpenSSL library: its version, and the work of `openssl speed`, call by call. Without the feature `openssl`
//! every function gives a reason.
//! Source: openssl-speed(1); apps/speed.c of OpenSSL 1.1.1 and 3.6 for which calls are timed (docs/adr/0021).
#[cfg(not(feature = "openssl"))]
mod absent;
#[cfg(feature = "openssl")]
mod linked;

#[cfg(not(feature = "openssl"))]
pub use absent::{Job, Key, code, encrypt, missing};
#[cfg(feature = "openssl")]
pub use linked::{Job, Key, code, encrypt, missing};

/// The operation of one call in the loop of [`Job::run`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// `AES_ige_encrypt` from one buffer to another, as `openssl speed aes-256-ige` up to version 1.1.1.
    Aes256Ige,
    /// A message of its own with every block: key, nonce, data, tag, as `openssl speed -evp aes-256-gcm` from 3.0.16 on.
    Aes256Gcm,
    /// All blocks are one message, encrypted in place, as `openssl speed -evp aes-256-gcm` up to 3.0.15, and 1.1.1.
    Aes256GcmStream,
    /// A digest of every block, as `openssl speed -evp sha256`.
    Sha256,
    /// All blocks are one message, as `openssl speed -evp chacha20-poly1305`.
    ChaCha20Poly1305,
    /// A signature of 36 bytes, as `openssl speed rsa2048`.
    Rsa2048Sign,
    /// A check of such a signature.
    Rsa2048Verify,
}
