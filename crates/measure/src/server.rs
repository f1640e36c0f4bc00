//! A server that a client loads while its cores are scaled: how it shows that it is ready, which CPUs it and the client
//! have, and its end.
use crate::{options::behind, place, rate::Output};
use host::{
    child::{GroupResult, ProcessGroup, Program, cpu_seconds_of},
    clock::Clock,
};
use record::{Case, CpuSet, Machine, Reason, Value, param};
use regex_lite::Regex;
use serde::Deserialize;
use std::{
    ffi::OsString,
    net::{Ipv4Addr, TcpStream},
    path::Path,
    sync::mpsc::Receiver,
    time::Duration,
};

/// Seconds that a server may take until it is ready: databases recover their journal first.
const PATIENCE: f64 = 60.0;
/// Time between two attempts to connect to its port.
const ATTEMPTS: Duration = Duration::from_millis(20);

/// The sign that a server is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ready {
    /// Somebody listens on this TCP port of this machine.
    Port(u16),
    /// This expression matches a line that it writes.
    Text(String),
}

/// A server and its client's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its command line.
    pub words: Vec<String>,
    /// The sign that it is ready.
    pub ready: Ready,
    /// CPUs of the client; half of the cores if nothing is said.
    pub client_cpus: Option<CpuSet>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Presets {
    server: Vec<Preset>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Preset {
    program: String,
    text: Option<String>,
    #[serde(default)]
    port_options: Vec<String>,
    port: Option<u16>,
}

impl Ready {
    /// Readiness by a line of output.
    ///
    /// # Errors
    /// It is no regular expression.
    pub fn text(expression: &str) -> Result<Ready, Reason> {
        compiled(expression).map(|_| Ready::Text(expression.into()))
    }
    /// Readiness of a server whose program is known, in whichever word that stands.
    pub fn of(words: &[String]) -> Option<Ready> {
        let presets: Presets = record::from_toml(include_str!("../presets/servers.toml")).ok()?;
        let named = |word: &String, program: &str| {
            Path::new(word).file_name().is_some_and(|name| name == program)
        };
        let known = |preset: &&Preset| words.iter().any(|word| named(word, &preset.program));
        let preset = presets.server.iter().find(known)?;
        let asked = (1..).zip(words).find_map(|(next, word)| {
            let value = preset.port_options.iter().find_map(|option| behind(word, option))?;
            let number = if value.is_empty() { words.get(next)? } else { value };
            number.parse().ok()
        });
        let port = asked.or(preset.port).map(Ready::Port);
        preset.text.clone().map(Ready::Text).or(port)
    }
}

fn compiled(expression: &str) -> Result<Regex, Reason> {
    let wrong = |_| Reason::new(format!("'{expression}' is no regular expression"));
    Regex::new(expression).map_err(wrong)
}

impl Server {
    /// As parameters of a case whose client has these CPUs.
    pub fn params(&self, client: &CpuSet) -> Vec<(&'static str, Value)> {
        let words: Vec<Value> = self.words.iter().map(|w| w.clone().into()).collect();
        let ready = match &self.ready {
            Ready::Port(port) => param::READY_PORT.set(u64::from(*port)),
            Ready::Text(text) => param::READY_TEXT.set(text.clone()),
        };
        vec![param::SERVER_WORDS.set(words), param::CLIENT_CPUS.set(client.to_string()), ready]
    }
    /// Readiness that a case states, if it states one.
    ///
    /// # Errors
    /// What is said of it is no server's.
    pub fn of_case(case: &Case) -> Result<Option<Server>, Reason> {
        let Some(words) = case.get(param::SERVER_WORDS) else { return Ok(None) };
        let port = case.get(param::READY_PORT).and_then(|port| u16::try_from(port).ok());
        let ready = match (port, case.get(param::READY_TEXT)) {
            (Some(port), _) => Ready::Port(port),
            (None, Some(text)) => Ready::text(text)?,
            (None, None) => return Err(Reason::new("nothing says when the server is ready")),
        };
        let client = case.get(param::CLIENT_CPUS).unwrap_or_default().parse();
        let client = client.map_err(|e| Reason::new(format!("the client's CPUs: {e}")))?;
        let words = words.iter().map(ToString::to_string).collect();
        Ok(Some(Server { words, ready, client_cpus: Some(client) }))
    }
    /// The CPUs that the server is scaled over, and the client's, which stay the same at every point: as asked, else half of the
    /// cores with all their threads, or of the threads of one core.
    ///
    /// # Errors
    /// One of them would have none.
    pub fn split(&self, machine: &Machine, chosen: &CpuSet) -> Result<(CpuSet, CpuSet), Reason> {
        let client: CpuSet = match &self.client_cpus {
            Some(asked) => chosen.intersection(asked),
            None => {
                let cores = place::one_per_core(machine, chosen);
                let ids: Vec<u32> = if cores.len() > 1 { &cores } else { chosen }.iter().collect();
                // The first core serves more of the system's own work than others.
                let half: CpuSet = ids[..ids.len() / 2].iter().copied().collect();
                let shares = |cpu: &u32| {
                    let known = machine.topology.cpu(*cpu).filter(|_| cores.len() > 1);
                    half.contains(*cpu)
                        || known.is_some_and(|c| !c.siblings.intersection(&half).is_empty())
                };
                chosen.iter().filter(shares).collect()
            }
        };
        let server: CpuSet = chosen.iter().filter(|cpu| !client.contains(*cpu)).collect();
        if client.is_empty() || server.is_empty() {
            return Err(Reason::mended_by(
                "a server and its client need CPUs of their own, and one of them would have none",
                "two CPUs or more (--cpus), of which --client-cpus leaves some",
            ));
        }
        Ok((server, client))
    }
    /// Starts it on these CPUs, and waits until it is ready; the group ends it.
    ///
    /// # Errors
    /// It is no program, it ended, or is not ready in time; then it has been ended.
    pub(crate) fn start(
        &self,
        mut processes: ProcessGroup,
        (program, clock): (&Program, &dyn Clock),
        (lines, output): (&Receiver<Vec<u8>>, &Output),
        (timeout, cancelled): (Option<f64>, impl Fn() -> bool),
    ) -> Result<(ProcessGroup, Serving), Reason> {
        if let Ready::Port(port) = self.ready
            && listens(port)
        {
            return Err(Reason::mended_by(
                format!("another program listens on port {port} already"),
                "another port for the server, the client and --ready-port",
            ));
        }
        let text = match &self.ready {
            Ready::Text(text) => Some(compiled(text)?),
            Ready::Port(_) => None,
        };
        let pid = processes.serve(program)?;
        let (begin, patience) = (clock.now(), timeout.unwrap_or(PATIENCE).min(PATIENCE));
        let why = loop {
            let new = lines.recv_timeout(ATTEMPTS).unwrap_or_default();
            let written = text.as_ref().is_some_and(|text| {
                new.split(|b| *b == b'\n').any(|l| text.is_match(&String::from_utf8_lossy(l)))
            });
            let ready = match self.ready {
                Ready::Port(port) => listens(port),
                Ready::Text(_) => written,
            };
            if processes.has_ended(pid) {
                break "it ended before it was ready".to_owned();
            }
            if ready {
                return Ok((processes, Serving { pid, used: cpu_seconds_of(pid) }));
            }
            if cancelled() {
                break "interrupted".to_owned();
            }
            if clock.now() - begin > patience {
                break format!("it was not ready after {patience} s ({})", self.ready);
            }
        };
        // Without commands that use it the group only ends it.
        let _ = processes.run(clock, None);
        // What it wrote last is still on its way.
        while lines.recv_timeout(ATTEMPTS).is_ok() {}
        let why = format!("the server: {why}{}", wrote(output));
        let remedy = "--ready-port or --ready-text; a server that stays in the foreground";
        Err(Reason::mended_by(why, remedy))
    }
    /// Its words, in which `{cpus}` and `{count}` stand for its CPUs and their number.
    pub(crate) fn filled(&self, cpus: &CpuSet) -> Vec<OsString> {
        let known = [("cpus", cpus.to_string()), ("count", cpus.len().to_string())];
        self.words.iter().map(|word| crate::spread::filled(word.as_ref(), &known)).collect()
    }
}

impl std::fmt::Display for Ready {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ready::Port(port) => write!(f, "nobody listens on port {port}"),
            Ready::Text(text) => write!(f, "no line of its output matches '{text}'"),
        }
    }
}

fn listens(port: u16) -> bool {
    TcpStream::connect_timeout(&(Ipv4Addr::LOCALHOST, port).into(), Duration::from_secs(1)).is_ok()
}

/// A server that is ready.
#[derive(Debug)]
pub(crate) struct Serving {
    pid: u32,
    /// CPU seconds that it used until it was ready.
    used: f64,
}

impl Serving {
    /// Takes it from the commands that ended; the CPU seconds that it used for its client.
    ///
    /// # Errors
    /// It ended before the client did.
    pub(crate) fn ended(
        &self,
        done: &mut GroupResult,
        output: &Output,
    ) -> Result<Option<f64>, Reason> {
        let Some(at) = done.ended.iter().position(|e| e.pid == self.pid) else { return Ok(None) };
        let server = done.ended.remove(at);
        let client = done.ended.iter().map(|e| e.ended).fold(0.0, f64::max);
        if !done.timed_out && server.ended < client {
            let (code, said) = (server.status.code(), wrote(output));
            let why = format!("the server ended with status {code} while the client ran{said}");
            return Err(Reason::new(why));
        }
        Ok(Some((server.used.cpu_seconds - self.used).max(0.0)))
    }
}

fn wrote(output: &Output) -> String {
    output.last_line(0).map_or(String::new(), |line| format!("; it wrote: {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_read_in_all_ways_in_which_options_have_one() {
        let of = |line: &str| Ready::of(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        for way in ["-p 7", "-p7", "-vp 7", "-vvp7", "--port 7", "--port=7"] {
            let found = of(&format!("taskset -c 0 /usr/bin/memcached -t 2 {way} -U 0"));
            assert_eq!(found, Some(Ready::Port(7)), "{way}");
        }
        assert_eq!(of("memcached -t 2"), Some(Ready::Port(11211)));
        assert!(matches!(of("redis-server --port 7"), Some(Ready::Text(_))));
        assert_eq!(of("sleep 1"), None);
    }
}
