//! Builds the parts of records that several fixtures need.
use crate::example::{measured, passes};
use record::{Better, Cpu, CpuSet, Device, DeviceKind, Metric, Node, Record, Series, Unit, param};

/// Gives the machine four CPUs that may be used.
pub(crate) fn four_cpus(record: &mut Record) {
    let cpu = |id| Cpu { id, online: true, allowed: true, ..Cpu::default() };
    record.machine.topology.cpus = (0..4).map(cpu).collect();
}

/// Gives the machine nodes with these distances in its firmware: a row for each.
pub(crate) fn nodes(record: &mut Record, distances: &[&[u32]]) {
    record.machine.topology.nodes = (0..)
        .zip(distances)
        .map(|(id, d)| Node { id, bytes: Some(1 << 30), distances: d.to_vec(), ..Node::default() })
        .collect();
}

/// Gives the machine a device, of which nothing is known but its kind.
pub(crate) fn device(record: &mut Record, kind: DeviceKind) -> &mut Device {
    let device = Device {
        address: "0000:3b:00.0".into(),
        kind,
        model: "example".into(),
        names: vec![],
        driver: None,
        node: None,
        link: None,
        link_of_device: None,
        link_of_port: None,
        interrupts: CpuSet::default(),
        interrupt_cpus: CpuSet::default(),
        queues: None,
        iommu: None,
        virtual_functions: None,
    };
    record.machine.topology.devices.insert(0, device);
    &mut record.machine.topology.devices[0]
}

/// Adds latencies in nanoseconds from several CPUs to the memory of node 0, which is theirs.
pub(crate) fn sweep(record: &mut Record, nanoseconds: &[(u32, f64)]) {
    let series = nanoseconds.iter().map(|(cpu, ns)| {
        let mut s = Series::new(Metric::IdleLatency, Unit::Seconds, Better::Lower);
        s.samples = vec![ns * 1e-9];
        s.at(param::FROM, 0u32).at(param::TO, 0u32).at(param::CPU, *cpu)
    });
    measured(record, "numa_matrix", &[], series.collect());
}

/// Adds frequencies of a kind of instruction in gigahertz, by active CPUs, or by seconds with `over` = `time`.
pub(crate) fn frequencies(record: &mut Record, over: &str, class: &str, by: &[(u64, f64)]) {
    let series = by.iter().map(|(at, ghz)| {
        let mut s = Series::new(Metric::Frequency, Unit::Hertz, Better::Higher);
        s.samples = [1.0, 0.999, 1.001, 1.0, 0.9995, 1.0005, 1.0].map(|f| f * ghz * 1e9).into();
        let s = s.at(param::CLASS, class);
        match over {
            "time" => s.at(param::ACTIVE, 8u64).at(param::SECOND, *at),
            _ => s.at(param::ACTIVE, *at),
        }
    });
    measured(record, "loaded_frequency", &[("over", over)], series.collect());
}

/// Adds a test of UnixBench in the way of 6.0: its passes of ten seconds, each with this count, and the kernel's share of its time.
pub(crate) fn bench(
    record: &mut Record,
    test: &str,
    placement: &str,
    copies: u64,
    counts: &[f64],
    kernel: f64,
) {
    let params = [("variant", "upstream-6"), ("placement", placement), ("start", "serial")];
    passes(record, test, &params, copies, counts, kernel);
}
