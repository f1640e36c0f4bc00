//! A MariaDB or MySQL server that is started for the case and stopped after it: the installed program with a data directory, a
//! configuration and a Unix socket of its own, on the case's CPUs and NUMA nodes.
use crate::{
    engine::{Engine, Instance, OpenOptions},
    mysql::instance::MysqlInstance,
    server::{check_names, managed::ManagedServer, program::ServerProgram},
};
use record::Reason;
use std::{path::Path, sync::Arc};

/// A server that is started here.
#[derive(Debug)]
pub struct Mariadb;

pub(crate) static ENGINE: Mariadb = Mariadb;

fn program(options: &OpenOptions<'_>) -> Result<ServerProgram, Reason> {
    ServerProgram::find(options.options.server.as_deref())
}

impl Engine for Mariadb {
    fn starts_servers(&self) -> bool {
        true
    }
    fn options(&self, workload: &str) -> &'static [&'static str] {
        match workload {
            "point_select" => &["server", "durable", "transport", "wait", "protocol"],
            _ => &["server", "durable", "transport", "wait", "begin", "isolation"],
        }
    }
    fn unavailable(&self, options: &OpenOptions<'_>) -> Option<Reason> {
        let found = program(options).and_then(|server| check_names(&options.folder, Some(&server)));
        found.err()
    }
    fn check_folder(&self, folder: &Path) -> Result<(), Reason> {
        check_names(folder, None)
    }
    fn open(&self, options: &OpenOptions<'_>) -> Result<Box<dyn Instance>, Reason> {
        let (server, address) = ManagedServer::start(&program(options)?, options)?;
        Ok(Box::new(MysqlInstance::new(address, Some(Arc::new(server)), options)?))
    }
}
