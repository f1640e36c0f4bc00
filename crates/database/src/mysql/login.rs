//! The login: greeting, TLS where it is wanted, and authentication. A password leaves us only as the answer to a nonce, over a Unix
//! socket, in TLS to a verified server, or encrypted with a key that the user named.
//! Source: "Connection Phase" and "Caching SHA-2 Pluggable Authentication" of the MySQL manual.
use super::{
    address::{Address, Encryption, Endpoint},
    connection::{Connection, too_long},
    errors, protocol_error,
    tls::{Tls, TlsStep},
    wire::{self, Login, LoginStep, ProtocolError},
};
use crate::session::{Error, ErrorClass};
use mysql_common::{
    constants::{CapabilityFlags, MariadbCapabilities},
    packets::AuthPlugin,
};
use record::Reason;

/// Seconds for each step of a login.
pub(super) const LIMIT: f64 = 10.0;
/// Seconds that a step may still take after an interrupt.
pub(super) const INTERRUPT_LIMIT: f64 = 1.0;
/// A server needs the password itself, or not.
const FULL_AUTHENTICATION: u8 = 4;
const NONCE_WAS_ENOUGH: u8 = 3;
/// Capabilities that our client uses where the server has them.
const WANTED: CapabilityFlags = CapabilityFlags::CLIENT_PROTOCOL_41
    .union(CapabilityFlags::CLIENT_SECURE_CONNECTION)
    .union(CapabilityFlags::CLIENT_LONG_PASSWORD)
    .union(CapabilityFlags::CLIENT_TRANSACTIONS)
    .union(CapabilityFlags::CLIENT_LOCAL_FILES)
    .union(CapabilityFlags::CLIENT_MULTI_STATEMENTS)
    .union(CapabilityFlags::CLIENT_MULTI_RESULTS)
    .union(CapabilityFlags::CLIENT_PS_MULTI_RESULTS)
    .union(CapabilityFlags::CLIENT_PLUGIN_AUTH);

/// Logs in over a new connection.
pub(super) fn log_in(connection: &mut Connection, address: &Address) -> Result<(), Error> {
    steps(connection, address).map_err(|mut error| {
        let endpoint = address.endpoint.to_string();
        if !error.reason.why.contains(&endpoint) {
            error.reason.why = format!("the server at {endpoint}: {}", error.reason.why).into();
        }
        error
    })
}

fn steps(connection: &mut Connection, address: &Address) -> Result<(), Error> {
    connection.received.expect_packet(0);
    let packet = connection.read_packet()?;
    let greeting = match wire::greeting(&packet).map_err(protocol_error)? {
        Ok(greeting) => greeting,
        Err((code, message)) => return Err(errors::login(code, message, address)),
    };
    // Others are chosen by a switch.
    let plugin = match AuthPlugin::from_bytes(&greeting.plugin) {
        AuthPlugin::CachingSha2Password => AuthPlugin::CachingSha2Password,
        _ => AuthPlugin::MysqlNativePassword,
    };
    let password = address.password.reveal();
    let answer = plugin.gen_data(Some(password), &greeting.nonce);
    let mut login = Login {
        capabilities: WANTED & greeting.capabilities,
        mariadb: MariadbCapabilities::MARIADB_CLIENT_CACHE_METADATA & greeting.mariadb,
        user: &address.user,
        answer: answer.as_deref().unwrap_or_default(),
        database: address.database.as_deref(),
        plugin: plugin.as_bytes(),
    };
    if login.database.is_some() {
        login.capabilities |= CapabilityFlags::CLIENT_CONNECT_WITH_DB;
    }
    if address.encryption != Encryption::Off {
        if !greeting.capabilities.contains(CapabilityFlags::CLIENT_SSL) {
            return Err(no_tls());
        }
        login.capabilities |= CapabilityFlags::CLIENT_SSL;
        let sequence = connection.received.sequence();
        wire::tls_request(&mut connection.packet, sequence, &login).ok_or_else(too_long)?;
        connection.send_packet()?;
        connection.received.expect_packet(sequence.wrapping_add(1));
        begin_tls(connection, address)?;
    }
    let sequence = connection.received.sequence();
    wire::login(&mut connection.packet, sequence, &login)
        .ok_or_else(|| Error::fatal("a name of the login has a zero byte"))?;
    connection.send_packet()?;
    connection.received.expect_packet(sequence.wrapping_add(1));
    authenticate(connection, address, (plugin.into_owned(), greeting.nonce.to_vec()))
}

fn begin_tls(connection: &mut Connection, address: &Address) -> Result<(), Error> {
    // What came before TLS could be anybody's.
    if !connection.received.is_empty() {
        return Err(protocol_error(ProtocolError("bytes before TLS began")));
    }
    let Endpoint::Tcp(host, _) = &address.endpoint else {
        return Err(Error::fatal("TLS needs TCP"));
    };
    let mut tls = Tls::new(host, &address.encryption)?;
    loop {
        match tls.shake_hands(connection.socket())? {
            TlsStep::Done => break,
            TlsStep::Receive => connection.wait(true)?,
            TlsStep::Send => connection.wait(false)?,
        }
    }
    connection.stream().encrypt(tls);
    Ok(())
}

fn authenticate(
    connection: &mut Connection,
    address: &Address,
    (mut plugin, mut nonce): (AuthPlugin<'static>, Vec<u8>),
) -> Result<(), Error> {
    let (mut may_switch, mut may_ask) = (true, true);
    loop {
        let packet = connection.read_packet()?;
        let answer = match wire::login_step(&packet).map_err(protocol_error)? {
            LoginStep::Accepted => return Ok(()),
            LoginStep::Refused(code, message) => return Err(errors::login(code, message, address)),
            LoginStep::More([NONCE_WAS_ENOUGH]) => continue,
            LoginStep::More([FULL_AUTHENTICATION])
                if may_ask && plugin == AuthPlugin::CachingSha2Password =>
            {
                may_ask = false;
                secret(connection, address, &nonce)?
            }
            LoginStep::Switch(name, new) if may_switch => {
                may_switch = false;
                plugin = AuthPlugin::from_bytes(name).into_owned();
                nonce = new.to_vec();
                if !matches!(
                    plugin,
                    AuthPlugin::CachingSha2Password | AuthPlugin::MysqlNativePassword
                ) {
                    return Err(unknown_plugin(name));
                }
                let answer = plugin.gen_data(Some(address.password.reveal()), &nonce);
                answer.as_deref().unwrap_or_default().to_vec()
            }
            _ => return Err(protocol_error(ProtocolError("no step of a login"))),
        };
        let sequence = connection.received.sequence();
        wire::raw(&mut connection.packet, sequence, &answer).ok_or_else(too_long)?;
        connection.send_packet()?;
        connection.received.expect_packet(sequence.wrapping_add(1));
    }
}

/// The password itself, which the server wants: as it is where nobody else can read it, else encrypted with the key of the user. A
/// key that the server sends could be that of anybody in between.
fn secret(connection: &mut Connection, address: &Address, nonce: &[u8]) -> Result<Vec<u8>, Error> {
    let mut secret = address.password.reveal().as_bytes().to_vec();
    secret.push(0);
    if connection.stream().is_encrypted() || matches!(address.endpoint, Endpoint::Socket(_)) {
        return Ok(secret);
    }
    let refused = |reason| Error { class: ErrorClass::AccessDenied, code: 0, reason };
    let Some(key) = &address.server_key else {
        return Err(refused(Reason::mended_by(
            format!(
                "the server at {} wants the password itself (caching_sha2_password), and without TLS another host could read it",
                address.endpoint
            ),
            "--tls-ca FILE, the server's --socket, or --server-key FILE with the server's public_key.pem, fetched in a safe way",
        )));
    };
    if nonce.is_empty() {
        return Err(protocol_error(ProtocolError("an empty nonce")));
    }
    secret.iter_mut().zip(nonce.iter().cycle()).for_each(|(byte, nonce)| *byte ^= nonce);
    host::openssl::encrypt(key, &secret).map_err(refused)
}

fn unknown_plugin(name: &[u8]) -> Error {
    let why = format!(
        "the account uses {}, which cpulens does not support",
        String::from_utf8_lossy(name).escape_debug()
    );
    let remedy = "an account with caching_sha2_password or mysql_native_password";
    Error { class: ErrorClass::AccessDenied, code: 0, reason: Reason::mended_by(why, remedy) }
}

fn no_tls() -> Error {
    Reason::mended_by(
        "the server offers no TLS",
        "set TLS up on the server (ssl_cert, ssl_key); --tls off only on a network that nobody else can read or change",
    )
    .into()
}
