//! TLS to a real mariadbd, where one is installed: who is accepted, who is not, and that everything works in it.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
use database::{
    engine::{Engine, Instance, OpenOptions},
    engines::{mariadb::Mariadb, mysql::Mysql},
    options::{EngineOptions, Protocol, TlsMode, WaitMode},
};
use host::child::{Program, Supervised};
use openssl::{
    asn1::Asn1Time,
    bn::BigNum,
    hash::MessageDigest,
    pkey::{PKey, Private},
    rsa::Rsa,
    x509::{
        X509, X509Builder, X509Name,
        extension::{BasicConstraints, SubjectAlternativeName},
    },
};
use record::Reason;
use std::{
    fs,
    io::Write,
    net::{TcpListener, TcpStream},
    path::Path,
    thread,
    time::Duration,
};

fn named(name: &str) -> X509Name {
    let mut builder = X509Name::builder().unwrap();
    builder.append_entry_by_text("CN", name).unwrap();
    builder.build()
}
/// A certificate for a day, of the authority or signed by it for this address.
fn certificate(
    key: &PKey<Private>,
    authority: Option<(&X509, &PKey<Private>)>,
    address: &str,
) -> X509 {
    let mut builder = X509Builder::new().unwrap();
    builder.set_version(2).unwrap();
    let serial = BigNum::from_u32(if authority.is_some() { 2 } else { 1 }).unwrap();
    builder.set_serial_number(&serial.to_asn1_integer().unwrap()).unwrap();
    builder.set_not_before(&Asn1Time::from_unix(0).unwrap()).unwrap();
    builder.set_not_after(&Asn1Time::days_from_now(1).unwrap()).unwrap();
    builder.set_pubkey(key).unwrap();
    let own = named(if authority.is_some() { "server" } else { "authority" });
    builder.set_subject_name(&own).unwrap();
    builder.set_issuer_name(authority.map_or(&own, |(issuer, _)| issuer.subject_name())).unwrap();
    match authority {
        None => {
            let is_authority = BasicConstraints::new().critical().ca().build().unwrap();
            builder.append_extension(is_authority).unwrap();
        }
        Some((issuer, _)) => {
            let context = builder.x509v3_context(Some(issuer), None);
            let names = SubjectAlternativeName::new().ip(address).build(&context).unwrap();
            builder.append_extension(names).unwrap();
        }
    }
    builder.sign(authority.map_or(key, |(_, key)| key), MessageDigest::sha256()).unwrap();
    builder.build()
}
fn new_key() -> PKey<Private> {
    PKey::from_rsa(Rsa::generate(2048).unwrap()).unwrap()
}

fn options(folder: &Path, options: EngineOptions) -> OpenOptions<'static> {
    OpenOptions {
        workload: "point_select",
        mode: "shared",
        folder: folder.to_owned(),
        bytes: 1 << 20,
        threads: 1,
        connections: 4,
        options,
        ..OpenOptions::default()
    }
}

/// A mariadbd with TLS and an account that must use it.
struct Server {
    folder: tempfile::TempDir,
    port: u16,
    process: Option<Supervised>,
}

impl Server {
    /// `None` where none is installed.
    fn new() -> Option<Server> {
        let folder = tempfile::tempdir().unwrap();
        let plain = options(folder.path(), EngineOptions::default());
        if let Some(why) = Mariadb.unavailable(&plain) {
            let mut err = std::io::stderr();
            let _ = writeln!(err, "skipped: {why}");
            return None;
        }
        let instance = Mariadb.open(&plain).unwrap();
        let mut session = instance.session(0).unwrap();
        for sql in [
            "CREATE USER me@'127.0.0.1' IDENTIFIED BY 's3cret' REQUIRE SSL",
            "GRANT ALL ON cpulens.* TO me@'127.0.0.1'",
        ] {
            session.run(sql).unwrap();
        }
        drop(session);
        instance.close().unwrap();
        let password = folder.path().join("mine.cnf");
        fs::write(&password, "[client]\nuser=me\npassword=s3cret\n").unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(&password, mode).unwrap();
        Some(Server { folder, port: 0, process: None })
    }
    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }
    /// Starts it with this certificate.
    fn start(&mut self, key: &PKey<Private>, certificate: &X509) {
        self.process = None;
        fs::write(self.path("key.pem"), key.private_key_to_pem_pkcs8().unwrap()).unwrap();
        fs::write(self.path("cert.pem"), certificate.to_pem().unwrap()).unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        self.port = free.port();
        let words = [
            "mariadbd".to_owned(),
            "--no-defaults".into(),
            "--user=root".into(),
            format!("--datadir={}", self.path("server/data")),
            format!("--socket={}", self.path("socket")),
            format!("--port={}", self.port),
            "--bind-address=127.0.0.1".into(),
            "--skip-name-resolve".into(),
            "--local-infile=1".into(),
            format!("--ssl-key={}", self.path("key.pem")),
            format!("--ssl-cert={}", self.path("cert.pem")),
        ];
        let log = fs::File::create(self.path("log")).unwrap();
        let program = Program::new(&words).unwrap().writing_into(log);
        let mut process = Supervised::start(&program).unwrap();
        while TcpStream::connect(free).is_err() {
            let ended = process.wait(Duration::from_millis(20));
            assert_eq!(ended, None, "{}", fs::read_to_string(self.path("log")).unwrap());
            thread::sleep(Duration::from_millis(20));
        }
        self.process = Some(process);
    }
    fn open(&self, more: EngineOptions) -> Result<Box<dyn Instance>, Reason> {
        let address = Some(format!("mysql://127.0.0.1:{}/cpulens", self.port));
        let option_file = Some(self.path("mine.cnf"));
        let all = EngineOptions { address, option_file, ..more };
        Mysql.open(&options(self.folder.path(), all))
    }
    fn verified(&self, mode: TlsMode, authority: &str) -> Result<Box<dyn Instance>, Reason> {
        let (tls, tls_ca) = (Some(mode), Some(self.path(authority)));
        self.open(EngineOptions { tls, tls_ca, ..EngineOptions::default() })
    }
}

#[test]
fn servers_are_verified_and_used_in_tls() {
    let Some(mut server) = Server::new() else { return };
    let (key, other_key) = (new_key(), new_key());
    let authority = certificate(&key, None, "");
    let other = certificate(&other_key, None, "");
    fs::write(server.path("ca.pem"), authority.to_pem().unwrap()).unwrap();
    fs::write(server.path("other.pem"), other.to_pem().unwrap()).unwrap();
    fs::write(server.path("none.pem"), "nothing").unwrap();
    let own = new_key();
    server.start(&own, &certificate(&own, Some((&authority, &key)), "127.0.0.1"));

    let plain = server.open(EngineOptions::default()).err().unwrap();
    assert!(plain.why.contains("refuses me"), "the account must use TLS: {plain}");
    use TlsMode::{VerifyCa, VerifyIdentity};
    for mode in [VerifyCa, VerifyIdentity] {
        let stranger = server.verified(mode, "other.pem").err().unwrap();
        assert!(stranger.why.contains("certificate is not accepted"), "{stranger}");
        assert!(stranger.remedy.unwrap().contains("--tls-ca"));
        let none = server.verified(mode, "none.pem").err().unwrap();
        assert!(none.why.contains("no usable certificate"), "{none}");
        drop(server.verified(mode, "ca.pem").unwrap());
    }
    let rows: Vec<String> = (1..=2000).map(|id| format!("({id},'{}')", "c".repeat(250))).collect();
    for (wait, protocol, connections) in [
        (WaitMode::Poll, Protocol::Prepared, 1),
        (WaitMode::Epoll, Protocol::Text, 3),
        (WaitMode::Spin, Protocol::Prepared, 2),
    ] {
        let instance = server.open(EngineOptions {
            tls_ca: Some(server.path("ca.pem")),
            wait: Some(wait),
            protocol: Some(protocol),
            ..EngineOptions::default()
        });
        let instance = instance.unwrap();
        let tls = &instance.info().settings["tls"];
        assert!(tls.starts_with("TLSv1_"), "{tls}");
        // Half a megabyte goes to the server, and is there afterwards.
        let mut session = instance.session(0).unwrap();
        session
            .run("CREATE OR REPLACE TABLE t (id INT PRIMARY KEY, c CHAR(250) NOT NULL)")
            .unwrap();
        session.run(&format!("INSERT INTO t VALUES {}", rows.join(","))).unwrap();
        let many = session.prepare("SELECT c FROM t WHERE id <= ?").unwrap();
        let mut rows = 0;
        let ids = [database::session::Value::Int(1500)];
        session.execute(many, &ids, &mut |_| rows += 1).unwrap();
        assert_eq!(rows, 1500, "an answer of many packets and records");
        let mut lookups = instance.lookups(0, connections, "SELECT c FROM t WHERE id=?").unwrap();
        let (mut id, mut found) = (0, 0);
        for _ in 0..300 {
            let mut next = |_| {
                id += 1;
                id
            };
            lookups.exchange(&mut next, &mut |_, text| found += i64::from(text.is_some())).unwrap();
        }
        lookups.drain(&mut |_, text| found += i64::from(text.is_some())).unwrap();
        assert_eq!(found, id);
    }
    // The authority's certificate for another host.
    server.start(&own, &certificate(&own, Some((&authority, &key)), "192.0.2.1"));
    let elsewhere = server.verified(VerifyIdentity, "ca.pem").err().unwrap();
    assert!(elsewhere.why.contains("certificate is not accepted"), "{elsewhere}");
    assert!(!elsewhere.why.contains("s3cret"));
    drop(server.verified(VerifyCa, "ca.pem").unwrap());
}
