//! The first packets of a connection: the server's greeting, our requests for TLS and login, and the steps of authentication.
//! Source: "Connection Phase" of the MySQL and MariaDB documentation; a greeting's lengths are not trusted.
use super::{
    ProtocolError, Result, SHORT,
    command::end,
    response::{ResponseStep, refusal},
};
use mysql_common::{
    constants::{CapabilityFlags, MariadbCapabilities},
    io::ParseBuf,
};

/// Bytes of a nonce.
pub(in crate::mysql) const NONCE: usize = 20;
/// utf8mb4_general_ci.
const COLLATION: u8 = 45;
/// The largest packet that we accept, as sent to the server.
const MAX_PACKET: u32 = 16 << 20;

/// The first packet of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::mysql) struct Greeting {
    pub(in crate::mysql) capabilities: CapabilityFlags,
    /// Capabilities of MariaDB beyond MySQL's.
    pub(in crate::mysql) mariadb: MariadbCapabilities,
    pub(in crate::mysql) nonce: [u8; NONCE],
    /// The authentication plugin that it prefers.
    pub(in crate::mysql) plugin: Vec<u8>,
}

/// A login.
#[derive(Debug)]
pub(in crate::mysql) struct Login<'a> {
    pub(in crate::mysql) capabilities: CapabilityFlags,
    pub(in crate::mysql) mariadb: MariadbCapabilities,
    pub(in crate::mysql) user: &'a str,
    pub(in crate::mysql) answer: &'a [u8],
    pub(in crate::mysql) database: Option<&'a str>,
    pub(in crate::mysql) plugin: &'a [u8],
}

/// The server's answer to a login or to a step of authentication.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::mysql) enum LoginStep<'a> {
    Accepted,
    /// Error code and message.
    Refused(u16, &'a [u8]),
    /// Use this plugin with this nonce.
    Switch(&'a [u8], &'a [u8]),
    /// Data of the plugin.
    More(&'a [u8]),
}

/// Parses a greeting; an error code and a message if the server refuses us at once.
pub(in crate::mysql) fn greeting(payload: &[u8]) -> Result<Result<Greeting, (u16, &[u8])>> {
    let mut fields = ParseBuf(payload);
    match fields.checked_eat_u8().ok_or(SHORT)? {
        10 => {}
        0xff => {
            return match refusal(ParseBuf(payload))? {
                ResponseStep::Refused(code, message) => Ok(Err((code, message))),
                _ => Err(ProtocolError("no greeting")),
            };
        }
        _ => return Err(ProtocolError("a greeting of another version")),
    }
    let version = until_null(&mut fields);
    // The connection's id.
    fields.checked_eat_u32_le().ok_or(SHORT)?;
    let mut nonce = [0; NONCE];
    let (first, second) = nonce.split_at_mut(8);
    first.copy_from_slice(fields.checked_eat(8).ok_or(SHORT)?);
    fields.checked_eat_u8().ok_or(SHORT)?;
    let low = fields.checked_eat_u16_le().ok_or(SHORT)?;
    // Collation and status.
    fields.checked_eat(3).ok_or(SHORT)?;
    let high = fields.checked_eat_u16_le().ok_or(SHORT)?;
    let length = usize::from(fields.checked_eat_u8().ok_or(SHORT)?);
    fields.checked_eat(6).ok_or(SHORT)?;
    let mariadb = fields.checked_eat_u32_le().ok_or(SHORT)?;
    let capabilities = CapabilityFlags::from_bits_truncate(u32::from(low) | u32::from(high) << 16);
    if !capabilities
        .contains(CapabilityFlags::CLIENT_PROTOCOL_41 | CapabilityFlags::CLIENT_SECURE_CONNECTION)
    {
        return Err(ProtocolError("a greeting of a server older than MySQL 4.1"));
    }
    let rest = fields.checked_eat(length.saturating_sub(8).max(13)).ok_or(SHORT)?;
    second.copy_from_slice(&rest[..NONCE - 8]);
    let plugin = until_null(&mut fields).to_vec();
    // A MariaDB says by this missing flag that the last reserved bytes are flags.
    let is_mariadb = version.windows(7).any(|word| word == b"MariaDB")
        && !capabilities.contains(CapabilityFlags::CLIENT_LONG_PASSWORD);
    let mariadb = if is_mariadb { mariadb } else { 0 };
    let mariadb = MariadbCapabilities::from_bits_truncate(mariadb);
    Ok(Ok(Greeting { capabilities, mariadb, nonce, plugin }))
}

/// Parses what follows a login.
pub(in crate::mysql) fn login_step(payload: &[u8]) -> Result<LoginStep<'_>> {
    let mut fields = ParseBuf(payload);
    match fields.checked_eat_u8().ok_or(ProtocolError("an empty packet"))? {
        0x00 => Ok(LoginStep::Accepted),
        0x01 => Ok(LoginStep::More(fields.0)),
        // Without a plugin: that of MySQL before 4.1.
        0xfe if fields.0.is_empty() => Ok(LoginStep::Switch(b"mysql_old_password", b"")),
        0xfe => {
            let plugin = until_null(&mut fields);
            let nonce = fields.0.strip_suffix(&[0]).unwrap_or(fields.0);
            Ok(LoginStep::Switch(plugin, nonce))
        }
        0xff => match refusal(ParseBuf(payload))? {
            ResponseStep::Refused(code, message) => Ok(LoginStep::Refused(code, message)),
            _ => Err(ProtocolError("no step of a login")),
        },
        _ => Err(ProtocolError("no step of a login")),
    }
}

/// Bytes up to a zero, which is consumed, or to the end.
fn until_null<'a>(fields: &mut ParseBuf<'a>) -> &'a [u8] {
    let all = fields.0;
    let length = all.iter().position(|byte| *byte == 0).unwrap_or(all.len());
    fields.0 = all.get(length + 1..).unwrap_or_default();
    &all[..length]
}

fn begin(packet: &mut Vec<u8>, sequence: u8, login: &Login<'_>) {
    packet.clear();
    packet.extend_from_slice(&[0, 0, 0, sequence]);
    packet.extend_from_slice(&login.capabilities.bits().to_le_bytes());
    packet.extend_from_slice(&MAX_PACKET.to_le_bytes());
    packet.push(COLLATION);
    packet.extend_from_slice(&[0; 19]);
    packet.extend_from_slice(&login.mariadb.bits().to_le_bytes());
}

/// The request to go on in TLS: the beginning of a login.
pub(in crate::mysql) fn tls_request(
    packet: &mut Vec<u8>,
    sequence: u8,
    login: &Login<'_>,
) -> Option<()> {
    begin(packet, sequence, login);
    end(packet)
}

/// A login; `None` if a name holds a zero byte or the answer is too long.
pub(in crate::mysql) fn login(packet: &mut Vec<u8>, sequence: u8, login: &Login<'_>) -> Option<()> {
    begin(packet, sequence, login);
    null_terminated(packet, login.user.as_bytes())?;
    packet.push(u8::try_from(login.answer.len()).ok()?);
    packet.extend_from_slice(login.answer);
    if let Some(database) = login.database {
        null_terminated(packet, database.as_bytes())?;
    }
    if login.capabilities.contains(CapabilityFlags::CLIENT_PLUGIN_AUTH) {
        null_terminated(packet, login.plugin)?;
    }
    end(packet)
}

fn null_terminated(packet: &mut Vec<u8>, text: &[u8]) -> Option<()> {
    packet.extend_from_slice(text);
    packet.push(0);
    (!text.contains(&0)).then_some(())
}
