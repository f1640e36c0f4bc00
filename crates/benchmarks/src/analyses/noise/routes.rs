//! Where the interrupts of devices go, by what the kernel says of each: which CPUs may take it, and which one the controller
//! sends it to.
use record::{CpuSet, Machine, Value};

/// Interrupts that go the same way.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Route {
    /// Their numbers.
    pub irqs: CpuSet,
    /// The CPUs that they may go to.
    pub may: CpuSet,
    /// The CPUs that they do go to; nothing where the kernel does not say.
    pub goes: Option<CpuSet>,
}

impl Route {
    /// The CPUs that they go to as far as is known.
    pub fn to(&self) -> &CpuSet {
        self.goes.as_ref().unwrap_or(&self.may)
    }
}

/// The routes of a machine's devices; empty where nothing is known of them. What is not understood is left out.
pub fn routes(machine: &Machine) -> Vec<Route> {
    let Some(Value::List(all)) = machine.value("interrupts.routes") else { return vec![] };
    let route = |value: &Value| {
        let mut words = value.text()?.split(' ');
        let mut next = || words.next();
        let (irqs, may, goes) = (next()?.parse().ok()?, next()?.parse().ok()?, next()?);
        let goes = if goes == "-" { None } else { Some(goes.parse().ok()?) };
        Some(Route { irqs, may, goes })
    };
    all.iter().filter_map(route).collect()
}

/// The usable CPUs that no device's interrupts go to; nothing where no route is known.
pub fn spared(machine: &Machine, routes: &[Route]) -> Option<CpuSet> {
    let hit = |cpu: &u32| routes.iter().any(|r| r.to().contains(*cpu));
    let usable = machine.topology.usable();
    (!routes.is_empty()).then(|| usable.iter().filter(|cpu| !hit(cpu)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use record::Cpu;

    #[test]
    fn routes_are_read_and_what_is_none_is_left_out() {
        let mut machine = example::empty().machine;
        assert_eq!((routes(&machine), spared(&machine, &[])), (vec![], None));
        let words = ["24,28-30 0-63 5", "31 2 -", "32 0", "x 0 0", "33 0 y"];
        let list = Value::List(words.map(|w| Value::Text(w.into())).into());
        machine.set("interrupts.routes", list, "test");
        let set = |text: &str| text.parse::<CpuSet>().unwrap();
        let found = routes(&machine);
        let wanted = [
            Route { irqs: set("24,28-30"), may: set("0-63"), goes: Some(set("5")) },
            Route { irqs: set("31"), may: set("2"), goes: None },
        ];
        assert_eq!(found, wanted);
        assert_eq!(found[1].to(), &set("2"));
        let cpu = |id| Cpu { id, online: true, allowed: true, ..Cpu::default() };
        machine.topology.cpus = (0..8).map(cpu).collect();
        assert_eq!(spared(&machine, &found), Some(set("0-1,3-4,6-7")));
    }
}
