//! A MariaDB or MySQL server that is started for the case and stopped after it: the one that is found on the machine, with a
//! data directory, a configuration and a Unix socket of its own, on the CPUs and the NUMA nodes of the case.
use crate::{
    engine::{Engine, Running, Wanted},
    mysql::{
        address::{Address, Place, Secret},
        running::{Open, manner},
    },
    server::{managed::Managed, program::Server, transport},
};
use record::Reason;
use std::sync::Arc;

/// A server of ours.
#[derive(Debug)]
pub struct Mariadb;

impl Engine for Mariadb {
    fn title(&self) -> &'static str {
        "MariaDB or MySQL, started for the purpose"
    }
    fn modes(&self, _workload: &str) -> &'static [&'static str] {
        &["shared"]
    }
    fn starts_servers(&self) -> bool {
        true
    }
    fn options(&self, workload: &str) -> &'static [&'static str] {
        match workload {
            "point_select" => &["server", "durable", "transport", "wait", "protocol"],
            _ => &["server", "durable", "transport", "wait", "begin", "isolation"],
        }
    }
    fn lacks(&self, wanted: &Wanted<'_>) -> Option<Reason> {
        let known = Server::found(wanted.options.get("server").map(String::as_str));
        known.and_then(|_| manner(wanted)).and_then(|_| transport(wanted.options)).err()
    }
    fn open(&self, wanted: &Wanted<'_>) -> Result<Box<dyn Running>, Reason> {
        let manner = manner(wanted)?;
        let server = Server::found(wanted.options.get("server").map(String::as_str))?;
        let (managed, login) = Managed::start(&server, wanted)?;
        let address = Address {
            place: match login.port {
                Some(port) => Place::Tcp("127.0.0.1".into(), port),
                None => Place::Socket(login.socket),
            },
            user: login.user,
            password: Secret::new(login.password),
            database: Some(login.database),
        };
        Ok(Box::new(Open::new(address, manner, Some(Arc::new(managed)), wanted.workload)?))
    }
}
