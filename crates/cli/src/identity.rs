//! The identity of a machine in a fleet: labels that the user gives it, and hashes of its product UUID and of its operating
//! system's id with the fleet's salt, which stay the same when it is renamed. Neither itself is kept: machine-id(5) asks for that.
use crate::live;
use anyhow::{Context, Result, bail};
use record::{Machine, Reason};
use sha2::{Digest as _, Sha256};
use std::{fs, io};
use storage::say;

const UUID: &str = "/sys/class/dmi/id/product_uuid";
const OS_ID: &str = "/etc/machine-id";
const BOOT: &str = "/proc/sys/kernel/random/boot_id";
const UPTIME: &str = "/proc/uptime";
/// A salt that is shorter can be guessed, and the UUIDs of a product are few enough to be tried.
const SHORTEST: usize = 16;

/// Adds the facts `machine.boot`, `machine.uptime`, `label.KEY` and, with a salt, `machine.id` and `machine.os_id`.
pub(crate) fn identify(machine: &mut Machine, who: &arguments::Identity) -> Result<()> {
    for (key, value) in &who.label {
        machine.set(&format!("label.{key}"), value.as_str(), "--label");
    }
    if let Some(boot) = boot() {
        machine.set("machine.boot", boot, BOOT);
    }
    if let Some(seconds) = uptime() {
        machine.set("machine.uptime", seconds, UPTIME);
    }
    let Some(file) = &who.fleet_salt else { return Ok(()) };
    let shown = file.display();
    let salt = fs::read(file).with_context(|| format!("cannot read {shown}"))?;
    if salt.trim_ascii().len() < SHORTEST {
        bail!(
            "the salt in {shown} is shorter than {SHORTEST} bytes: head -c 32 /dev/urandom | base64"
        );
    }
    let system = system(&salt, line(OS_ID));
    let known = system.is_some();
    if let Some(id) = system {
        machine.set("machine.os_id", id, OS_ID);
    }
    match identity(&salt, line(UUID)) {
        Ok(id) => machine.set("machine.id", id, UUID),
        Err(reason) => {
            let (why, remedy) = (&reason.why, reason.remedy.as_deref().unwrap_or_default());
            say(&match known {
                true => format!("cpulens: identity by --fleet-salt is a hash of {OS_ID}: {why}"),
                false => format!("cpulens: no identity by --fleet-salt: {why} ({remedy})"),
            });
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

/// Seconds since the boot (proc_uptime(5)).
fn uptime() -> Option<f64> {
    line(UPTIME).ok()?.split_whitespace().next()?.parse().ok()
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

/// The hash of an operating system's id: 32 hexadecimal digits, of which an image has none or the word `uninitialized`.
fn system(salt: &[u8], id: io::Result<String>) -> Option<String> {
    let id = id.ok()?;
    let is_id = id.len() == 32 && id.chars().all(|c| c.is_ascii_hexdigit()) && id != "0".repeat(32);
    is_id.then(|| hashed(salt, &format!("machine-id {id}")))
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
    fn an_image_without_an_id_has_no_hash() {
        let of = |id: &str| system(b"a salt of a fleet", Ok(id.into()));
        let id = "4c4c4544004235108056b7c04f4e3332";
        let hash = of(id).unwrap();
        assert!(hash.len() == 32 && hash != id && hash != hashed(b"a salt of a fleet", id));
        for none in ["", "uninitialized", &id[1..], &"0".repeat(32)] {
            assert_eq!(of(none), None);
        }
        assert_eq!(system(b"a salt of a fleet", Err(io::ErrorKind::NotFound.into())), None);
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
