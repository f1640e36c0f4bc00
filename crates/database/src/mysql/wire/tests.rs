//! Responses as the protocol's documentation has them, cut into pieces, cut short, and garbled.
use super::*;
use crate::session::Value;
use mysql_common::constants::{ColumnType, Command};

/// A packet with its header.
fn packet(number: u8, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_le_bytes();
    [&length[..3], &[number], payload].concat()
}
fn string(text: &str) -> Vec<u8> {
    [&[text.len() as u8], text.as_bytes()].concat()
}
fn column(kind: u8, flags: u16) -> Vec<u8> {
    let names: Vec<u8> = ["def", "d", "t", "t", "c", "c"].iter().flat_map(|n| string(n)).collect();
    let [low, high] = flags.to_le_bytes();
    [&names[..], &[12, 45, 0, 255, 0, 0, 0, kind, low, high, 0, 0, 0]].concat()
}
const END: [u8; 5] = [0xfe, 0, 0, 2, 0];

/// Decodes bytes that arrive in pieces of that size: rows as text, and the end.
fn read(bytes: &[u8], piece: usize) -> (Vec<String>, String) {
    let (mut buffer, mut response) = (ReceiveBuffer::new(), Response::new(true));
    let mut rows = vec![];
    let mut rest = bytes;
    loop {
        match buffer.packet() {
            Err(broken) => return (rows, broken.0.into()),
            Ok(None) if rest.is_empty() => return (rows, "more".into()),
            Ok(None) => {
                let some = piece.min(rest.len());
                buffer.free().unwrap()[..some].copy_from_slice(&rest[..some]);
                buffer.received(some);
                rest = &rest[some..];
            }
            Ok(Some(payload)) => match response.packet(payload) {
                Err(broken) => return (rows, broken.0.into()),
                Ok(ResponseStep::Continue) => {}
                Ok(ResponseStep::Row(row)) => {
                    let each = read_row(row, response.columns(), &mut |values| {
                        rows.push(format!("{values:?}"))
                    });
                    if let Err(broken) = each {
                        return (rows, broken.0.into());
                    }
                }
                Ok(step) => return (rows, format!("{step:?}")),
            },
        }
    }
}

/// A row of a decimal, a date and time, a NULL, an unsigned and a negative number, and a text.
fn rows() -> Vec<u8> {
    let kinds = [
        (ColumnType::MYSQL_TYPE_NEWDECIMAL as u8, 0),
        (ColumnType::MYSQL_TYPE_DATETIME as u8, 0),
        (ColumnType::MYSQL_TYPE_VAR_STRING as u8, 0),
        (ColumnType::MYSQL_TYPE_LONG as u8, 32),
        (ColumnType::MYSQL_TYPE_LONGLONG as u8, 0),
        (254, 0),
    ];
    let mut bytes = packet(1, &[kinds.len() as u8]);
    let mut number = 2;
    for (kind, flags) in kinds {
        bytes.extend(packet(number, &column(kind, flags)));
        number += 1;
    }
    bytes.extend(packet(number, &END));
    let row = [
        &[0, 0b1_0000][..],
        &string("-12.50"),
        &[7, 0xea, 0x07, 11, 22, 3, 40, 5],
        &u32::MAX.to_le_bytes(),
        &(-2i64).to_le_bytes(),
        &string("hello"),
    ]
    .concat();
    bytes.extend(packet(number + 1, &row));
    bytes.extend(packet(number + 2, &END));
    bytes
}

#[test]
fn rows_are_parsed_at_any_split() {
    let bytes = rows();
    for piece in 1..bytes.len() {
        let (rows, end) = read(&bytes, piece);
        let expected = "[Real(-12.5), Text(\"2026-11-22 03:40:05\"), Null, Int(4294967295), Int(-2), Text(\"hello\")]";
        assert_eq!((rows, end), (vec![expected.to_owned()], "Done(0)".to_owned()), "{piece}");
    }
}

#[test]
fn short_responses_wait_for_more_and_garbled_ones_are_refused_or_read() {
    let bytes = rows();
    for end in 0..bytes.len() {
        assert_eq!(read(&bytes[..end], 4096).1, "more", "{end}");
    }
    for at in 0..bytes.len() {
        for value in [0, 1, 0xfb, 0xfc, 0xfd, 0xfe, 0xff] {
            let mut garbled = bytes.clone();
            garbled[at] = value;
            let (_, end) = read(&garbled, 4096);
            assert!(!end.is_empty());
        }
    }
}

#[test]
fn a_procedure_has_several_results() {
    let mut bytes = packet(1, &[1]);
    bytes.extend(packet(2, &column(ColumnType::MYSQL_TYPE_LONGLONG as u8, 0)));
    bytes.extend(packet(3, &[0xfe, 0, 0, 0x0a, 0]));
    bytes.extend(packet(4, &[&[0, 0][..], &7i64.to_le_bytes()].concat()));
    bytes.extend(packet(5, &[0xfe, 0, 0, 0x0a, 0]));
    assert_eq!(read(&bytes, 4096).1, "more", "a further result was announced");
    bytes.extend(packet(6, &[0, 3, 0, 2, 0, 0, 0]));
    assert_eq!(read(&bytes, 4096), (vec!["[Int(7)]".into()], "Done(3)".into()));
}

#[test]
fn errors_have_a_code_and_a_message() {
    let mut bytes = packet(1, b"\xff\xbd\x04#40001Deadlock found");
    assert!(read(&bytes, 4096).1.starts_with("Refused(1213, [68, 101"), "{:?}", read(&bytes, 4096));
    bytes = packet(1, &[0xff, 0x10]);
    assert_eq!(read(&bytes, 4096).1, "a packet ends before its last field");
}

#[test]
fn lines_are_sent_once_and_only_for_load_data() {
    let mut response = Response::new(true);
    response.begin();
    response.begin_lines();
    assert_eq!(response.packet(b"\xfbrows").unwrap(), ResponseStep::LinesRequested);
    assert!(response.packet(b"\xfbrows").is_err(), "they were sent");
    assert_eq!(response.packet(&[0, 3, 0, 2, 0, 1, 0]).unwrap(), ResponseStep::Done(3));
    assert_eq!(response.warnings(), 1);
    response.begin();
    assert_eq!(response.warnings(), 0);
    assert!(response.packet(b"\xfbrows").is_err(), "the command has none");
    let mut out = vec![];
    raw(&mut out, 7, b"1\tx\n").unwrap();
    assert_eq!(out, b"\x04\0\0\x071\tx\n");
    raw(&mut out, 8, b"").unwrap();
    assert_eq!(out, [0, 0, 0, 8]);
    let mut buffer = ReceiveBuffer::new();
    buffer.expect_packet(9);
    let bytes = packet(9, &[0, 0, 0, 2, 0, 0, 0]);
    buffer.free().unwrap()[..bytes.len()].copy_from_slice(&bytes);
    buffer.received(bytes.len());
    assert_eq!(buffer.packet().unwrap().unwrap().len(), 7);
}

#[test]
fn hostile_responses_are_refused_before_they_cost_memory() {
    let refused = |bytes: &[u8]| read(bytes, 4096).1;
    assert_eq!(refused(&[0, 0, 0x20, 1]), "a larger packet than any query has");
    assert_eq!(refused(&packet(2, &[0, 0, 0, 2, 0])), "packets out of order");
    assert_eq!(refused(&packet(1, b"\xfb/etc/passwd")), "a request for a local file");
    assert_eq!(refused(&packet(1, &[])), "an empty packet");
    let many = packet(1, &[0xfe, 255, 255, 255, 255, 255, 255, 255, 127]);
    assert_eq!(refused(&many), "more columns than a table has");
    assert_eq!(refused(&packet(1, &[0])), "a packet ends before its last field");
    let early = [packet(1, &[2]), packet(2, &column(8, 0)), packet(3, &END)].concat();
    assert_eq!(refused(&early), "columns without an end");
    let long = [packet(1, &[1]), packet(2, &column(253, 0)), packet(3, &END)].concat();
    let text = |bytes: &[u8]| refused(&[&long[..], &packet(4, bytes)].concat());
    assert_eq!(
        text(&[0, 0, 0xfe, 255, 255, 255, 255, 255, 255, 255, 255]),
        "a packet ends before its last field"
    );
    assert_eq!(text(&[0, 0, 2, 0xff, 0xfe]), "a text that is not UTF-8");
    assert_eq!(text(&[0, 0, 1, b'a', b'b']), "a row longer than its columns");
}

#[test]
fn preparations_end_after_their_definitions() {
    let end = |parameters: u8, columns: u8| {
        let mut response = Response::new(true);
        response.begin_preparation();
        let first = [0, 9, 0, 0, 0, columns, 0, parameters, 0, 0, 0, 0];
        let mut step = response.packet(&first).unwrap();
        let mut taken = 1;
        let definition = column(8, 0);
        while step == ResponseStep::Continue {
            step = response.packet(&definition).unwrap();
            taken += 1;
        }
        assert_eq!(step, ResponseStep::Prepared(9, parameters.into()));
        assert_eq!(response.columns().len(), usize::from(columns));
        taken
    };
    assert_eq!((end(0, 0), end(1, 0), end(0, 2), end(2, 3)), (1, 3, 4, 8));
    let mut response = Response::new(false);
    response.begin_preparation();
    assert_eq!(response.packet(b"\xff\x28\x04x").unwrap(), ResponseStep::Refused(1064, b"x"));
}

#[test]
fn definitions_of_the_preparation_may_be_left_out() {
    let mut response = Response::new(true);
    response.begin_preparation();
    for payload in [&[0, 9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0][..], &column(8, 0), &END] {
        response.packet(payload).unwrap();
    }
    let known = response.columns().to_vec();
    response.begin();
    response.expect_columns(&known);
    let row = [&[0, 0][..], &7i64.to_le_bytes()].concat();
    assert_eq!(
        response.packet(&[1, 0]).unwrap(),
        ResponseStep::Continue,
        "one column, not described"
    );
    assert_eq!(response.packet(&END).unwrap(), ResponseStep::Continue);
    assert_eq!(response.packet(&row).unwrap(), ResponseStep::Row(&row));
    assert_eq!(response.packet(&END).unwrap(), ResponseStep::Done(0));
    assert_eq!((response.columns(), response.new_columns()), (&known[..], None));
    response.begin();
    for payload in [&[1, 1][..], &column(253, 0), &END, &END] {
        response.packet(payload).unwrap();
    }
    assert_eq!(response.new_columns().unwrap(), response.columns(), "it is of another type now");
    response.begin();
    assert!(response.packet(&[2, 0]).is_err(), "two were never described");
}

#[test]
fn a_point_select_is_as_long_as_that_of_sysbench() {
    let mut out = vec![];
    let mut statement = Prepared::new(1, 1, &[]);
    execute(&mut out, &mut statement, &[Value::Int(5)]).unwrap();
    assert_eq!((out.len(), out[3]), (26, 0), "types are sent once");
    execute(&mut out, &mut statement, &[Value::Int(6)]).unwrap();
    let expected = [20, 0, 0, 0, 0x17, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(out, expected);
    execute(&mut out, &mut statement, &[Value::Null]).unwrap();
    assert_eq!(&out[14..], [1, 0], "a NULL has no type and no value");
    execute(&mut out, &mut statement, &[Value::Text("ab")]).unwrap();
    assert_eq!(&out[14..], [0, 1, ColumnType::MYSQL_TYPE_VAR_STRING as u8, 0, 2, b'a', b'b']);
    let long = "x".repeat(300);
    execute(&mut out, &mut statement, &[Value::Text(&long)]).unwrap();
    assert_eq!(&out[14..19], [0, 0, 0xfc, 44, 1]);
    let huge = "x".repeat(LARGEST_COMMAND + 1);
    assert!(command(&mut out, Command::COM_QUERY, huge.as_bytes()).is_none());
}

#[test]
fn the_first_text_of_a_row_is_found_in_both_forms() {
    assert_eq!(first_text(&[0, 0, 2, b'a', b'b'], true).unwrap(), Some("ab"));
    assert_eq!(first_text(&[0, 4], true).unwrap(), None);
    assert_eq!(first_text(&[2, b'a', b'b'], false).unwrap(), Some("ab"));
    assert_eq!(first_text(&[0xfb], false).unwrap(), None);
    assert!(first_text(&[], true).is_err());
}

#[test]
fn random_bytes_do_no_harm() {
    let mut state = 1u64;
    for length in 0..3000 {
        let bytes: Vec<u8> = (0..length % 200)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let byte = (state >> 56) as u8;
                if byte < 128 { byte % 4 } else { byte }
            })
            .collect();
        fuzz(&bytes, length % 2 == 0);
    }
}

fn greeting_packet(low: u16, high: u16, length: u8, rest: &[u8]) -> Vec<u8> {
    let (low, high) = (low.to_le_bytes(), high.to_le_bytes());
    let parts: [&[u8]; 9] = [
        b"\x0a11.4.2-MariaDB\0",
        &[1, 0, 0, 0],
        b"abcdefgh\0",
        &low,
        &[45, 2, 0],
        &high,
        &[length, 0, 0, 0, 0, 0, 0],
        &[4, 0, 0, 0],
        rest,
    ];
    parts.concat()
}

#[test]
fn greetings_are_parsed_and_cut_ones_refused() {
    let rest = b"ijklmnopqrst\0caching_sha2_password\0";
    let bytes = greeting_packet(0xfffe, 0x81bf, 21, rest);
    let parsed = greeting(&bytes).unwrap().unwrap();
    assert_eq!(&parsed.nonce, b"abcdefghijklmnopqrst");
    assert_eq!(parsed.plugin, b"caching_sha2_password");
    assert_eq!(parsed.mariadb.bits(), 4);
    let mysql = greeting(&greeting_packet(0xffff, 0x81bf, 21, rest)).unwrap().unwrap();
    assert_eq!(mysql.mariadb.bits(), 0, "they are reserved bytes of a MySQL");
    let end = bytes.len() - rest.len() + 13;
    for cut in 0..end {
        assert!(greeting(&bytes[..cut]).is_err(), "{cut}");
    }
    assert!(greeting(&greeting_packet(0xfffe, 0x81bf, 0x80, rest)).is_err(), "a longer nonce");
    assert!(greeting(&greeting_packet(0, 0, 21, rest)).is_err(), "a server before 4.1");
    assert_eq!(greeting(b"\xff\x69\x04blocked"), Ok(Err((1129, &b"blocked"[..]))));
}

#[test]
fn steps_of_a_login_are_parsed() {
    assert_eq!(login_step(&[0, 0, 0]), Ok(LoginStep::Accepted));
    assert_eq!(login_step(&[1, 4]), Ok(LoginStep::More(&[4])));
    assert_eq!(login_step(&[0xfe]), Ok(LoginStep::Switch(b"mysql_old_password", b"")));
    assert_eq!(login_step(b"\xfex\0ab\0"), Ok(LoginStep::Switch(b"x", b"ab")));
    assert_eq!(login_step(b"\xfex"), Ok(LoginStep::Switch(b"x", b"")));
    assert_eq!(login_step(b"\xff\x15\x04#28000No"), Ok(LoginStep::Refused(1045, b"No")));
    assert!(login_step(&[]).is_err() && login_step(&[7]).is_err());
}

#[test]
fn a_login_is_written() {
    use mysql_common::constants::{CapabilityFlags, MariadbCapabilities};
    let mut packet = vec![];
    let of = |user, answer, database| Login {
        capabilities: CapabilityFlags::CLIENT_PROTOCOL_41 | CapabilityFlags::CLIENT_PLUGIN_AUTH,
        mariadb: MariadbCapabilities::MARIADB_CLIENT_CACHE_METADATA,
        user,
        answer,
        database,
        plugin: b"p",
    };
    login(&mut packet, 3, &of("me", b"ab", Some("d"))).unwrap();
    assert_eq!(packet[..4], [42, 0, 0, 3]);
    assert_eq!(packet[4..8], (0x0200u32 | 0x0008_0000).to_le_bytes());
    assert_eq!(packet[13..36][..19], [0; 19]);
    assert_eq!(packet[36..], *b"me\0\x02abd\0p\0".as_slice());
    tls_request(&mut packet, 1, &of("me", b"", None)).unwrap();
    assert_eq!((packet.len(), packet[3]), (36, 1));
    assert_eq!(login(&mut packet, 1, &of("m\0e", b"", None)), None);
    assert_eq!(login(&mut packet, 1, &of("me", &[0; 300], None)), None);
}

#[test]
fn texts_of_a_row_are_read() {
    let pair = |bytes: &[u8]| pair_of_texts(bytes).map(|(a, b)| format!("{a}|{b}"));
    assert_eq!(pair(b"\x01a\x02bc\x01d"), Ok("a|bc".into()));
    assert_eq!(pair(b"\xfb\x01b"), Ok("|b".into()));
    assert_eq!(pair(b"\x01a"), Ok("a|".into()));
    assert!(pair(b"\x05a").is_err());
}
