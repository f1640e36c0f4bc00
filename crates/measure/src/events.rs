//! Hardware events by processor: a file of `families` for each family of events, with the codes' sources. Roles
//! (`src/events/roles.txt`) say what an event means, so that the code that interprets counts needs no event codes.
use crate::families;
use host::counters::{self, Event, kind};
use record::{Machine, Reason};
use serde::Deserialize;

/// The family for whatever processor no other lists.
const GENERIC: &str = "generic";

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    title: String,
    #[allow(dead_code, reason = "each file says where its codes are from; a test looks")]
    source: String,
    /// A remark for readers of the counts.
    note: Option<String>,
    /// It is for processors that no other file lists.
    fallback: bool,
    x86: Vec<X86Models>,
    midr: Vec<[u64; 2]>,
    arch: Option<String>,
    width: u32,
    counters: usize,
    wide: Vec<String>,
    group: Vec<EventGroup>,
}

/// Processors of a vendor, by first and last family and model; a fallback takes every model.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct X86Models {
    vendor: String,
    families: [u64; 2],
    #[serde(default)]
    models: Vec<[u64; 2]>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EventGroup {
    #[allow(dead_code, reason = "each group has one; tests say it")]
    name: String,
    #[serde(default)]
    only_named: bool,
    events: Vec<EventDefinition>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct EventDefinition {
    name: String,
    kind: Option<String>,
    code: u64,
    role: Option<String>,
    sysfs: Option<String>,
}

impl EventDefinition {
    fn chosen(&self) -> Result<Chosen, String> {
        let kind = match self.kind.as_deref() {
            None => kind::RAW,
            Some("hardware") => kind::HARDWARE,
            Some("software") => kind::SOFTWARE,
            Some("cache") => kind::CACHE,
            Some(other) => return Err(format!("{}: there is no kind '{other}'", self.name)),
        };
        let event = Event::new(&self.name, kind, self.code);
        Ok(Chosen { event, role: self.role.clone() })
    }
    /// Whether the kernel lists the event, for events that it lists where they exist; `true` for all others.
    fn is_implemented(&self) -> bool {
        self.sysfs.as_deref().is_none_or(|name| counters::is_listed(name).unwrap_or(true))
    }
}

/// An event and what it tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The event.
    pub event: Event,
    /// Its role, one of `src/events/roles.txt`; `None` if it is only counted.
    pub role: Option<String>,
}

/// Roles of cycles in which a program waits, the widest first: for whatever the back end has not done, for memory, and without
/// anything retired.
const WAITING: [&str; 3] = ["stall_backend", "stall_memory", "waiting_any"];

/// The one event that says of the machine's processor in how many cycles its back end is waited for, where it has one.
pub fn stalls(machine: &Machine) -> Option<Event> {
    let groups = Family::of(machine).ok()?.groups(&[]).ok()?;
    let of = |role: &str| {
        let all = groups.iter().flatten();
        all.filter(|chosen| chosen.role.as_deref() == Some(role)).map(|c| c.event.clone()).next()
    };
    WAITING.into_iter().find_map(of)
}

/// The events of a family of processors.
#[derive(Debug)]
pub struct Family {
    /// The file's name.
    pub id: &'static str,
    file: File,
    /// The processor, where it is known.
    processor: Option<String>,
}

impl Family {
    /// The family of the machine's processor; if no file lists it, events that mean the same on all processors of
    /// its kind.
    ///
    /// # Errors
    /// A file is no family, which is a defect.
    pub fn of(machine: &Machine) -> Result<Family, Reason> {
        let mut fit = vec![];
        for (id, text) in families::ALL {
            let file = parse(id, text).map_err(Reason::new)?;
            if *id == GENERIC || file.is_of(machine) {
                fit.push(Family { id, file, processor: processor(machine) });
            }
        }
        // Those for whatever processor no other file lists come last.
        let found =
            fit.into_iter().min_by_key(|family| (family.id == GENERIC, family.file.fallback));
        found.ok_or_else(|| Reason::new("there is no family of events"))
    }
    /// A title: the event of this processor, or why it is replaced by another.
    pub fn title(&self) -> String {
        let File { title, note, fallback, .. } = &self.file;
        let words = match (&self.processor, fallback) {
            (Some(processor), true) => format!("{title} (no list of events for {processor})"),
            (Some(processor), false) => processor.clone(),
            (None, _) => title.clone(),
        };
        note.iter().fold(words, |words, note| format!("{words}, {note}"))
    }
    /// Slots in which an operation may be issued or retired each cycle, where that is known.
    pub fn width(&self) -> Option<u32> {
        Some(self.file.width).filter(|width| *width > 0)
    }

    /// The groups to count, cycles and instructions first: the family's own without names; with the name `wide` also
    /// the event set that others publish for this family; else those that are named, of this family, of the kernel,
    /// or by code (`r1b`).
    ///
    /// # Errors
    /// A name that is none, with those that are like it.
    pub fn groups(&self, names: &[String]) -> Result<Vec<Vec<Chosen>>, Reason> {
        let plain = |event| Chosen { event, role: None };
        let mut groups = vec![vec![plain(Event::cycles()), plain(Event::instructions())]];
        let own = names.is_empty() || names.iter().any(|name| name == "wide");
        if own {
            for group in self.file.group.iter().filter(|group| !group.only_named) {
                let implemented = group.events.iter().filter(|defined| defined.is_implemented());
                groups.push(
                    implemented
                        .map(EventDefinition::chosen)
                        .collect::<Result<_, _>>()
                        .map_err(Reason::new)?,
                );
            }
        }
        let wide = self.file.wide.iter().filter(|_| names.iter().any(|name| name == "wide"));
        let named = wide.chain(names.iter().filter(|name| *name != "wide"));
        let mut seen: Vec<String> =
            groups.iter().flatten().map(|chosen| chosen.event.name.clone()).collect();
        let mut rest = vec![];
        for name in named {
            if seen.contains(name) {
                continue;
            }
            seen.push(name.clone());
            rest.push(self.named(name)?);
        }
        groups.extend(rest.chunks(self.file.counters.max(1)).map(<[Chosen]>::to_vec));
        groups.retain(|group| !group.is_empty());
        Ok(groups)
    }

    fn named(&self, name: &str) -> Result<Chosen, Reason> {
        let generic = families::ALL.iter().find(|(id, _)| *id == GENERIC);
        let generic = generic.map_or(Ok(File::default()), |(id, text)| parse(id, text));
        let generic = generic.map_err(Reason::new)?;
        let all: Vec<&EventDefinition> =
            self.file.group.iter().chain(&generic.group).flat_map(|group| &group.events).collect();
        if let Some(defined) = all.iter().find(|defined| defined.name == name) {
            return defined.chosen().map_err(Reason::new);
        }
        if let Some(event) = Event::software().into_iter().find(|event| event.name == name) {
            return Ok(Chosen { event, role: None });
        }
        let code = name.strip_prefix('r').and_then(|hex| u64::from_str_radix(hex, 16).ok());
        if let Some(code) = code {
            return Ok(Chosen { event: Event::new(name, kind::RAW, code), role: None });
        }
        let part = name.get(..4).unwrap_or(name).to_lowercase();
        let mut like: Vec<&str> = all
            .iter()
            .map(|defined| &*defined.name)
            .filter(|known| known.to_lowercase().contains(&part))
            .collect();
        let software = Event::software();
        if like.is_empty() {
            like = all.iter().map(|defined| &*defined.name).collect();
            like.extend(software.iter().map(|event| &*event.name));
        }
        let mut met = std::collections::BTreeSet::new();
        like.retain(|name| met.insert(*name));
        Err(Reason::mended_by(
            format!("there is no event '{name}' here"),
            format!("choose from {}, wide, or a code such as r1b", like.join(", ")),
        ))
    }
}

/// `AMD Zen 5`, or the numbers of a processor that has no name here.
fn processor(machine: &Machine) -> Option<String> {
    let (vendor, name) = (machine.text("cpu.vendor"), machine.text("cpu.microarchitecture")?);
    let known = vendor.filter(|_| !name.starts_with("unknown: "));
    let name = name.trim_start_matches("unknown: ");
    Some(known.map_or(name.to_owned(), |vendor| format!("{vendor} {name}")))
}

impl File {
    fn is_of(&self, machine: &Machine) -> bool {
        let (vendor, family) = (machine.text("cpu.vendor"), machine.integer("cpu.family"));
        let model = machine.integer("cpu.model_number");
        let within = |number: Option<u64>, [from, to]: [u64; 2]| {
            number.is_some_and(|number| (from..=to).contains(&number))
        };
        let x86 = self.x86.iter().any(|listed| {
            let of_model = |range: &[u64; 2]| within(model, *range);
            Some(&*listed.vendor) == vendor
                && within(family, listed.families)
                && (listed.models.is_empty() || listed.models.iter().any(of_model))
        });
        let midr = machine.text("cpu.midr").is_some_and(|text| {
            let spelled = |[implementer, part]: &[u64; 2]| {
                format!("implementer 0x{implementer:x}, part 0x{part:x}")
            };
            self.midr.iter().any(|pair| spelled(pair) == text)
        });
        let arch = self.arch.is_some() && self.arch.as_deref() == machine.text("kernel.arch");
        x86 || midr || arch
    }
}

/// A file as a family. Tests look at what it holds.
fn parse(id: &str, text: &str) -> Result<File, String> {
    record::from_toml(text).map_err(|e| format!("{id}.toml: {e}"))
}

#[cfg(test)]
mod tests;
