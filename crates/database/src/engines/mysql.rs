//! A MySQL 5.7 or later, or MariaDB 10.2 or later, that runs already: `mysql://user@host:port/database`, or its Unix socket.
//! Nothing of its configuration is changed, and it stays when we go. The password comes from the variable MYSQL_PWD or from an
//! option file of mode 0600.
use crate::{
    engine::{Engine, Running, Wanted},
    mysql::{
        address::Address,
        running::{Open, manner},
    },
};
use record::Reason;

/// A server of others.
#[derive(Debug)]
pub struct Mysql;

impl Engine for Mysql {
    fn title(&self) -> &'static str {
        "a MySQL or MariaDB server that runs already"
    }
    fn modes(&self, _workload: &str) -> &'static [&'static str] {
        &["shared"]
    }
    fn options(&self, workload: &str) -> &'static [&'static str] {
        match workload {
            "point_select" => {
                &["address", "socket", "option_file", "user", "database", "wait", "protocol"]
            }
            _ => &[
                "address",
                "socket",
                "option_file",
                "user",
                "database",
                "wait",
                "begin",
                "isolation",
            ],
        }
    }
    fn lacks(&self, wanted: &Wanted<'_>) -> Option<Reason> {
        address(wanted).and_then(|_| manner(wanted)).err()
    }
    fn open(&self, wanted: &Wanted<'_>) -> Result<Box<dyn Running>, Reason> {
        let open = Open::new(address(wanted)?, manner(wanted)?, None, wanted.workload);
        Ok(Box::new(open?))
    }
}

fn address(wanted: &Wanted<'_>) -> Result<Address, Reason> {
    let how = "say mysql://user@host:port/database, the server's --socket, or an --option-file";
    let none = || Reason::mended_by("it was not said which server to ask", how);
    let address = Address::of(wanted.options)?.ok_or_else(none)?;
    if address.database.is_none() {
        return Err(Reason::mended_by(
            "it was not said which database of the server to use",
            "name one that may be filled: mysql://user@host:port/database, or --database",
        ));
    }
    Ok(address)
}
