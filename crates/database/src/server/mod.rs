//! A database server that we start: its program is found, set up in a folder of its own, started on the wanted CPUs, and stopped.
mod config;
pub(crate) mod managed;
pub(crate) mod program;
mod server_folder;
mod setup;
pub(crate) use setup::check_names;
