//! TLS 1.2 and 1.3 over a socket that is not waited for. A server is always verified.
//! Source: the documentation of rustls; X.509 of RFC 5280, names of RFC 6125 (no common names).
use super::address::Encryption;
use host::sockets;
use record::{OrWhy, Reason};
use rustls::{
    CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, RootCertStore,
    SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::ring,
    pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject},
};
use std::{
    env,
    io::{self, Read, Write},
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Paths of the certificates of public authorities: Debian, Fedora, openSUSE, Alpine.
const AUTHORITIES: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];
/// The variable by which OpenSSL's programs name such a file.
const VARIABLE: &str = "SSL_CERT_FILE";

/// A TLS connection.
#[derive(Debug)]
pub(super) struct Tls {
    connection: ClientConnection,
    /// Decrypted bytes that no receive has returned.
    decrypted: usize,
}

/// The next step of a handshake.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TlsStep {
    Done,
    Receive,
    Send,
}

/// The socket, which is not waited for.
struct Socket<'a>(&'a OwnedFd);

impl Read for Socket<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        sockets::receive_now(self.0, into)?.ok_or_else(|| io::ErrorKind::WouldBlock.into())
    }
}

impl Write for Socket<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        sockets::send_now(self.0, bytes)?.ok_or_else(|| io::ErrorKind::WouldBlock.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Tls {
    /// To the server of this name or address.
    ///
    /// # Errors
    /// There are no authorities, or the name is none.
    pub(super) fn new(host: &str, encryption: &Encryption) -> Result<Tls, Reason> {
        let name = ServerName::try_from(host.to_owned());
        let name = name.map_err(|_| Reason::new(format!("{host} is no name of a host")))?;
        let config = config(encryption)?;
        let connection = ClientConnection::new(Arc::new(config), name).map_err(|e| failed(&e))?;
        Ok(Tls { connection, decrypted: 0 })
    }
    /// Goes on with the handshake.
    ///
    /// # Errors
    /// The server is not the one that was named, or does not speak TLS.
    pub(super) fn shake_hands(&mut self, socket: &OwnedFd) -> Result<TlsStep, Reason> {
        let broken = |e: &io::Error| Reason::new(format!("the server ended TLS: {e}"));
        loop {
            if !self.flush(socket).map_err(|e| broken(&e))? {
                return Ok(TlsStep::Send);
            }
            if !self.connection.is_handshaking() {
                return Ok(TlsStep::Done);
            }
            match self.connection.read_tls(&mut Socket(socket)) {
                Ok(0) => return Err(broken(&io::ErrorKind::UnexpectedEof.into())),
                Ok(_) => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return Ok(TlsStep::Receive),
                Err(e) => return Err(broken(&e)),
            }
            if let Err(error) = self.connection.process_new_packets() {
                // The server gets the reason; a failure to send it does not matter.
                let _ = self.flush(socket);
                return Err(failed(&error));
            }
        }
    }
    /// Sends what is encrypted; `false` while the socket is full.
    fn flush(&mut self, socket: &OwnedFd) -> io::Result<bool> {
        while self.connection.wants_write() {
            match self.connection.write_tls(&mut Socket(socket)) {
                Ok(_) => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(e) => return Err(e),
            }
        }
        Ok(true)
    }
    pub(super) fn has_decrypted(&self) -> bool {
        self.decrypted > 0
    }
    /// Whether encrypted bytes are still to be sent, by a further [`Tls::send_now`].
    pub(super) fn has_unsent(&self) -> bool {
        self.connection.wants_write()
    }
    /// The protocol's version and the cipher.
    pub(super) fn name(&self) -> String {
        let version = self.connection.protocol_version().map(|version| format!("{version:?}"));
        let cipher = self.connection.negotiated_cipher_suite();
        let cipher = cipher.map(|cipher| format!(" {:?}", cipher.suite()));
        version.unwrap_or_default() + &cipher.unwrap_or_default()
    }
    pub(super) fn receive_now(
        &mut self,
        socket: &OwnedFd,
        into: &mut [u8],
    ) -> io::Result<Option<usize>> {
        loop {
            match self.connection.reader().read(into) {
                Ok(count) => {
                    self.decrypted = self.decrypted.saturating_sub(count);
                    return Ok(Some(count));
                }
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
                // The server closed without a word of TLS.
                Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(Some(0)),
                Err(e) => return Err(e),
            }
            match self.connection.read_tls(&mut Socket(socket)) {
                Ok(_) => {
                    let state = self.connection.process_new_packets().map_err(io::Error::other)?;
                    self.decrypted = state.plaintext_bytes_to_read();
                    // Answers to what TLS itself asked; the rest goes with the next send.
                    self.flush(socket)?;
                }
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                Err(e) => return Err(e),
            }
        }
    }
    /// Encrypts and sends; without bytes it sends what is left.
    pub(super) fn send_now(&mut self, socket: &OwnedFd, bytes: &[u8]) -> io::Result<Option<usize>> {
        if !self.flush(socket)? {
            return Ok(None);
        }
        let count = self.connection.writer().write(bytes)?;
        self.flush(socket)?;
        Ok(Some(count))
    }
}

fn failed(error: &rustls::Error) -> Reason {
    match error {
        rustls::Error::InvalidCertificate(_) => Reason::mended_by(
            format!("the server's certificate is not accepted: {error}"),
            "--tls-ca FILE with the certificate of its authority; where that signs no name of this host, --tls verify-ca with it",
        ),
        _ => Reason::mended_by(
            format!("TLS with the server fails: {error}"),
            "check the server's TLS settings (SHOW VARIABLES LIKE '%tls_version%')",
        ),
    }
}

fn config(encryption: &Encryption) -> Result<ClientConfig, Reason> {
    let authorities = match encryption {
        Encryption::Off => return Err(Reason::new("TLS is off")),
        Encryption::VerifyCa { authorities } => Some(authorities),
        Encryption::VerifyIdentity { authorities } => authorities.as_ref(),
    };
    let roots = Arc::new(match authorities {
        Some(file) => read_authorities(file)?,
        None => read_authorities(&authorities_of_system()?)?,
    });
    let provider = Arc::new(ring::default_provider());
    let verifier =
        WebPkiServerVerifier::builder_with_provider(Arc::clone(&roots), Arc::clone(&provider));
    let verifier =
        verifier.build().map_err(|e| Reason::new(format!("the authorities are of no use: {e}")))?;
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(|e| failed(&e))?;
    Ok(match encryption {
        Encryption::VerifyCa { .. } => config
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AnyName(verifier)))
            .with_no_client_auth(),
        _ => config.with_webpki_verifier(verifier).with_no_client_auth(),
    })
}

fn authorities_of_system() -> Result<PathBuf, Reason> {
    let named = env::var_os(VARIABLE).map(PathBuf::from);
    let known = AUTHORITIES.iter().map(PathBuf::from).filter(|file| file.exists());
    named.into_iter().chain(known).next().or_why("no certificates of authorities are installed here to verify the server with", "--tls-ca FILE with the certificate of the server's authority, or apt-get install ca-certificates")
}

fn read_authorities(file: &Path) -> Result<RootCertStore, Reason> {
    let cannot = |what: String| {
        Reason::new(format!("the authorities in {} cannot be used: {what}", file.display()))
    };
    let mut roots = RootCertStore::empty();
    let certificates = CertificateDer::pem_file_iter(file).map_err(|e| cannot(e.to_string()))?;
    for certificate in certificates {
        // Systems have some that are too old for this library.
        let _ = roots.add(certificate.map_err(|e| cannot(e.to_string()))?);
    }
    if roots.is_empty() {
        return Err(cannot("there is no usable certificate (PEM) in it".into()));
    }
    Ok(roots)
}

/// Verifies all but the name: `--tls verify-ca`.
#[derive(Debug)]
struct AnyName(Arc<WebPkiServerVerifier>);

impl ServerCertVerifier for AnyName {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        // The name is looked at last.
        match self.0.verify_server_cert(certificate, intermediates, name, ocsp, now) {
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }
    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls12_signature(message, certificate, signature)
    }
    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls13_signature(message, certificate, signature)
    }
    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}
