//! `fleet` and `history`: verdicts on many machines, and figures over time.
use crate::{exit::Exit, output};
use anyhow::{Context, Result, anyhow, bail};
use filesystem::regular;
use fleet::Key;
use fleet::digest::Digest;
use fleet::tolerance;
use fleet::verdict::{self, Standing};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};
use storage::{
    digests::{Input, NOTHING, inputs, read},
    files, say,
};

/// Bytes of a list of hosts at most: a hundred for each of 160,000.
const MAX_HOSTS: u64 = 16 << 20;

pub(crate) fn fleet(args: &arguments::Fleet) -> Result<Exit> {
    output::check(&args.output)?;
    let mut all = inputs(&args.places)?;
    all.dedup();
    if all.is_empty() {
        bail!(NOTHING);
    }
    let inputs = read(&all);
    // Limits are of the digests as they came.
    let golden = inputs.iter().filter(|_| args.write_profile.is_some());
    let digests: Vec<Digest> = golden.filter_map(|(_, d)| d.clone().ok()).collect();
    let hosts = match &args.hosts {
        None => vec![],
        Some(file) => {
            let text = regular::text(file, MAX_HOSTS);
            let text = text.with_context(|| format!("cannot read {}", file.display()))?;
            let names =
                text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
            names.map(str::to_owned).collect()
        }
    };
    let fleet = verdict::fleet(inputs, &hosts);
    if let Some(file) = &args.write_profile {
        let (group, profile) =
            tolerance::golden(&fleet, digests.iter()).map_err(|why| anyhow!("{why}"))?;
        if fleet.groups.len() > 1 {
            say(&format!("cpulens: limits are those of {}", fleet.groups[group].key));
        }
        for all in fleet.unhealthy.iter().filter(|all| all.group == group) {
            let name = &all.metric;
            say(&format!(
                "cpulens: no peer is healthy by what is published, so limits of {name} are of slow machines"
            ));
        }
        for figure in &fleet.groups[group].figures {
            if let Some(why) = profile.without.get(&figure.name) {
                say(&format!("cpulens: no limit for {}: {why}", figure.name));
            }
        }
        let text = profile.to_toml().map_err(|why| anyhow!("{why}"))?;
        files::replace(file, text.as_bytes())?;
    }
    if let Some(file) = &args.write_suspects {
        let suspects = fleet.standings().into_values().filter(|(_, s)| *s == Standing::Suspect);
        let (hosts, patterns): (Vec<String>, Vec<String>) =
            suspects.map(|(name, _)| name.to_owned()).partition(|name| is_host(name));
        for name in patterns {
            let (name, file) = (name.escape_debug(), file.display());
            say(&format!("cpulens: '{name}' is no name of a host: left out of {file}"));
        }
        let names: String = hosts.into_iter().map(|name| name + "\n").collect();
        if names.is_empty() {
            // Ansible takes an empty list for all machines.
            if fs::symlink_metadata(file).is_ok_and(|m| m.is_file()) {
                let removed = fs::remove_file(file);
                removed.with_context(|| format!("cannot remove {}", file.display()))?;
            }
            say(&format!("cpulens: there is no machine to look at again: no {}", file.display()));
        } else {
            files::replace(file, names.as_bytes())?;
        }
    }
    output::document(&args.output, &sections::fleet::document(&fleet))?;
    let slow = fleet.standings().into_values().any(|(_, standing)| standing == Standing::Slow);
    Ok(match (fleet.hosts, args.strict && slow) {
        (0, _) => Exit::CouldNot,
        (_, true) => Exit::Findings,
        (_, false) => Exit::Done,
    })
}

pub(crate) fn history(args: &arguments::History) -> Result<Exit> {
    output::check(&args.output)?;
    let places = match args.places.is_empty() {
        false => args.places.clone(),
        true => {
            let own = files::records().context("neither HOME nor XDG_DATA_HOME names a folder")?;
            if !own.exists() {
                bail!(
                    "there are no records yet in {}: name the folder that has them",
                    own.display()
                );
            }
            vec![own]
        }
    };
    let mut inputs = read(&inputs(&places)?);
    if inputs.is_empty() {
        bail!(NOTHING);
    }
    if args.places.is_empty() {
        own(&mut inputs);
    }
    let unread = inputs.iter().all(|(_, digest)| digest.is_err());
    let history = fleet::history::history(inputs);
    output::document(&args.output, &sections::history::document(&history))?;
    Ok(if unread { Exit::CouldNot } else { Exit::Done })
}

/// Whether a name stands for one host in a list that Ansible reads: it takes other characters for a pattern, and has two groups of
/// its own.
fn is_host(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
    !name.is_empty() && name.chars().all(plain) && !["all", "ungrouped"].contains(&name)
}

/// Records in one's own folder that have no name are of the machine of that kind that the others name, if they name one.
fn own(inputs: &mut [Input]) {
    let mut digests: Vec<&mut Digest> = inputs.iter_mut().flat_map(|(_, d)| d).collect();
    let mut names: BTreeMap<Key, BTreeSet<String>> = BTreeMap::new();
    for d in &digests {
        names.entry(d.key.clone()).or_default().extend(d.name.clone());
    }
    for d in digests.iter_mut().filter(|d| d.name.is_none()) {
        let one = names.get(&d.key).filter(|names| names.len() == 1).and_then(BTreeSet::first);
        d.host = one.map_or("this machine", String::as_str).into();
        d.name = one.cloned();
    }
}

#[cfg(test)]
mod tests {
    use super::is_host;

    #[test]
    fn a_pattern_is_no_name_of_a_host() {
        assert!(["node4", "db-1.rack_7", "節点"].into_iter().all(is_host));
        let patterns = ["", "all", "ungrouped", "*", "web[0:9]", "a,b", "!node4", "a:&b", "a\nall"];
        assert!(!patterns.into_iter().any(is_host));
    }
}
