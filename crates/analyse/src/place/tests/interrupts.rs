//! Interrupts of devices on the cores that instances may have.
use super::*;

/// `rates` interrupts a second on each CPU for a day.
fn interrupted(machine: &mut Machine, rates: &[u64]) {
    let cpus: CpuSet = (0..rates.len() as u32).collect();
    machine.set("interrupts.cpus", cpus.to_string(), "test");
    let counts = rates.iter().map(|r| Value::Integer(r * 86_400)).collect();
    machine.set_in("interrupts.device", Value::List(counts), Unit::Count, "test");
    let ticks = 86_400 * 100 * machine.topology.online().len() as u64;
    machine.set_in("load.ticks.idle", ticks, Unit::Count, "test");
}

#[test]
fn cores_that_serve_interrupts_are_avoided_where_others_suffice() {
    let mut record = record("kunpeng-920");
    let mut rates = vec![20; 96];
    rates[30] = 9000;
    interrupted(&mut record.machine, &rates);
    let found = of(&record, Request::default()).unwrap();
    assert_eq!(lists(&found)[1], "24-29,31-47");
    assert_eq!(found.avoided[0].cpus.to_string(), "30");
    let whole = of(&record, ask(96, 1)).unwrap();
    assert!(whole.avoided.is_empty() && whole.instances.len() == 96);
    // Spread evenly, nobody is to be avoided.
    interrupted(&mut record.machine, &[9000; 96]);
    assert!(of(&record, Request::default()).unwrap().avoided.is_empty());
    record.machine.set("interrupts.affinity", "0-3", "test");
    let found = of(&record, Request::default()).unwrap();
    assert_eq!(found.avoided[0].cpus.to_string(), "0-3");
}

/// Interrupts that may go to a few CPUs only are kept there by somebody; those that went to a CPU once may go elsewhere now.
#[test]
fn where_interrupts_are_sent_decides_who_is_avoided() {
    let route = |machine: &mut Machine, all: &[&str]| {
        let list = Value::List(all.iter().map(|r| Value::Text((*r).into())).collect());
        machine.set("interrupts.routes", list, "test");
    };
    let mut record = record("kunpeng-920");
    route(&mut record.machine, &["40-43 2-3 2", "44 0-3 0"]);
    let found = of(&record, Request::default()).unwrap();
    assert_eq!(found.avoided[0].cpus.to_string(), "0-3");
    assert!(found.avoided[0].why.contains("smp_affinity_list"), "{:?}", found.avoided);
    route(&mut record.machine, &["40-43 0-95 2", "44 0-95 0"]);
    let found = of(&record, Request::default()).unwrap();
    assert!(found.avoided.is_empty());
    assert!(found.choices.iter().any(|c| c.text.contains("are sent to CPU 0,2")), "{found:?}");
    let mut rates = vec![20; 96];
    rates[30] = 9000;
    interrupted(&mut record.machine, &rates);
    assert!(of(&record, Request::default()).unwrap().avoided.is_empty(), "sent elsewhere by now");
    for routes in [&["40-43 0-95 2", "44 0-95 30"], &["40-43 0-95 2", "44 0-95 -"]] {
        route(&mut record.machine, routes);
        let found = of(&record, Request::default()).unwrap();
        assert_eq!(found.avoided[0].cpus.to_string(), "30", "{routes:?}");
    }
}

/// A CPU that was quiet since boot may be busy now: on CPU 30 a device interrupts while detours are watched.
#[test]
fn interrupts_seen_while_gaps_were_watched_count_too() {
    let mut record = record("kunpeng-920");
    interrupted(&mut record.machine, &[20; 96]);
    let series = (0..96u32).map(|cpu| {
        let rate = if cpu == 30 { 9000.0 } else { 5.0 };
        let detours = Detours {
            watched: 1.0,
            elapsed: 1.0,
            counters: [("irq.40".to_owned(), rate)].into(),
            ..Detours::default()
        };
        let lost = Series::new(Metric::Lost, Unit::Ratio, Better::Lower).at(param::CPU, cpu);
        Series { samples: vec![0.0], detours: Some(Box::new(detours)), ..lost }
    });
    let series = series.collect();
    example::measured(&mut record, "noise_detours", &[("binding", "bound")], series);
    let found = of(&record, Request::default()).unwrap();
    assert_eq!(found.avoided[0].cpus.to_string(), "30");
    assert!(found.avoided[0].why.contains("while detours were watched"), "{:?}", found.avoided);
}
