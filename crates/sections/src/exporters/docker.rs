//! docker, podman and nerdctl: a cpuset for each container.
//!
//! Source: docs.docker.com, "Runtime options with memory, CPUs, and GPUs" (`--cpuset-cpus`, `--cpuset-mems`).
use crate::exporter::Exporter;
use analyse::place::Placement;
use record::Reason;

pub(crate) static EXPORTER: Exporter = Exporter {
    title: "docker, one container for each instance",
    lines,
    #[cfg(test)]
    read_back,
};

fn lines(placement: &Placement) -> Result<Vec<String>, Reason> {
    let all = placement.instances.iter().enumerate();
    Ok(all
        .map(|(index, instance)| {
            let memory = match instance.nodes.is_empty() {
                true => String::new(),
                false => format!(" --cpuset-mems={}", instance.nodes),
            };
            format!("docker run --name NAME-{index} --cpuset-cpus={}{memory} IMAGE", instance.cpus)
        })
        .collect())
}

#[cfg(test)]
fn read_back(placement: &Placement, lines: &[String]) {
    use crate::exporter::tests::{after, cpus, nodes};
    assert_eq!(after(lines, "--cpuset-cpus="), cpus(placement));
    assert_eq!(after(lines, "--cpuset-mems="), nodes(placement));
}
