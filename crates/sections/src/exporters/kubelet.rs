//! kubelet: the CPU and topology managers give pods whole cores of one node; which ones is theirs to choose.
//!
//! The static policy must keep some CPUs for the system: those that the placement leaves. A pod gets CPUs of its own if its
//! requests are whole numbers and equal its limits. Source: kubernetes.io, "Control CPU Management Policies on the Node" and
//! "Control Topology Management Policies on a Node".
use crate::exporter::Exporter;
use analyse::place::Placement;
use record::Reason;

pub(crate) static EXPORTER: Exporter = Exporter {
    title: "kubelet (KubeletConfiguration) and each pod; it picks the CPUs itself",
    lines,
    #[cfg(test)]
    read_back,
};

fn lines(placement: &Placement) -> Result<Vec<String>, Reason> {
    if placement.left.is_empty() {
        return Err(Reason::mended_by(
            "the static CPU manager keeps some CPUs for the system, and the instances have all of them",
            "leave some: --instances with smaller --cores-per-instance",
        ));
    }
    let most = placement.instances.iter().map(|i| i.nodes.len()).max().unwrap_or(0);
    let one = if most <= 1 { "single-numa-node" } else { "best-effort" };
    let whole = placement.instances.iter().any(|i| i.cpus.len() > i.cores);
    let mut lines = vec![
        "cpuManagerPolicy: static".to_owned(),
        format!("topologyManagerPolicy: {one}"),
        "topologyManagerScope: pod".into(),
        format!("reservedSystemCPUs: \"{}\"", placement.left),
    ];
    if whole {
        lines.push("cpuManagerPolicyOptions:".into());
        lines.push("  full-pcpus-only: \"true\"".into());
    }
    for (index, instance) in placement.instances.iter().enumerate() {
        let n = instance.cpus.len();
        lines.push(format!("# pod {index}, in each container's resources:"));
        lines.push(format!("requests: {{cpu: \"{n}\", memory: SIZE}}  # limits: the same"));
    }
    Ok(lines)
}

#[cfg(test)]
fn read_back(placement: &Placement, lines: &[String]) {
    use crate::exporter::tests::after;
    assert_eq!(after(lines, "reservedSystemCPUs: \""), std::slice::from_ref(&placement.left));
    let asked: Vec<usize> = lines
        .iter()
        .filter_map(|l| l.strip_prefix("requests: {cpu: \"")?.split('"').next()?.parse().ok())
        .collect();
    assert_eq!(asked, placement.instances.iter().map(|i| i.cpus.len()).collect::<Vec<_>>());
}
