//! A program that replaces itself by itself, over and over.
//!
//! Method: a small program, dynamically linked with glibc, counts itself and calls execl on its own file until the time
//! is over: the cost of mapping a program, its loader and libc, and of unmapping them.
//! Limits: in a virtual machine every CPUID of the loader is a VM exit, up to a third of the time. Many copies share
//! one file's locks.
//! Source: execve(2), ld.so(8); UnixBench test execl.
use workloads::unixbench::{Work, probe};

probe!(370, "UnixBench: Execl Throughput", Work::Execl);
