//! The HTML report in a real browser: it loads from a file, asks the network for nothing, complains of nothing,
//! shows every chart with its data, fits a phone, and prints.
mod devtools;
mod page;
mod picture;

use devtools::Browser;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};
use xtask::{
    children::{child, output},
    dist::{self, Arch},
    tree::{cache, entries, make, name, root, write},
};

/// A page on which everything is wrong. A check that has never failed is not known to work.
const BROKEN: &str = "<!doctype html><title>x</title><body style='margin:0;background:#fff'>\
    <img hidden src='http://report.invalid/x.png'><div style='width:800px;height:4000px'></div>\
    <svg id='chart-latency'></svg><script>console.error('broken')</script>";

/// Words of the complaints that the page must cause.
const WRONG: &[&str] = &[
    "report.invalid",
    "broken",
    "overflows",
    "no title",
    "no data",
    "is missing",
    "blank",
    "answers nothing",
    "three screens",
    "printed pages",
];

/// Renders every record of the fixtures, and a fresh one, and looks at them.
#[test]
fn every_record_is_a_page_that_works() -> Result<(), String> {
    let folder = cache().join("browser");
    let _ = fs::remove_dir_all(&folder);
    make(&folder)?;
    let fresh = folder.join("fresh.json");
    measure(&fresh)?;
    let mut records: Vec<PathBuf> = entries(&root().join("fixtures/records/v1"));
    records.retain(|file| file.extension().is_some_and(|x| x == "json"));
    records.push(fresh);

    let mut browser = Browser::start()?;
    controls(&mut browser, &folder)?;
    picture::of_the_readmes(&mut browser, &folder)?;
    let (mut wrong, mut looked) = (Vec::new(), 0);
    for record in &records {
        // One of the fixtures is no record, on purpose; whether `show` says so is tested elsewhere.
        let Ok(report) = show(record, "json", None) else { continue };
        let page = folder.join(name(record)).with_extension("html");
        show(record, "html", Some(&page))?;
        let report: Value =
            serde_json::from_str(&report).map_err(|e| format!("{}: {e}", record.display()))?;
        let charts = page::charts(&report);
        let found = page::check(&mut browser, &page, &charts)?;
        println!("{}: {} charts, {} complaints", name(record), charts.len(), found.len());
        wrong.extend(found.iter().map(|what| format!("{}: {what}", name(record))));
        looked += 1;
    }
    println!("screenshots and prints are in {}", xtask::tree::relative(&folder));
    if looked < 2 {
        return Err("there are no records to show".into());
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("\n  {}", wrong.join("\n  "))) }
}

/// A short measurement of this machine, so that today's pages are seen as well as yesterday's.
fn measure(record: &Path) -> Result<(), String> {
    let mut run = child(dist::shipped(Arch::X86_64));
    run.args(["run", "--time-budget", "8", "--format", "json", "--force", "--record"]);
    output(run.arg(record)).map(drop)
}

fn show(record: &Path, format: &str, into: Option<&Path>) -> Result<String, String> {
    let mut command = child(dist::shipped(Arch::X86_64));
    command.arg("show").arg(record).args(["--format", format]);
    if let Some(file) = into {
        command.arg("--output").arg(file);
    }
    output(&mut command)
}

fn controls(browser: &mut Browser, folder: &Path) -> Result<(), String> {
    let page = folder.join("broken.html");
    write(&page, BROKEN)?;
    let found = page::check(browser, &page, &["latency", "machine"])?;
    match WRONG.iter().find(|word| !found.iter().any(|what| what.contains(**word))) {
        None => Ok(()),
        Some(word) => Err(format!("a broken page is not called `{word}`, only: {found:?}")),
    }
}
