//! The process at the other end of a TCP connection that does not leave this machine: the kernel's list of connections has each
//! one twice, and the inode of the other end is among a process's open files. Source: proc_pid_net(5) (`tcp`, `tcp6`),
//! proc_pid_fd(5); Linux, net/ipv4/tcp_ipv4.c (`get_tcp4_sock`).
use crate::process_stat::numbers;
use std::{
    fs,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
};

/// The process; nothing where it is on another machine or in another network namespace, has not accepted yet, or is hidden.
pub(crate) fn peer(stream: &TcpStream) -> Option<u32> {
    let (here, there) = (stream.local_addr().ok()?, stream.peer_addr().ok()?);
    let inode = ["tcp", "tcp6"].iter().find_map(|list| {
        let text = fs::read_to_string(format!("/proc/self/net/{list}")).ok()?;
        inode(&text, end(there), end(here))
    })?;
    let wanted = format!("socket:[{inode}]");
    let holds = |pid: &u32| {
        let files = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        files
            .filter_map(|file| fs::read_link(file.path()).ok())
            .any(|to| to.as_os_str() == &*wanted)
    };
    numbers("/proc").ok()?.find(holds)
}

type End = (IpAddr, u16);

/// Servers that listen on IPv6 have IPv4's connections there, too.
fn end(address: SocketAddr) -> End {
    (address.ip().to_canonical(), address.port())
}

/// The inode of the socket with these ends.
fn inode(list: &str, local: End, remote: End) -> Option<u64> {
    list.lines().find_map(|line| {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let is = |at: usize, wanted: End| words.get(at).and_then(|w| parse(w)) == Some(wanted);
        let inode = words.get(9)?.parse().ok().filter(|inode| *inode > 0);
        inode.filter(|_| is(1, local) && is(2, remote))
    })
}

/// `0100007F:0CEA`: words of four bytes as numbers of this machine, and the port.
fn parse(word: &str) -> Option<End> {
    let (address, port) = word.split_once(':')?;
    let number = |at: usize| u32::from_str_radix(address.get(at..at + 8)?, 16).ok();
    let ip = match address.len() {
        8 => IpAddr::V4(Ipv4Addr::from(number(0)?.to_ne_bytes())),
        32 => {
            let mut bytes = [0; 16];
            for (part, at) in bytes.chunks_exact_mut(4).zip((0..).step_by(8)) {
                part.copy_from_slice(&number(at)?.to_ne_bytes());
            }
            IpAddr::V6(Ipv6Addr::from(bytes)).to_canonical()
        }
        _ => return None,
    };
    Some((ip, u16::from_str_radix(port, 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn who_accepted_a_connection_is_known() {
        for address in ["127.0.0.1:0", "[::1]:0", "[::]:0"] {
            // Without IPv6 two of them are not there.
            let Ok(listener) = TcpListener::bind(address) else { continue };
            let port = listener.local_addr().unwrap().port();
            let to = if address.starts_with("[::1") { "[::1]" } else { "127.0.0.1" };
            let stream = TcpStream::connect(format!("{to}:{port}")).unwrap();
            let accepted = listener.accept().unwrap();
            assert_eq!(peer(&stream), Some(std::process::id()), "{address}");
            drop(accepted);
        }
    }

    #[test]
    fn a_line_is_read_as_the_kernel_writes_it() {
        let [local, remote] =
            ["127.0.0.1:3306", "127.0.0.1:40000"].map(|text| end(text.parse().unwrap()));
        let word = |ip: [u8; 4], port: u16| format!("{:08X}:{port:04X}", u32::from_ne_bytes(ip));
        let (ours, theirs) = (word([127, 0, 0, 1], 40000), word([127, 0, 0, 1], 3306));
        let line = |from: &str, to: &str, inode: u64| {
            format!(
                "   1: {from} {to} 01 00000000:00000000 00:00000000 00000000  1000  0 {inode} 1 0\n"
            )
        };
        let heads = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt\n";
        let list = [heads, &line(&ours, &theirs, 7), &line(&theirs, &ours, 8)].concat();
        assert_eq!(inode(&list, local, remote), Some(8));
        assert_eq!(inode(&list, remote, local), Some(7));
        assert_eq!(inode(&line(&theirs, &ours, 0), local, remote), None, "not accepted yet");
        let mapped = format!("{:08X}{:08X}{:08X}", 0, 0, u32::from_ne_bytes([0, 0, 0xff, 0xff]));
        assert_eq!(parse(&(mapped + &theirs)), Some(local));
        for wrong in ["", ":", "7F:1", "0100007F", "0100007F:zz", "éééé:1", "0100007é:1"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
