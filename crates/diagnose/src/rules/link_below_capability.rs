//! A device's PCIe link is slower or narrower than both of its ends can do.
//!
//! Usual causes: a card or cable that does not sit well, a riser of an older generation, a setting of the firmware. Transfers of
//! the device take longer in proportion. GPUs lower the speed of an idle link, so of these only the width counts. A port that can
//! do no more is how the machine was built, and no finding. Source: PCI Express Base Specification 6.0, 7.5.3 (link capabilities
//! and status); Linux, `pcie_print_link_status`.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::{device, percent};
use record::{Between, Device, DeviceKind, Link, Text};

pub(crate) static RULE: Rule = Rule::new(say::LINK_TITLE, &[Demand::Kernel], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let slow = slow(evidence)?;
    let Some((first, link, could)) = slow.first() else { return Ok(None) };
    let claim = say::link_claim(
        device(first),
        &first.address,
        link.to_string(),
        could.to_string(),
        percent(lost(*link, *could)),
    );
    Ok(Some(Finding::new(
        match slow.len() {
            1 => claim,
            n => Text::list([claim, say::same_of_other_devices(n - 1)], Between::Sentences),
        },
        say::LINK_ADVICE,
        format!("sudo lspci -s {} -vv | grep -E 'LnkCap|LnkSta'", first.address),
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let slow = slow(evidence)?;
    let most = slow.iter().map(|(_, link, could)| lost(*link, *could)).fold(0.0, f64::max);
    Cost::up_to(most, Confidence::Stated, say::LINK_COST)
}

/// Devices below what both ends can do, with the link as it is and could be.
fn slow<'a>(evidence: &Evidence<'a>) -> Result<Vec<(&'a Device, Link, Link)>, Reason> {
    let devices = evidence.devices()?;
    evidence.is_real(|name| say::link_ports_unreal(name), "sudo lspci -vv")?;
    let known: Vec<(&Device, Link, Link)> = devices
        .iter()
        .filter_map(|d| {
            let (of_device, of_port) = (d.link_of_device?, d.link_of_port?);
            let could = Link {
                transfers: of_device.transfers.min(of_port.transfers),
                lanes: of_device.lanes.min(of_port.lanes),
            };
            Some((d, d.link?, could))
        })
        .collect();
    if known.is_empty() {
        return Err(Reason::new(say::LINK_MISSING));
    }
    let below = |(d, link, could): &(&Device, Link, Link)| {
        let slower = link.transfers < could.transfers * 0.99 && d.kind != DeviceKind::Gpu;
        slower || link.lanes < could.lanes
    };
    Ok(known.into_iter().filter(below).collect())
}

fn lost(link: Link, could: Link) -> f64 {
    let rate = |l: Link| l.transfers * f64::from(l.lanes);
    1.0 - rate(link) / rate(could)
}
