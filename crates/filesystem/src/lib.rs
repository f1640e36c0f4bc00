//! Files and folders by their names: opened, made and replaced so that no other user leads root elsewhere; locks, and what a
//! filesystem allows. Linux only.

pub mod directory;
pub mod file_lock;
pub mod folders;
pub mod regular;
