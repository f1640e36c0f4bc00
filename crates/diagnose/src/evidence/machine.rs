//! Evidence of the machine itself: facts, modules, devices, nodes, sockets, cores.
use super::Evidence;
use crate::say;
use crate::{facts, words};
use benchmarks::quantities::plateaus;
use record::{Device, Dimm, Node, Reason, Text, Value};

impl<'a> Evidence<'a> {
    /// A fact's value.
    ///
    /// # Errors
    /// Why it is not known.
    pub(crate) fn fact(&self, name: &str) -> Result<&'a Value, Reason> {
        let machine = &self.seen.record.machine;
        let value = facts::known(machine, name).map_err(|why| self.elsewhere(why))?;
        if let Some(fact) = machine.facts.get(name) {
            let shown = match (value.number(), fact.unit) {
                (Some(x), Some(unit)) => words::worded(x, unit),
                _ => value.to_string().into(),
            };
            self.note(format!("{name} = {shown} ({})", fact.source));
        }
        Ok(value)
    }
    /// A fact's text.
    ///
    /// # Errors
    /// Why it is not known, or that it is not text.
    pub(crate) fn text(&self, name: &str) -> Result<&'a str, Reason> {
        self.fact(name)?.text().ok_or_else(|| Reason::new(say::why_not_word(name)))
    }
    /// A fact's number.
    ///
    /// # Errors
    /// Why it is not known, or that it is not a number.
    pub(crate) fn number(&self, name: &str) -> Result<f64, Reason> {
        self.fact(name)?.number().ok_or_else(|| Reason::new(say::why_not_number(name)))
    }
    /// The hypervisor's name where there is one. What a hypervisor states about sockets and memory modules need not
    /// be real.
    pub(crate) fn hypervisor(&self) -> Option<&'a str> {
        let name = facts::hypervisor(&self.seen.record.machine)?;
        self.note(format!("{} = {name}", facts::HYPERVISOR));
        Some(name)
    }
    /// That no hypervisor made something up.
    ///
    /// # Errors
    /// It may have: what need not be real by its name, and the command to look with on the host.
    pub(crate) fn is_real(
        &self,
        unreal: impl Fn(&str) -> Text,
        command: &str,
    ) -> Result<(), Reason> {
        self.hypervisor()
            .map_or(Ok(()), |name| Err(Reason::mended_by(unreal(name), say::look_on_host(command))))
    }
    /// The memory slots.
    ///
    /// # Errors
    /// Why they are not known, or that a hypervisor made them up.
    pub(crate) fn dimms(&self) -> Result<&'a [Dimm], Reason> {
        let topology = &self.seen.record.machine.topology;
        if topology.dimms.is_empty() {
            return Err(self.absent("dimms", say::WHY_DIMMS, say::DO_ROOT));
        }
        if let Some(name) = self.hypervisor() {
            return Err(facts::unreal_modules(name));
        }
        let filled = topology.dimms.iter().filter(|d| d.populated).count();
        let (filled, slots) =
            (words::count(filled, "module"), words::count(topology.dimms.len(), "slot"));
        self.note_part("dimms", say::modules_in_slots(filled, slots));
        Ok(&topology.dimms)
    }
    /// The PCI devices.
    ///
    /// # Errors
    /// None is described.
    pub(crate) fn devices(&self) -> Result<&'a [Device], Reason> {
        let devices = &self.seen.record.machine.topology.devices;
        if devices.is_empty() {
            return Err(self.absent("devices", say::WHY_DEVICES, "mount /sys"));
        }
        self.note_part("devices", words::count(devices.len(), "PCI device"));
        Ok(devices)
    }
    /// The NUMA nodes.
    ///
    /// # Errors
    /// Why they are not known.
    pub(crate) fn nodes(&self) -> Result<&'a [Node], Reason> {
        let nodes = &self.seen.record.machine.topology.nodes;
        if nodes.is_empty() {
            // Where the latency between them is known, they are.
            let why = match self.between() {
                Some(_) => say::WHY_NODES_CPUS,
                None => say::WHY_NODES,
            };
            return Err(self.absent("nodes", why, "mount /sys"));
        }
        self.note_part("nodes", words::count(nodes.len(), "NUMA node"));
        Ok(nodes)
    }
    /// Whether the kernel lists its nodes; else the inventory took all CPUs for one.
    ///
    /// # Errors
    /// Why it does not.
    pub(crate) fn nodes_are_listed(&self) -> Result<(), Reason> {
        match self.topology().missing.iter().any(|(part, _)| part == "nodes") {
            true => Err(self.absent("nodes", say::NODES_NOT_LISTED, "mount /sys")),
            false => Ok(()),
        }
    }
    /// Sockets with online CPUs.
    ///
    /// # Errors
    /// Why they are not known.
    pub(crate) fn sockets(&self) -> Result<usize, Reason> {
        let Some(sockets) = plateaus::sockets(self.seen) else {
            return Err(self.absent("cpus", say::WHY_SOCKETS, "mount /sys"));
        };
        let sockets = sockets as usize;
        match self.topology().sockets() {
            0 => _ = self.fact("cpu.sockets")?,
            _ => self.note_part("cpus", words::count(sockets, "socket")),
        }
        Ok(sockets)
    }
    /// Sockets that share one NUMA node, so that which memory is remote is hidden; nothing where none do.
    pub(crate) fn sockets_of_one_node(&self) -> Option<usize> {
        let one = self.nodes().is_ok_and(|nodes| nodes.len() == 1);
        let sockets = self.sockets().ok().filter(|sockets| one && *sockets > 1)?;
        (!self.memory_is_in_the_chipset()).then_some(sockets)
    }
    /// Xeons before Nehalem reach all memory over the front-side bus, so there is one node whatever firmware does. Source:
    /// the models of family 6 in Intel's Software Developer's Manual, volume 4, table 2-1; 29 is Dunnington.
    pub(crate) fn memory_is_in_the_chipset(&self) -> bool {
        let is = |name, holds: fn(f64) -> bool| self.number(name).is_ok_and(holds);
        let intel = self.text("cpu.vendor").is_ok_and(|vendor| vendor == "Intel");
        let old = || is("cpu.model_number", |model| model < 26.0 || model == 29.0);
        intel && (is("cpu.family", |f| f == 15.0) || is("cpu.family", |f| f == 6.0) && old())
    }
    /// Whether so many sockets may be clusters of cores: lscpu before 2.37 called those of Arm sockets. No Arm server of
    /// several sockets has so few cores in one.
    pub fn clusters(&self, sockets: usize) -> bool {
        const CORES: usize = 16;
        let arm = || self.text("kernel.arch").is_ok_and(|arch| arch.starts_with(['a']));
        self.online_cpus().is_ok_and(|cpus| cpus < CORES * sockets) && arm()
    }
    /// NUMA nodes with memory; where they are not known, the sockets that a publication measured between.
    ///
    /// # Errors
    /// Why they are not known.
    pub(crate) fn memory_nodes(&self) -> Result<usize, Reason> {
        match self.nodes() {
            Ok(_) => Ok(self.topology().with_memory().count()),
            Err(why) => self.between().map(|found| found.value.nodes).ok_or(why),
        }
    }
    /// CPUs that are online.
    ///
    /// # Errors
    /// Why they are not known.
    pub(crate) fn online_cpus(&self) -> Result<usize, Reason> {
        let online = self.seen.record.machine.topology.online().len();
        if online == 0 {
            return Err(self.absent("cpus", say::WHY_CPUS, "mount /sys"));
        }
        self.note_part("cpus", words::count(online, "online CPU"));
        Ok(online)
    }
    /// CPUs that this process may use.
    ///
    /// # Errors
    /// Why they are not known.
    pub(crate) fn usable_cpus(&self) -> Result<usize, Reason> {
        let online = self.online_cpus()?;
        let usable = self.seen.record.machine.topology.usable().len();
        if usable == online {
            return Ok(online);
        }
        self.note_part("cpus", words::count(usable, "usable CPU"));
        Ok(usable)
    }
    /// Cores with an online CPU.
    ///
    /// # Errors
    /// Why they are not known.
    pub(crate) fn cores(&self) -> Result<usize, Reason> {
        let cores = self.seen.record.machine.cores();
        if cores == 0 {
            return Err(self.absent("cpus", say::WHY_CORES, "mount /sys"));
        }
        self.note_part("cpus", words::count(cores, "core"));
        Ok(cores)
    }
}
