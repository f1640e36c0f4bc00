//! The address and account of a server: from a URL without a password, a socket, or an option file as the server's own clients read
//! it. The password comes from the environment or from that file, and goes to the login only.
//! Source: "Using Option Files" of the MySQL manual; the variable MYSQL_PWD.
use crate::options::{EngineOptions, TlsMode};
use percent_encoding::percent_decode_str;
use record::Reason;
use std::{
    collections::BTreeMap,
    env, fmt, fs,
    net::IpAddr,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// The variable from which MySQL's clients take a password.
const VARIABLE: &str = "MYSQL_PWD";
const DEFAULT_PORT: u16 = 3306;
/// The largest option file that is read.
const MAX_OPTION_FILE: u64 = 1 << 20;

/// A password; its debug form is stars.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Password(String);

impl Password {
    pub(crate) fn new(text: impl Into<String>) -> Password {
        Password(text.into())
    }
    /// For the login only.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// The address of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Endpoint {
    /// A Unix socket.
    Socket(PathBuf),
    /// A host and its port.
    Tcp(String, u16),
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Endpoint::Socket(path) => write!(f, "{}", path.display()),
            Endpoint::Tcp(host, port) if host.contains(':') => write!(f, "[{host}]:{port}"),
            Endpoint::Tcp(host, port) => write!(f, "{host}:{port}"),
        }
    }
}

impl Endpoint {
    /// Whether what is sent there leaves this host. A name is not looked up: who answers for it is not known.
    pub(crate) fn is_remote(&self) -> bool {
        match self {
            Endpoint::Socket(_) => false,
            Endpoint::Tcp(host, _) => match host.parse::<IpAddr>() {
                Ok(address) => !address.is_loopback(),
                Err(_) => !host.eq_ignore_ascii_case("localhost"),
            },
        }
    }
}

/// The encryption of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Encryption {
    Off,
    /// By TLS to a server that one of these authorities signed for its name.
    VerifyIdentity {
        authorities: Option<PathBuf>,
    },
    /// By TLS to any server that one of these authorities signed.
    VerifyCa {
        authorities: PathBuf,
    },
}

impl Encryption {
    /// Without options remote servers are verified.
    fn of(
        endpoint: &Endpoint,
        mode: Option<TlsMode>,
        authorities: Option<PathBuf>,
    ) -> Result<Encryption, Reason> {
        let bad = |why: &str, remedy: &str| Err(Reason::mended_by(why, remedy));
        let wanted = mode.is_some_and(|mode| mode != TlsMode::Off) || authorities.is_some();
        match (mode, authorities) {
            _ if wanted && matches!(endpoint, Endpoint::Socket(_)) => {
                bad("TLS is for TCP, and a Unix socket was named", "leave --tls and --tls-ca out")
            }
            (Some(TlsMode::Off), Some(_)) => {
                bad("--tls off does not verify by --tls-ca", "leave one of them out")
            }
            (Some(TlsMode::Off), None) => Ok(Encryption::Off),
            (Some(TlsMode::VerifyCa), Some(authorities)) => {
                Ok(Encryption::VerifyCa { authorities })
            }
            (Some(TlsMode::VerifyCa), None) => bad(
                "--tls verify-ca trusts any host with a certificate of the authority, and none was named",
                "--tls-ca FILE, with the authority of that server only",
            ),
            (None, None) if !endpoint.is_remote() => Ok(Encryption::Off),
            (Some(TlsMode::VerifyIdentity) | None, authorities) => {
                Ok(Encryption::VerifyIdentity { authorities })
            }
        }
    }
}

/// An endpoint with the account and the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) endpoint: Endpoint,
    pub(crate) user: String,
    pub(crate) password: Password,
    pub(crate) database: Option<String>,
    pub(crate) encryption: Encryption,
    /// The server's public key (PEM).
    pub(crate) server_key: Option<Vec<u8>>,
}

impl Address {
    /// The reason why others could read what is sent, if they could.
    pub(crate) fn exposure(&self) -> Option<Reason> {
        (self.endpoint.is_remote() && self.encryption == Encryption::Off).then(|| {
            Reason::mended_by(
                format!(
                    "the connection to {} is not encrypted: others on the way can read and change it",
                    self.endpoint
                ),
                "--tls-ca FILE instead of --tls off",
            )
        })
    }

    /// From the options; those of the command line precede the URL, and the URL precedes the option file. `None` without a host
    /// and a socket.
    pub(crate) fn from_options(options: &EngineOptions) -> Result<Option<Address>, Reason> {
        Address::with_environment(options, |name| env::var(name).ok())
    }

    fn with_environment(
        options: &EngineOptions,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Address>, Reason> {
        let url = options.address.as_deref().map(parse_url).transpose()?.unwrap_or_default();
        let file = options.option_file.as_deref().map(|path| read_option_file(Path::new(path)));
        let file = file.transpose()?.unwrap_or_default();
        let in_file = |name: &str| file.get(name).cloned();
        let file_socket = if url.host.is_none() { in_file("socket") } else { None };
        let endpoint = if let Some(path) = options.socket.clone().or(file_socket) {
            Endpoint::Socket(path.into())
        } else if let Some(host) = url.host.or_else(|| in_file("host")) {
            let file_port = match in_file("port") {
                Some(text) => text.parse().map_err(|_| {
                    Reason::new(format!("the option file's port is not a port: {text}"))
                })?,
                None => DEFAULT_PORT,
            };
            Endpoint::Tcp(host, url.port.unwrap_or(file_port))
        } else {
            return Ok(None);
        };
        let user = options.user.clone().or(url.user).or_else(|| in_file("user"));
        let password = variable(VARIABLE).or_else(|| in_file("password")).map(Password);
        let in_file_of_tcp = |name: &str| match &endpoint {
            Endpoint::Socket(_) => None,
            Endpoint::Tcp(..) => in_file(name),
        };
        let authorities = options.tls_ca.clone().or_else(|| match options.tls {
            Some(TlsMode::Off) => None,
            _ => in_file_of_tcp("ssl_ca"),
        });
        let encryption = Encryption::of(&endpoint, options.tls, authorities.map(PathBuf::from))?;
        let server_key =
            options.server_key.clone().or_else(|| in_file_of_tcp("server_public_key_path"));
        let server_key = server_key.map(|path| {
            let key = fs::read(&path);
            key.map_err(|e| Reason::new(format!("the server's key {path} cannot be read: {e}")))
        });
        Ok(Some(Address {
            encryption,
            server_key: server_key.transpose()?,
            endpoint,
            user: user.or_else(|| variable("USER")).unwrap_or_else(|| "root".into()),
            password: password.unwrap_or_default(),
            database: options.database.clone().or(url.database).or_else(|| in_file("database")),
        }))
    }
}

/// The parts of `mysql://user@host:port/database`.
#[derive(Debug, Default)]
struct Url {
    user: Option<String>,
    host: Option<String>,
    port: Option<u16>,
    database: Option<String>,
}

/// Refuses passwords and options, in which drivers accept passwords. Errors do not repeat the text.
fn parse_url(text: &str) -> Result<Url, Reason> {
    let bad = |what: &str| {
        Reason::mended_by(format!("the address {what}"), "name mysql://user@host:port/database")
    };
    if text.contains('?') {
        return Err(bad("has options after a '?', which are not supported"));
    }
    let unknown = || bad("is not mysql://user@host:port/database");
    let rest = text.strip_prefix("mysql://").ok_or_else(unknown)?;
    let (server, database) =
        rest.split_once('/').map_or((rest, ""), |(server, name)| (server, name));
    let (user, place) = match server.rsplit_once('@') {
        Some((user, place)) => (Some(user), place),
        None => (None, server),
    };
    if user.is_some_and(|user| user.contains(':')) {
        return Err(Reason::mended_by(
            "the address holds a password, which every user can read in the list of processes",
            "give it in the variable MYSQL_PWD, or in an option file of mode 0600 (--option-file)",
        ));
    }
    // An IPv6 address is in brackets.
    let (host, port) = match place.strip_prefix('[') {
        Some(inside) => {
            let (host, port) = inside.split_once(']').ok_or_else(unknown)?;
            let port = Some(port).filter(|port| !port.is_empty());
            (host, port.map(|port| port.strip_prefix(':').ok_or_else(unknown)).transpose()?)
        }
        None => place.split_once(':').map_or((place, None), |(host, port)| (host, Some(port))),
    };
    let is_name = |c: char| c.is_alphanumeric() || "-._:%".contains(c);
    if host.is_empty() || !host.chars().all(is_name) {
        return Err(unknown());
    }
    let port = port.map(|port| port.parse().map_err(|_| unknown())).transpose()?;
    let decoded = |text: &str| {
        let decoded = percent_decode_str(text).decode_utf8().map_err(|_| unknown())?;
        Ok::<_, Reason>(Some(decoded.into_owned()).filter(|text| !text.is_empty()))
    };
    Ok(Url {
        user: user.map(decoded).transpose()?.flatten(),
        host: Some(host.to_owned()),
        port: Some(port.unwrap_or(DEFAULT_PORT)),
        database: decoded(database)?,
    })
}

/// The options of a file for clients. It may hold a password, so only its owner may read it.
fn read_option_file(path: &Path) -> Result<BTreeMap<String, String>, Reason> {
    let shown = path.display();
    let cannot =
        |what: String| Reason::new(format!("the option file {shown} cannot be read: {what}"));
    let metadata = fs::metadata(path).map_err(|e| cannot(e.to_string()))?;
    let mode = metadata.mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(Reason::mended_by(
            format!("the option file {shown} may be read or written by others (mode {mode:04o})"),
            format!("chmod 600 {shown}"),
        ));
    }
    if metadata.len() > MAX_OPTION_FILE || !metadata.is_file() {
        return Err(cannot("it is not a short file".into()));
    }
    let text = fs::read_to_string(path).map_err(|e| cannot(e.to_string()))?;
    Ok(parse_option_file(&text))
}

/// The options of the groups `client` and `cpulens`; the last value of a name counts.
fn parse_option_file(text: &str) -> BTreeMap<String, String> {
    let mut in_group = false;
    let mut options = BTreeMap::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(['#', ';', '!']) {
            continue;
        }
        if let Some(group) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            in_group = matches!(group.trim(), "client" | "cpulens");
        } else if let (true, Some((name, value))) = (in_group, line.split_once('=')) {
            options.insert(name.trim().replace('-', "_"), parse_value(value.trim()));
        }
    }
    options
}

/// A value: in quotes or up to a comment, with the escapes of option files.
fn parse_value(text: &str) -> String {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let inner = match quote.and_then(|quote| text[1..].rsplit_once(quote)) {
        Some((inner, _)) => inner,
        None => text.split(" #").next().unwrap_or(text).trim_end(),
    };
    let mut value = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match (c, chars.clone().next()) {
            ('\\', Some(escape)) => {
                chars.next();
                match escape {
                    'b' => value.push('\u{8}'),
                    't' => value.push('\t'),
                    'n' => value.push('\n'),
                    'r' => value.push('\r'),
                    's' => value.push(' '),
                    '\\' | '"' | '\'' => value.push(escape),
                    other => value.extend(['\\', other]),
                }
            }
            _ => value.push(c),
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn address(options: &EngineOptions, password: Option<&str>) -> Result<Option<Address>, Reason> {
        let variable = |name: &str| password.filter(|_| name == VARIABLE).map(str::to_owned);
        Address::with_environment(options, variable)
    }
    fn url(text: &str) -> EngineOptions {
        EngineOptions { address: Some(text.into()), ..EngineOptions::default() }
    }
    fn socket(path: &str) -> EngineOptions {
        EngineOptions { socket: Some(path.into()), ..EngineOptions::default() }
    }
    fn shown(options: &EngineOptions) -> String {
        let address = address(options, None).unwrap().unwrap();
        format!("{} {} {:?}", address.user, address.endpoint, address.database)
    }

    #[test]
    fn addresses_have_parts_and_defaults() {
        assert_eq!(shown(&url("mysql://me@db:3307/x")), "me db:3307 Some(\"x\")");
        assert_eq!(shown(&url("mysql://127.0.0.1")), "root 127.0.0.1:3306 None");
        assert_eq!(shown(&url("mysql://a%40b@[::1]:1/d%3f")), "a@b [::1]:1 Some(\"d?\")");
        assert_eq!(shown(&url("mysql://[::1]")), "root [::1]:3306 None");
        assert_eq!(shown(&url("mysql://a@b@h/")), "a@b h:3306 None");
        assert_eq!(
            shown(&EngineOptions { user: Some("u".into()), ..socket("/run/s") }),
            "u /run/s None"
        );
        assert_eq!(address(&EngineOptions::default(), Some("p")).unwrap(), None);
    }

    #[test]
    fn bad_addresses_are_refused_and_not_repeated() {
        for bad in [
            "db/x",
            "mysql://me:s3cret@db/x",
            "mysql://:1/s3cret",
            "mysql://[s3cret/x",
            "mysql://h:s3cret",
            "mysql://me@h/d?password=s3cret",
            "mysql://me@h?password=s3cret",
            "mysql://",
            "mysql:///s3cret",
            "mysql://me@/s3cret",
            "mysql://[::1]s3cret/x",
            "mysql://h:99999/s3cret",
            "mysql://h:-1/s3cret",
            "mysql://a b/s3cret",
            "mysql://h/s3cret%ff",
            "postgres://h/s3cret",
        ] {
            let why = address(&url(bad), None).unwrap_err();
            assert!(why.remedy.is_some() && !format!("{why}").contains("s3cret"), "{why}");
        }
    }

    #[test]
    fn option_files_are_read_as_clients_do_if_nobody_else_can() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.cnf");
        let text = "# x\n[mysqld]\nuser=nobody\n[client]\nuser = me # I\npassword=\"a b\\\\c\"\nhost=db\nport = 3310\n";
        fs::write(&path, text).unwrap();
        let option_file = path.to_str().map(str::to_owned);
        let file = EngineOptions { option_file, ..EngineOptions::default() };
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let why = self::address(&file, None).unwrap_err();
        assert!(why.why.contains("0644") && why.remedy.unwrap().contains("chmod 600"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let address = self::address(&file, None).unwrap().unwrap();
        assert_eq!((address.user.as_str(), address.endpoint.to_string()), ("me", "db:3310".into()));
        assert_eq!(address.password.reveal(), "a b\\c");
        let other = self::address(
            &EngineOptions { address: Some("mysql://you@h".into()), ..file },
            Some("env"),
        )
        .unwrap()
        .unwrap();
        assert_eq!((other.user.as_str(), other.password.reveal()), ("you", "env"));
        assert!(read_option_file(Path::new("/no/such/file")).is_err());
    }

    #[test]
    fn remote_servers_are_verified_unless_told_otherwise() {
        let of = |text: &str, tls: Option<TlsMode>, tls_ca: Option<&str>| {
            let tls_ca = tls_ca.map(str::to_owned);
            let address = address(&EngineOptions { tls, tls_ca, ..url(text) }, None)?.unwrap();
            Ok::<_, Reason>((address.encryption.clone(), address.exposure().is_some()))
        };
        let remote = ["mysql://db/d", "mysql://192.0.2.1/d", "mysql://[2001:db8::1]/d"];
        let near = ["mysql://localhost/d", "mysql://127.0.0.2/d", "mysql://[::1]/d"];
        let verified =
            |ca: Option<&str>| Encryption::VerifyIdentity { authorities: ca.map(PathBuf::from) };
        for far in remote.into_iter().chain(["mysql://localhost.example/d"]) {
            assert_eq!(of(far, None, None), Ok((verified(None), false)), "{far}");
            assert_eq!(of(far, Some(TlsMode::Off), None), Ok((Encryption::Off, true)), "{far}");
        }
        for near in near {
            assert_eq!(of(near, None, None), Ok((Encryption::Off, false)), "{near}");
            let on = Some(TlsMode::VerifyIdentity);
            assert_eq!(of(near, on, None), Ok((verified(None), false)), "{near}");
        }
        for near in [near[0], remote[0]] {
            assert_eq!(of(near, None, Some("/ca")), Ok((verified(Some("/ca")), false)));
            let any_name = Encryption::VerifyCa { authorities: "/ca".into() };
            assert_eq!(of(near, Some(TlsMode::VerifyCa), Some("/ca")), Ok((any_name, false)));
            assert!(of(near, Some(TlsMode::Off), Some("/ca")).unwrap_err().remedy.is_some());
            let without = of(near, Some(TlsMode::VerifyCa), None).unwrap_err();
            assert!(without.remedy.unwrap().contains("--tls-ca"));
        }
        let socket = EngineOptions { tls_ca: Some("/ca".into()), ..socket("/s") };
        assert!(address(&socket, None).unwrap_err().why.contains("TLS is for TCP"));
        let missing = EngineOptions { server_key: Some("/no/key".into()), ..url(remote[0]) };
        assert!(address(&missing, None).unwrap_err().why.contains("/no/key cannot be read"));
    }

    #[test]
    fn a_password_is_never_printed() {
        let address = super::tests::address(&socket("/s"), Some("s3cret")).unwrap().unwrap();
        assert_eq!(address.password.reveal(), "s3cret");
        assert!(!format!("{address:?}").contains("s3cret"));
        assert!(!address.password.is_empty());
    }
}
