//! Decides what to run, runs it, and records what happened.
