//! Double-precision Whetstone as UnixBench runs it: floating point and the functions of libm.
//!
//! Method: Longbottom's eight loops in C, compiled by gcc -O3 -ffast-math; a first part finds out how often all loops fit the time, then
//! they run so often, each timed by itself. Millions of Whetstone instructions per second of the loops' time.
//! Limits: libm decides two of the loops, so versions of glibc differ. Nine tenths of the first loop are not timed, as in the original.
//! Source: H. Curnow and B. Wichmann, Computer Journal 19 (1976) 1; R. Longbottom's C version; UnixBench test whetstone-double.
use workloads::unixbench::{Work, probe};

probe!(360, "UnixBench: Whetstone", Work::Whetstone);
