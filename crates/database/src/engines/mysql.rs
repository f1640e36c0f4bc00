//! A running MySQL 5.7 or later, or MariaDB 10.2 or later: `mysql://user@host:port/database`, or its Unix socket. Its configuration
//! stays as it is, and it keeps running. The password comes from the variable MYSQL_PWD or from an option file of mode 0600.
//! Over TCP to another host it is verified by TLS (`--tls-ca FILE`), unless `--tls off` is given (docs/adr/0037).
use crate::{
    engine::{Engine, Instance, OpenOptions},
    mysql::{address::Address, instance::MysqlInstance},
    options::EngineOptions,
};
use record::Reason;

/// A server that runs already.
#[derive(Debug)]
pub struct Mysql;

pub(crate) static ENGINE: Mysql = Mysql;

impl Engine for Mysql {
    #[rustfmt::skip]
    fn options(&self, workload: &str) -> &'static [&'static str] {
        match workload {
            "point_select" => &["address", "socket", "option_file", "user", "database", "tls", "tls_ca", "server_key", "wait", "protocol"],
            _ => &["address", "socket", "option_file", "user", "database", "tls", "tls_ca", "server_key", "wait", "begin", "isolation"],
        }
    }
    fn unavailable(&self, options: &OpenOptions<'_>) -> Option<Reason> {
        address(options).err()
    }
    fn warning(&self, options: &EngineOptions) -> Option<Reason> {
        Address::from_options(options).ok()??.exposure()
    }
    fn open(&self, options: &OpenOptions<'_>) -> Result<Box<dyn Instance>, Reason> {
        Ok(Box::new(MysqlInstance::new(address(options)?, None, options)?))
    }
}

fn address(options: &OpenOptions<'_>) -> Result<Address, Reason> {
    let none = || {
        Reason::mended_by(
            "no server was named",
            "name mysql://user@host:port/database, the server's --socket, or an --option-file",
        )
    };
    let address = Address::from_options(&options.options)?.ok_or_else(none)?;
    if address.database.is_none() {
        return Err(Reason::mended_by(
            "no database of the server was named",
            "name one that may be filled: mysql://user@host:port/database, or --database",
        ));
    }
    Ok(address)
}
