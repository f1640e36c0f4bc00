//! Servers that violate the protocol, never stop, or ask for the password. Tests assert structure and messages, never time.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
use database::{
    engine::{Engine, OpenOptions},
    engines::mysql::Mysql,
    options::EngineOptions,
};
use openssl::rsa::{Padding, Rsa};
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    panic,
    sync::{
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc::{Receiver, channel},
    },
    thread,
    time::Duration,
};

const LOGGED_IN: [u8; 7] = [0, 0, 0, 2, 0, 0, 0];

fn open(options: EngineOptions) -> String {
    let user = Some("me".to_owned());
    let options = OpenOptions {
        workload: "point_select",
        mode: "shared",
        options: EngineOptions { user, ..options },
        ..OpenOptions::default()
    };
    Mysql.open(&options).err().unwrap().to_string()
}

/// A listener that sends these bytes to each connection: its address, and all that it receives.
fn fake_server(bytes: Vec<u8>) -> (String, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for stream in listener.incoming().take(3) {
            let mut stream = stream.unwrap();
            let _ = stream.write_all(&bytes);
            let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
            let (mut all, mut some) = (vec![], [0; 4096]);
            while let Ok(count @ 1..) = stream.read(&mut some) {
                all.extend_from_slice(&some[..count]);
            }
            if sender.send(all).is_err() {
                break;
            }
        }
    });
    (format!("mysql://me@127.0.0.1:{port}/d"), receiver)
}
fn attach(address: &str) -> String {
    open(EngineOptions { address: Some(address.to_owned()), ..EngineOptions::default() })
}
fn packet(number: u8, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_le_bytes();
    [&length[..3], &[number], payload].concat()
}
fn greeting_of(plugin: &str) -> Vec<u8> {
    let start = b"\x0a8.0.36\0\x01\0\0\0abcdefgh\0\xff\xf7\xff\x02\0\xff\xdf\x15\0\0\0\0\0\0\0\0\0\0abcdefghijkl\0";
    packet(0, &[start, plugin.as_bytes(), &[0]].concat())
}
fn greeting() -> Vec<u8> {
    greeting_of("mysql_native_password")
}

#[test]
fn other_listeners_are_reported() {
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let refused = attach(&format!("mysql://me@127.0.0.1:{unused}/d"));
    assert!(
        refused.contains("cannot be reached") && refused.contains("nothing listens there"),
        "{refused}"
    );
    let (socket, database) = (Some("/no/such/socket".into()), Some("d".into()));
    let missing = open(EngineOptions { socket, database, ..EngineOptions::default() });
    assert!(missing.contains("/no/such/socket"), "{missing}");
    static PANICS: AtomicUsize = AtomicUsize::new(0);
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        PANICS.fetch_add(1, SeqCst);
        hook(panic);
    }));
    // The length of its nonce is not that of any.
    let mut odd = greeting();
    let at = odd.windows(2).position(|pair| pair == [0xdf, 0x15]).unwrap() + 1;
    odd[at] = 0x80;
    let columns = [&[0xfe][..], &(1u64 << 62).to_le_bytes()].concat();
    let strange: Vec<Vec<u8>> = vec![
        odd,
        [greeting(), packet(2, &LOGGED_IN), packet(1, &columns)].concat(),
        [greeting(), packet(2, b"\xfemysql_clear_password\0")].concat(),
        [greeting(), packet(2, b"\xfedialog\0abc")].concat(),
        [greeting(), packet(2, b"\xfecaching_sha2_password\0\0"), packet(4, &[1, 4])].concat(),
        b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(),
        vec![],
        packet(0, &[]),
        packet(0, &[9]),
        vec![0xff; 64],
        packet(0, b"\xff\x69\x04Host is blocked"),
        [greeting(), packet(2, &[])].concat(),
        [greeting(), packet(2, &[1])].concat(),
        [greeting(), packet(2, &[0xfe])].concat(),
        [greeting(), packet(2, b"\xff\x15\x04#28000Access denied")].concat(),
        // It lets us in, and is asked for its version.
        [greeting(), packet(2, &[0, 0, 0, 2, 0, 0, 0]), packet(1, &[])].concat(),
        [greeting(), packet(2, &[0, 0, 0, 2, 0, 0, 0]), packet(1, b"\xfb/etc/passwd")].concat(),
        [greeting(), packet(2, &[0, 0, 0, 2, 0, 0, 0]), packet(1, &[1]), packet(2, &[1])].concat(),
    ];
    for bytes in strange {
        let (address, received) = fake_server(bytes.clone());
        let said = attach(&address);
        // No word of ours is about our own insides.
        let plain = ["panicked", "unwrap", "index out of"].iter().all(|word| !said.contains(word));
        assert!(said.len() > 20 && plain, "{bytes:?}: {said}");
        // It never receives a file.
        let received = received.recv_timeout(Duration::from_secs(60)).unwrap();
        assert!(!String::from_utf8_lossy(&received).contains("root:"), "{bytes:?}");
    }
    assert_eq!(PANICS.load(SeqCst), 0);
}

/// Serves one connection by `serve`; its address.
fn server_of(serve: impl FnOnce(TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || serve(listener.accept().unwrap().0));
    format!("mysql://me@127.0.0.1:{port}/d")
}
fn receive(stream: &mut TcpStream) -> Vec<u8> {
    let mut header = [0; 4];
    if stream.read_exact(&mut header).is_err() {
        return vec![];
    }
    let length = u32::from_le_bytes([header[0], header[1], header[2], 0]) as usize;
    let mut payload = vec![0; length];
    stream.read_exact(&mut payload).unwrap();
    payload
}

#[test]
fn an_endless_answer_is_not_kept() {
    let (sender, receiver) = channel();
    let address = server_of(move |mut stream| {
        let names = b"\x03def\0\0\0\x01c\0\x0c\x2d\0\xff\0\0\0";
        let column = [&names[..], &[253, 0, 0, 0, 0, 0]].concat();
        let end = [0xfe, 0, 0, 2, 0];
        let logged_in = [greeting(), packet(2, &LOGGED_IN)].concat();
        stream.write_all(&logged_in).unwrap();
        let (_login, _query) = (receive(&mut stream), receive(&mut stream));
        let start = [packet(1, &[1]), packet(2, &column), packet(3, &end)].concat();
        stream.write_all(&start).unwrap();
        let mut sent = 0u64;
        for number in (0..=255u8).cycle().skip(4) {
            let row = packet(number, &[&[0xfc, 0, 16][..], &[b'x'; 4096]].concat());
            if stream.write_all(&row).is_err() {
                break;
            }
            sent += row.len() as u64;
        }
        sender.send(sent).unwrap();
    });
    let said = attach(&address);
    assert!(said.contains("larger answer"), "{said}");
    let sent = receiver.recv_timeout(Duration::from_secs(60)).unwrap();
    assert!(sent < 64 << 20, "{sent} bytes with those in the socket");
}

/// A server, or who says to be one, asks for the password itself.
fn ask_for_the_password(server_key: Option<String>) -> (String, Vec<Vec<u8>>) {
    let (sender, receiver) = channel();
    let address = server_of(move |mut stream| {
        stream.write_all(&greeting_of("caching_sha2_password")).unwrap();
        let mut received = vec![receive(&mut stream)];
        stream.write_all(&packet(2, &[1, 4])).unwrap();
        received.push(receive(&mut stream));
        if received[1] == [2] {
            // The old way: any key is taken.
            let key = Rsa::generate(2048).unwrap().public_key_to_pem().unwrap();
            stream.write_all(&packet(4, &[&[1][..], &key].concat())).unwrap();
            received.push(receive(&mut stream));
        }
        sender.send(received).unwrap();
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.cnf");
    std::fs::write(&file, "[client]\npassword=hunter2\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&file, mode).unwrap();
    let said = open(EngineOptions {
        address: Some(address),
        option_file: file.to_str().map(str::to_owned),
        server_key,
        ..EngineOptions::default()
    });
    (said, receiver.recv_timeout(Duration::from_secs(60)).unwrap())
}

#[test]
fn a_password_goes_only_to_whoever_has_the_named_key() {
    let (said, received) = ask_for_the_password(None);
    assert_eq!(received.len(), 2, "no key was asked for");
    assert_eq!(received[1], [0; 0], "nothing was sent");
    for words in ["wants the password itself", "--tls-ca", "--server-key"] {
        assert!(said.contains(words), "{said}");
    }
    assert!(!said.contains("hunter2"));
    let key = Rsa::generate(2048).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, key.public_key_to_pem().unwrap()).unwrap();
    let (said, received) = ask_for_the_password(Some(file.path().display().to_string()));
    assert_eq!(received[1].len(), 256, "{said}");
    let mut secret = vec![0; 256];
    let length = key.private_decrypt(&received[1], &mut secret, Padding::PKCS1_OAEP).unwrap();
    let nonce = b"abcdefghabcdefghijkl".iter().cycle();
    let password: Vec<u8> = secret[..length].iter().zip(nonce).map(|(a, b)| a ^ b).collect();
    assert_eq!(password, b"hunter2\0");
    assert!(!said.contains("hunter2"));
    // What is no key is refused before anything is sent.
    std::fs::write(&file, "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n").unwrap();
    let (said, received) = ask_for_the_password(Some(file.path().display().to_string()));
    assert!(said.contains("the key does not encrypt"), "{said}");
    assert_eq!(received[1], [0; 0]);
}
