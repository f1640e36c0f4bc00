//! Databases: published results of a server beside ours on as many cores. Servers, tables and clients always differ, so no row
//! has a verdict; an embedded engine is no server.
use crate::equivalent::{
    Differs, Equivalent, Match,
    row::{At, ROW, form, refused, unclaimed},
};
use Match::{Any, CoresOf, One};
use record::{Metric, ProbeId};

const fn point_select(cores: At, ours: At, differs: Option<Differs>) -> Equivalent {
    Equivalent {
        what: "point selects",
        theirs: form(&[ProbeId::Sysbench], Metric::Queries, cores),
        ours: form(&[ProbeId::PointSelect], Metric::Throughput, ours),
        differs,
        command: "cpulens db point-select --engine mariadb",
        version: 3,
        ..ROW
    }
}

const fn tpcc(cores: At, ours: At, differs: Option<Differs>) -> Equivalent {
    Equivalent {
        what: "new orders of a TPC-C-like load",
        theirs: form(&[ProbeId::Tpcc], Metric::NewOrders, cores),
        ours: form(&[ProbeId::Tpcc], Metric::Throughput, ours),
        differs,
        command: "cpulens db tpcc --engine mariadb",
        version: 3,
        ..ROW
    }
}

const ON_CORES: (&str, Match) = ("placement", One(&["physical cores"]));
const ON_A_PAIR: (&str, Match) = ("placement", One(&["1 SMT pair"]));
const CORES: (&str, Match) = ("cores", Any);
const OLTP: (&str, Match) = ("test", One(&["oltp"]));
const WAREHOUSES: (&str, Match) = ("warehouses", Any);
const SERVERS: (&str, Match) = ("engine", One(&["mariadb", "mysql"]));
const EMBEDDED: (&str, Match) = ("engine", One(&["sqlite"]));
/// One thread of each core, and both of one.
const EACH_CORE: (&str, Match) = ("step", CoresOf("cores", 1));
const BOTH_THREADS: (&str, Match) = ("step", CoresOf("cores", 2));

/// What was served, and how it was asked: never as theirs, whatever it is.
macro_rules! asked {
    ($($first:expr),*) => {
        &[
            $($first,)*
            ("mode", Any),
            ("rows", Any),
            ("distribution", Any),
            ("warehouses", Any),
            ("statements", Any),
            ("mix", Any),
            ("binding", Any),
            ("conditions", Any),
            ("connections", Any),
            ("address", Any),
            ("socket", Any),
            ("option_file", Any),
            ("user", Any),
            ("database", Any),
            ("wait", Any),
            ("begin", Any),
            ("protocol", Any),
            ("isolation", Any),
            ("durable", Any),
        ]
    };
}

const OTHER_SERVER: Option<Differs> = unclaimed(
    "server, settings, table size and clients differ",
    "the same server and client on both machines: cpulens db point-select mysql://USER@HOST/DATABASE",
);
/// tpmC is the TPC's word for results that it has audited.
const NO_TPMC: Option<Differs> = unclaimed(
    "theirs is its author's tpmC, ours is NOPM / 60; server, warehouses and clients differ, and neither is a TPC result",
    "the same server and client on both machines: cpulens db tpcc mysql://USER@HOST/DATABASE",
);
const NO_SERVER: Option<Differs> = refused(
    "ours is embedded SQLite, without connections, row locks and clients",
    "cpulens db --engine mariadb, or a server of your own: cpulens db mysql://USER@HOST/DATABASE",
);

/// If two rows have the same figure, the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 8] = [
    point_select(&[OLTP, CORES, ON_CORES], asked![SERVERS, EACH_CORE], OTHER_SERVER),
    point_select(&[OLTP, CORES, ON_A_PAIR], asked![SERVERS, BOTH_THREADS], OTHER_SERVER),
    point_select(&[OLTP, CORES, ON_CORES], asked![EMBEDDED, EACH_CORE], NO_SERVER),
    point_select(&[OLTP, CORES, ON_A_PAIR], asked![EMBEDDED, BOTH_THREADS], NO_SERVER),
    tpcc(&[WAREHOUSES, CORES, ON_CORES], asked![SERVERS, EACH_CORE], NO_TPMC),
    tpcc(&[WAREHOUSES, CORES, ON_A_PAIR], asked![SERVERS, BOTH_THREADS], NO_TPMC),
    tpcc(&[WAREHOUSES, CORES, ON_CORES], asked![EMBEDDED, EACH_CORE], NO_SERVER),
    tpcc(&[WAREHOUSES, CORES, ON_A_PAIR], asked![EMBEDDED, BOTH_THREADS], NO_SERVER),
];
