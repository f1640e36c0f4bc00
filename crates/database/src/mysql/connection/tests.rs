//! Servers that send too much, too slowly or nothing.
use super::*;
use crate::mysql::address::{Encryption, Endpoint, Password};
use std::{
    io::{Read, Write},
    net::TcpListener,
    thread,
};

/// A server that logs everybody in, accepts one statement, and sends a byte of a result every 5 ms after that.
fn trickling_server() -> Address {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let greeting = b"\x4a\0\0\0\x0a8.0.36\0\x01\0\0\0abcdefgh\0\xff\xf7\xff\x02\0\xff\xdf\x15\0\0\0\0\0\0\0\0\0\0abcdefghijkl\0mysql_native_password\0";
        stream.write_all(greeting).unwrap();
        for sequence in [2, 1] {
            let _ = stream.read(&mut [0; 4096]).unwrap();
            stream.write_all(&[7, 0, 0, sequence, 0, 0, 0, 2, 0, 0, 0]).unwrap();
        }
        let _ = stream.read(&mut [0; 4096]).unwrap();
        // A packet of half a megabyte begins.
        let mut bytes = [0, 0, 8, 1].into_iter().chain(std::iter::repeat(1));
        while stream.write_all(&[bytes.next().unwrap_or_default()]).is_ok() {
            thread::sleep(Duration::from_millis(5));
        }
    });
    Address {
        endpoint: Endpoint::Tcp("127.0.0.1".into(), port),
        user: "me".into(),
        password: Password::default(),
        database: None,
        encryption: Encryption::Off,
        server_key: None,
    }
}

#[test]
fn an_answer_that_trickles_in_has_a_limit() {
    for limit in [Some(0.1), None] {
        let mut connection = Connection::open(&trickling_server()).unwrap();
        connection.answer_limit = limit;
        let slow = match limit {
            Some(_) => connection.query("SELECT 1", &mut |_, _| Ok(())).unwrap_err(),
            // Without a limit for the statement there is one for its answer, from the first byte on.
            None => {
                connection.send_command(Command::COM_QUERY, b"SELECT 1").unwrap();
                while connection.answer.bytes == 0 {
                    connection.receive(WaitMode::Poll).unwrap();
                }
                connection.check_answer().unwrap();
                connection.answer.since = connection.answer.since.map(|at| at - SILENCE);
                connection.finish(WaitMode::Poll, &mut |_, _| Ok(())).unwrap_err()
            }
        };
        assert!(slow.reason.why.contains("has not answered within"), "{slow}");
        assert_eq!(slow.class, ErrorClass::ConnectionLost);
        assert!(connection.run("SELECT 1").is_err(), "what follows could be anything");
    }
}

#[test]
fn old_and_unknown_versions_are_refused() {
    assert_eq!(vendor("10.11.19-MariaDB-0+deb12u1").unwrap(), "MariaDB");
    assert_eq!(vendor("5.5.5-10.4.2-MariaDB").unwrap(), "MariaDB");
    assert_eq!(vendor("8.0.36").unwrap(), "MySQL");
    assert_eq!(vendor("5.7.44-log").unwrap(), "MySQL");
    for old in ["5.6.51", "5.5.5-10.1.48-MariaDB", "10.1.48-MariaDB"] {
        assert!(vendor(old).unwrap_err().reason.why.contains("too old"), "{old}");
    }
    assert!(vendor("PostgreSQL").unwrap_err().reason.why.contains("no version"));
}
