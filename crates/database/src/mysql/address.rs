//! Where a server listens and who asks: from a URL without a password, a socket, or an option file as the server's own clients
//! read it. A password comes from the environment or from that file, and leaves this module only to the driver.
//! Source: "Using Option Files" of the MySQL manual; the variable MYSQL_PWD.
use record::Reason;
use std::{
    collections::BTreeMap,
    env, fmt, fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// The variable that MySQL's clients take a password from.
const VARIABLE: &str = "MYSQL_PWD";
/// The port of MySQL.
const PORT: u16 = 3306;
/// Bytes of the longest option file that is read.
const LONGEST: u64 = 1 << 20;

/// A password: it prints as stars.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }
    /// For the driver alone.
    pub(super) fn told(&self) -> &str {
        &self.0
    }
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Where a server listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// A Unix socket.
    Socket(PathBuf),
    /// A host and its port.
    Tcp(String, u16),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Socket(path) => write!(f, "{}", path.display()),
            Place::Tcp(host, port) if host.contains(':') => write!(f, "[{host}]:{port}"),
            Place::Tcp(host, port) => write!(f, "{host}:{port}"),
        }
    }
}

/// Where, who, and which database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) place: Place,
    pub(crate) user: String,
    pub(crate) password: Secret,
    pub(crate) database: Option<String>,
}

impl Address {
    /// From `address`, `socket`, `user`, `database` and `option_file` of the options, in this order where they say the same;
    /// nothing at all if they name no place.
    pub(crate) fn of(options: &BTreeMap<String, String>) -> Result<Option<Address>, Reason> {
        let password = env::var(VARIABLE).ok().map(Secret);
        Address::with(options, password, |name| env::var(name).ok())
    }

    fn with(
        options: &BTreeMap<String, String>,
        password: Option<Secret>,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Address>, Reason> {
        let said = |name: &str| options.get(name).cloned();
        let url = said("address").map(|url| Url::of(&url)).transpose()?.unwrap_or_default();
        let file = said("option_file").map(|path| option_file(Path::new(&path))).transpose()?;
        let file = file.unwrap_or_default();
        let filed = |name: &str| file.get(name).cloned();
        let socket = said("socket").or(if url.host.is_none() { filed("socket") } else { None });
        let place = match (socket, url.host.or_else(|| filed("host"))) {
            (Some(path), _) => Place::Socket(path.into()),
            (None, Some(host)) => {
                let port = match (url.port, filed("port")) {
                    (Some(port), _) => port,
                    (None, Some(text)) => text.parse().map_err(|_| {
                        Reason::new(format!("the option file's port is none: {text}"))
                    })?,
                    (None, None) => PORT,
                };
                Place::Tcp(host, port)
            }
            (None, None) => return Ok(None),
        };
        Ok(Some(Address {
            place,
            user: said("user")
                .or(url.user)
                .or_else(|| filed("user"))
                .or_else(|| environment("USER"))
                .unwrap_or_else(|| "root".into()),
            password: password.or_else(|| filed("password").map(Secret)).unwrap_or_default(),
            database: said("database").or(url.database).or_else(|| filed("database")),
        }))
    }
}

/// The parts of `mysql://user@host:port/database`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Url {
    user: Option<String>,
    host: Option<String>,
    port: Option<u16>,
    database: Option<String>,
}

impl Url {
    fn of(text: &str) -> Result<Url, Reason> {
        let form = "say mysql://user@host:port/database";
        // Not what was typed: it may hold a password.
        let bad = |what: &str| Reason::mended_by(format!("the address {what}"), form);
        let rest =
            text.strip_prefix("mysql://").ok_or_else(|| bad("does not begin with mysql://"))?;
        // Drivers take passwords there.
        if rest.contains('?') {
            return Err(bad("has options after a '?', which are not taken"));
        }
        let (authority, database) = match rest.split_once('/') {
            Some((authority, database)) => (authority, Some(database)),
            None => (rest, None),
        };
        let (user, place) = match authority.rsplit_once('@') {
            Some((user, place)) => (Some(user), place),
            None => (None, authority),
        };
        if user.is_some_and(|user| user.contains(':')) {
            return Err(Reason::mended_by(
                "the address holds a password, which everybody can read in the list of processes",
                "leave it out; say it in the variable MYSQL_PWD, or in an option file of mode 0600 (--option-file)",
            ));
        }
        let (host, port) = if let Some(rest) = place.strip_prefix('[') {
            let (host, port) =
                rest.split_once(']').ok_or_else(|| bad("has a bracket without its other"))?;
            (host, port.strip_prefix(':'))
        } else {
            place.rsplit_once(':').map_or((place, None), |(host, port)| (host, Some(port)))
        };
        if host.is_empty() {
            return Err(bad("names no host"));
        }
        let port = port.map(|port| port.parse().map_err(|_| bad("has a port that is none")));
        let plain = |text: &str| unescaped(text).ok_or_else(|| bad("has a % that escapes nothing"));
        Ok(Url {
            user: user.map(plain).transpose()?,
            host: Some(host.into()),
            port: port.transpose()?,
            database: database.filter(|name| !name.is_empty()).map(plain).transpose()?,
        })
    }
}

/// Text with `%41` for `A`.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = vec![];
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let (high, low) = (digit(rest.next())?, digit(rest.next())?);
            bytes.push((high * 16 + low) as u8);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// What an option file says to clients. It may hold a password, so nobody else may be able to read it.
fn option_file(path: &Path) -> Result<BTreeMap<String, String>, Reason> {
    let shown = path.display();
    let cannot =
        |what: String| Reason::new(format!("the option file {shown} cannot be read: {what}"));
    let about = fs::metadata(path).map_err(|e| cannot(e.to_string()))?;
    if about.mode() & 0o077 != 0 {
        return Err(Reason::mended_by(
            format!(
                "the option file {shown} may be read or written by others (mode {:04o})",
                about.mode() & 0o777
            ),
            format!("chmod 600 {shown}"),
        ));
    }
    if about.len() > LONGEST || !about.is_file() {
        return Err(cannot("it is no short file".into()));
    }
    let text = fs::read_to_string(path).map_err(|e| cannot(e.to_string()))?;
    Ok(options_of(&text))
}

/// The options of the groups `client` and `cpulens`, the later of two winning.
fn options_of(text: &str) -> BTreeMap<String, String> {
    let mut ours = false;
    let mut options = BTreeMap::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(['#', ';', '!']) {
            continue;
        }
        if let Some(group) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            ours = matches!(group.trim(), "client" | "cpulens");
        } else if let (true, Some((name, value))) = (ours, line.split_once('=')) {
            options.insert(name.trim().replace('-', "_"), value_of(value.trim()));
        }
    }
    options
}

/// A value: in quotes or up to a comment, with the escapes of option files.
fn value_of(text: &str) -> String {
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

    fn of(words: &[(&str, &str)], password: Option<&str>) -> Result<Option<Address>, Reason> {
        let options = words.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
        Address::with(&options, password.map(Secret::new), |_| None)
    }
    fn shown(words: &[(&str, &str)]) -> String {
        let address = of(words, None).unwrap().unwrap();
        format!("{} {} {:?}", address.user, address.place, address.database)
    }

    #[test]
    fn addresses_have_parts_and_defaults() {
        assert_eq!(shown(&[("address", "mysql://me@db:3307/x")]), "me db:3307 Some(\"x\")");
        assert_eq!(shown(&[("address", "mysql://127.0.0.1")]), "root 127.0.0.1:3306 None");
        assert_eq!(shown(&[("address", "mysql://a%40b@[::1]:1/d%3f")]), "a@b [::1]:1 Some(\"d?\")");
        assert_eq!(shown(&[("socket", "/run/s"), ("user", "u")]), "u /run/s None");
        assert_eq!(of(&[], Some("p")).unwrap(), None);
    }

    #[test]
    fn bad_addresses_are_refused_and_not_repeated() {
        for bad in [
            "db/x",
            "mysql://me:s3cret@db/x",
            "mysql://:1/s3cret",
            "mysql://[s3cret/x",
            "mysql://h:s3cret",
            "mysql://s3cret%zz@h",
            "mysql://me@h/d?password=s3cret",
            "mysql://me@h?password=s3cret",
        ] {
            let why = of(&[("address", bad)], None).unwrap_err();
            assert!(why.remedy.is_some() && !format!("{why}").contains("s3cret"), "{why}");
        }
    }

    #[test]
    fn option_files_are_read_as_clients_do_if_nobody_else_can() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.cnf");
        let text = "# x\n[mysqld]\nuser=nobody\n[client]\nuser = me # I\npassword=\"a b\\\\c\"\nhost=db\nport = 3310\n";
        fs::write(&path, text).unwrap();
        let file = path.to_str().unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let why = of(&[("option_file", file)], None).unwrap_err();
        assert!(why.why.contains("0644") && why.remedy.unwrap().contains("chmod 600"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let address = of(&[("option_file", file)], None).unwrap().unwrap();
        assert_eq!((address.user.as_str(), address.place.to_string()), ("me", "db:3310".into()));
        assert_eq!(address.password.told(), "a b\\c");
        let other = of(&[("option_file", file), ("address", "mysql://you@h")], Some("env"))
            .unwrap()
            .unwrap();
        assert_eq!((other.user.as_str(), other.password.told()), ("you", "env"));
        assert!(of(&[("option_file", "/no/such/file")], None).is_err());
    }

    #[test]
    fn a_password_is_never_printed() {
        let address = of(&[("socket", "/s")], Some("s3cret")).unwrap().unwrap();
        assert_eq!(address.password.told(), "s3cret");
        assert!(!format!("{address:?}").contains("s3cret"));
        assert!(!address.password.is_empty());
    }
}
