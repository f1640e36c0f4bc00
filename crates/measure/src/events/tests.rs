//! The event file that each CPU gets, and what event files must hold.
use super::*;

/// The roles that are understood, and comments.
const ROLES: &str = include_str!("roles.txt");

/// Lines from nearer levels, beside `fills_memory`.
const NEARER: [&str; 2] = ["fills_l2", "fills_l3"];

/// A file as a family, or what is wrong with it: every code is one that can be asked for, every name is there once, no
/// group is larger than the processor's counters, every role is one that is understood.
fn parse(id: &str, text: &str) -> Result<File, String> {
    let file = super::parse(id, text)?;
    let wrong = |what: String| Err(format!("{id}.toml: {what}"));
    let mut names: Vec<&str> = vec![];
    for group in &file.group {
        // Slots and what they were used for are one fixed counter.
        let general = group
            .events
            .iter()
            .filter(|e| !e.role.as_deref().is_some_and(|r| r.starts_with("slots")));
        if !group.only_named && general.count() > file.counters {
            return wrong(format!("group {} has more than {} events", group.name, file.counters));
        }
        for defined in &group.events {
            defined.chosen().map_err(|what| format!("{id}.toml: {what}"))?;
            if names.contains(&&*defined.name) {
                return wrong(format!("{} is there twice", defined.name));
            }
            names.push(&defined.name);
            let role = defined.role.as_deref();
            if role.is_some_and(|role| {
                !ROLES.lines().any(|known| known == role) && !NEARER.contains(&role)
            }) {
                return wrong(format!("{} has a role that nobody knows", defined.name));
            }
            let arm = !file.midr.is_empty() || file.arch.is_some();
            let limit = match defined.kind.as_deref() {
                None if arm => 0xffff,
                None => 0xf_ffff_ffff,
                Some("hardware") => 9,
                Some("software") => 11,
                Some(_) => 0x2_02_06,
            };
            if defined.code > limit {
                return wrong(format!("{} has a code that cannot be", defined.name));
            }
        }
    }
    let open = file.x86.iter().any(|listed| listed.models.is_empty());
    if open && !file.fallback {
        return wrong("it takes every model of a family, also those to come: list them".into());
    }
    if file.arch.is_some() && !file.fallback {
        return wrong("it lists no processors, and does not say that it is a fallback".into());
    }
    if file.title.is_empty() || file.source.is_empty() {
        return wrong("it does not say what it is, or where its codes are from".into());
    }
    Ok(file)
}

fn machine(facts: &[(&str, record::Value)]) -> Machine {
    let mut machine = Machine::default();
    for (name, value) in facts {
        machine.set(name, value.clone(), "test");
    }
    machine
}

fn x86(vendor: &str, family: u64, model: u64) -> &'static str {
    let facts: [(&str, record::Value); 3] = [
        ("cpu.vendor", vendor.into()),
        ("cpu.family", family.into()),
        ("cpu.model_number", model.into()),
    ];
    Family::of(&machine(&facts)).unwrap().id
}

#[test]
fn every_file_is_a_family() {
    for (id, text) in families::ALL {
        let file = parse(id, text).unwrap();
        let family = Family { id, file, processor: None };
        for name in family.file.wide.clone() {
            family.named(&name).unwrap();
        }
        let groups = family.groups(&["wide".into()]).unwrap();
        assert_eq!(groups[0][0].event, Event::cycles(), "{id}");
        assert_eq!(groups[0][1].event, Event::instructions(), "{id}");
    }
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let file = |events: &str| {
        let text = format!(
            "title = \"t\"\nsource = \"s\"\nwidth = 4\ncounters = 1\n[[group]]\nname = \"g\"\nevents = [{events}]"
        );
        parse("x", &text).err().unwrap_or_default()
    };
    assert_eq!(file("{ name = \"a\", code = 1 }"), "");
    let a = "{ name = \"a\", code = 1 }";
    assert!(file(&format!("{a}, {{ name = \"b\", code = 2 }}")).contains("more than 1"));
    assert!(file("{ name = \"a\", code = 1, role = \"x\" }").contains("role"));
    assert!(file("{ name = \"a\", code = 1, kind = \"x\" }").contains("kind"));
    assert!(file("{ name = \"a\", code = 10, kind = \"hardware\" }").contains("cannot be"));
    assert!(file("{ name = \"a\", cod = 1 }").contains("cod"));
    let (_, skylake) = families::ALL.iter().find(|(id, _)| *id == "intel_skylake").unwrap();
    let twice = skylake.replace("uops_issued.any", "uops_retired.retire_slots");
    assert!(parse("x", &twice).unwrap_err().contains("twice"));
}

#[test]
fn processors_have_their_families() {
    assert_eq!(x86("Intel", 6, 0x55), "intel_skylake");
    assert_eq!(x86("Intel", 6, 0x6a), "intel_icelake");
    assert_eq!(x86("Intel", 6, 0x8f), "intel_sapphirerapids");
    assert_eq!(x86("Intel", 6, 0x4f), GENERIC);
    assert_eq!(x86("AMD", 25, 17), "amd_zen4");
    assert_eq!(x86("AMD", 25, 1), "amd_zen_hygon");
    assert_eq!(x86("AMD", 26, 2), "amd_zen5");
    assert_eq!(x86("AMD", 26, 0x50), "amd_zen6");
    assert_eq!(x86("AMD", 26, 0xe3), "amd_zen6");
    assert_eq!(x86("AMD", 26, 0xf0), "amd_zen_core");
    assert_eq!(x86("AMD", 27, 0), "amd_zen_core");
    assert_eq!(x86("AMD", 21, 2), GENERIC);
    assert_eq!(x86("Hygon", 24, 0), "amd_zen_hygon");
    assert_eq!(x86("Hygon", 24, 0x18), "amd_zen_core");
    assert_eq!(x86("Intel", 6, 0xaf), "intel_sierraforest");
    assert_eq!(x86("Intel", 6, 0xdd), "intel_clearwaterforest");
    assert_eq!(x86("Intel", 6, 0xcc), "intel_lioncove");
    assert_eq!(x86("Intel", 19, 1), GENERIC);
    let arm = |midr: &str| {
        let facts = [("cpu.midr", midr.into()), ("kernel.arch", "aarch64".into())];
        Family::of(&machine(&facts)).unwrap().id
    };
    assert_eq!(arm("implementer 0x48, part 0xd01"), "kunpeng_920");
    assert_eq!(arm("implementer 0x70, part 0x663"), "phytium_ft2500");
    assert_eq!(arm("implementer 0x41, part 0xd0c"), "arm_neoverse_n1");
    assert_eq!(arm("implementer 0x41, part 0xd84"), "arm_neoverse_v3");
    assert_eq!(arm("implementer 0xc0, part 0xac4"), "ampere_one");
    assert_eq!(arm("implementer 0x48, part 0xd02"), "arm_pmuv3");
    assert_eq!(arm("implementer 0x41, part 0xd4f"), "arm_neoverse_v2");
    assert_eq!(Family::of(&Machine::default()).unwrap().id, GENERIC);
}

#[test]
fn no_file_takes_models_to_come() {
    let (_, zen5) = families::ALL.iter().find(|(id, _)| *id == "amd_zen5").unwrap();
    let open = zen5.replace(", models = [[0x00, 0x4f], [0x60, 0x7f]]", "");
    assert!(parse("x", &open).unwrap_err().contains("every model"));
    let (_, hygon) = families::ALL.iter().find(|(id, _)| *id == "amd_zen_hygon").unwrap();
    let open = hygon.replace(", models = [[0x00, 0xaf]]", "");
    assert!(parse("x", &open).unwrap_err().contains("every model"));
    let (_, arm) = families::ALL.iter().find(|(id, _)| *id == "arm_pmuv3").unwrap();
    assert!(parse("x", &arm.replace("fallback", "# fallback")).unwrap_err().contains("list"));
}

#[test]
fn the_title_names_this_processor_only() {
    let title = |vendor: &str, family: u64, model: u64, name: &str| {
        let facts: [(&str, record::Value); 4] = [
            ("cpu.vendor", vendor.into()),
            ("cpu.family", family.into()),
            ("cpu.model_number", model.into()),
            ("cpu.microarchitecture", name.into()),
        ];
        Family::of(&machine(&facts)).unwrap().title()
    };
    assert_eq!(title("AMD", 23, 0x31, "Zen 2"), "AMD Zen 2");
    assert!(title("Intel", 6, 0xbd, "Lunar Lake").starts_with("Intel Lunar Lake, on P-cores"));
    let unknown = title("AMD", 26, 0xf0, "unknown: AMD family 0x1a, model 0xf0");
    assert!(unknown.contains("no list of events for AMD family 0x1a, model 0xf0"), "{unknown}");
    assert!(title("Intel", 19, 1, "Diamond Rapids").contains("for Intel Diamond Rapids"));
    assert!(!Family::of(&Machine::default()).unwrap().title().contains("no list"));
}

#[test]
fn names_choose_events_and_a_wrong_one_is_helped() {
    let generic = Family::of(&Machine::default()).unwrap();
    let named =
        |names: &[&str]| generic.groups(&names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>());
    let some = named(&["LLC-loads", "r1b", "task-clock", "LLC-loads", "cycles"]).unwrap();
    let names: Vec<&str> = some.iter().flatten().map(|c| &*c.event.name).collect();
    assert_eq!(names, ["cycles", "instructions", "LLC-loads", "r1b", "task-clock"]);
    assert_eq!(some[1][1].event, Event::new("r1b", kind::RAW, 0x1b));
    let wrong = named(&["LLC-lods"]).unwrap_err();
    assert!(wrong.remedy.unwrap().contains("LLC-loads"));
    assert!(named(&["é"]).is_err());
    assert!(named(&["rétro"]).is_err());
    assert!(named(&[]).unwrap().len() > 1);
}
