//! `cpulens check` of a machine whose memory modules run at half their speed: it says so, by its exit code, too.
use super::{Complaints, ended_well, json, list, same};
use lab::{Machine, Ran};
use serde_json::Value;

pub(super) const COMMAND: [&str; 3] = ["check", "--format", "json"];

/// Whether a module runs at half of its rated speed or less.
pub(super) fn is_planted(machine: &Machine) -> bool {
    machine.modules.iter().any(|m| m.configured > 0 && 2 * m.configured <= m.rated)
}

/// A warning (1) that names the modules; a limit of a figure that an emulator passes would be critical (2).
pub(super) fn check(ran: &Ran) -> Result<Complaints, String> {
    let mut wrong = ended_well("check", ran, &[1, 2]);
    let document: Value = json("check", &ran.stdout)?;
    let faults = list(&document["check"]["faults"]);
    let modules: Vec<&Value> = faults.iter().filter(|f| f["name"] == "dimm_below_rating").collect();
    wrong.extend(same("faults of memory modules", modules.len(), 1));
    for fault in modules {
        wrong.extend(same("how grave they are", fault["status"].as_str(), Some("WARNING")));
        let why = fault["why"].as_str().unwrap_or_default();
        if !["1600", "3200"].iter().all(|speed| why.contains(speed)) {
            wrong.push(format!("the speeds are not stated: {why}"));
        }
    }
    Ok(wrong)
}
