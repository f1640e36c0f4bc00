//! Nothing but the tests beside it: cargo wants a library or a program in every package.
