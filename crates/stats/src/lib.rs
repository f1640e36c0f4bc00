//! Numbers in, numbers out.
