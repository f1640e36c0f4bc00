//! The identity of a machine in a fleet: labels that the user gives it, and a hash of its product UUID with the fleet's salt,
//! which stays the same when it is renamed. The UUID itself is kept nowhere.
use crate::{args, live, output::say};
use anyhow::{Context, Result, bail};
use record::{Machine, Reason};
use sha2::{Digest as _, Sha256};
use std::{fs, io};

const UUID: &str = "/sys/class/dmi/id/product_uuid";
const BOOT: &str = "/proc/sys/kernel/random/boot_id";
/// A salt that is shorter can be guessed, and the UUIDs of a product are few enough to be tried.
const SHORTEST: usize = 16;

/// Adds the facts `machine.boot`, `label.KEY` and, with a salt, `machine.id`.
pub(crate) fn identify(machine: &mut Machine, who: &args::Identity) -> Result<()> {
    for (key, value) in &who.label {
        machine.set(&format!("label.{key}"), value.as_str(), "--label");
    }
    if let Some(boot) = boot() {
        machine.set("machine.boot", boot, BOOT);
    }
    let Some(file) = &who.fleet_salt else { return Ok(()) };
    let shown = file.display();
    let salt = fs::read(file).with_context(|| format!("cannot read {shown}"))?;
    if salt.trim_ascii().len() < SHORTEST {
        bail!(
            "the salt in {shown} is shorter than {SHORTEST} bytes: head -c 32 /dev/urandom | base64"
        );
    }
    match identity(&salt, line(UUID)) {
        Ok(id) => machine.set("machine.id", id, UUID),
        Err(reason) => {
            let remedy = reason.remedy.as_deref().unwrap_or_default();
            say(&format!("cpulens: no identity by --fleet-salt: {} ({remedy})", reason.why));
            machine.unknown("machine.id", reason, UUID);
        }
    }
    Ok(())
}

fn line(path: &str) -> io::Result<String> {
    let files = live::root(None).map_err(io::Error::other)?;
    Ok(String::from_utf8_lossy(&files.read(path)?).trim().to_owned())
}

/// A hash of the boot's number, which is made by chance and forgotten when it ends.
pub(crate) fn boot() -> Option<String> {
    line(BOOT).ok().map(|boot| hashed(&[], &boot))
}

/// The hash, or why there is none and what gives the machine an identity.
fn identity(salt: &[u8], uuid: io::Result<String>) -> Result<String, Reason> {
    /// A name is the next best.
    const NAME: &str = "give each machine a --name, which stands for it";
    let why = match uuid {
        Ok(uuid) if !uuid.is_empty() => return Ok(hashed(salt, &uuid)),
        Ok(_) => format!("{UUID} says nothing"),
        Err(why) if why.kind() == io::ErrorKind::PermissionDenied => {
            let denied = format!("{UUID} cannot be read: {why}");
            return Err(Reason::mended_by(denied, "run as root"));
        }
        Err(why) => format!("{UUID} cannot be read: {why}"),
    };
    Err(Reason::mended_by(why, NAME))
}

/// 128 bits of SHA-256 over the salt and the text.
fn hashed(salt: &[u8], text: &str) -> String {
    let mut hash = Sha256::new();
    for part in [salt.trim_ascii(), text.to_ascii_lowercase().as_bytes()] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_has_a_reason_and_a_remedy() {
        let of = |uuid| identity(b"a salt of a fleet", uuid);
        assert_eq!(of(Ok("1-2".into())).map(|id| id.len()), Ok(32));
        for (uuid, remedy) in [
            (Err(io::ErrorKind::PermissionDenied.into()), "run as root"),
            (Err(io::ErrorKind::NotFound.into()), "--name"),
            (Ok(String::new()), "--name"),
        ] {
            let reason = of(uuid).unwrap_err();
            assert!(reason.why.starts_with(UUID), "{reason:?}");
            assert!(reason.remedy.is_some_and(|r| r.contains(remedy)), "{remedy}");
        }
    }

    #[test]
    fn a_hash_is_that_of_its_salt_and_tells_nothing_of_the_text() {
        let uuid = "4C4C4544-0042-3510-8056-B7C04F4E3332";
        let one = hashed(b"a salt of a fleet", uuid);
        assert_eq!(one, hashed(b"a salt of a fleet\n", &uuid.to_lowercase()));
        assert_ne!(one, hashed(b"another salt than that", uuid));
        assert!(one.len() == 32 && !one.contains("4c4c"));
    }
}
