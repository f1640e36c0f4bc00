//! The pictures in the READMEs: the first screen of the HTML page of a committed record, in each language.
use super::{devtools::Browser, page};
use serde_json::json;
use std::{fs, path::Path};
use xtask::{
    children::{child, output},
    dist::{self, Arch},
    tree::{read, root, write},
};

const RECORD: &str = "fixtures/records/v1/two-node-server.json";

/// Each README, its picture, and the language of both.
const PICTURES: [(&str, &str, &str); 2] =
    [("README.md", "docs/report.webp", "en"), ("README.zh.md", "docs/report.zh.webp", "zh")];

/// The height of the first screen.
const HEIGHT: &str = "Math.ceil(document.getElementById('summary').getBoundingClientRect().bottom)";

/// The text before the checksum in a README.
const MARK: &str = "<!-- Made by `cargo xtask browser`: ";

/// Makes a picture anew whose text has changed, and fails then. Fonts may differ from machine to machine, so the checksum is of
/// the screen's text and not of its pixels.
pub(super) fn of_the_readmes(browser: &mut Browser, folder: &Path) -> Result<(), String> {
    let html = folder.join("readme.html");
    shown(folder, &html)?;
    let size = json!({"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false});
    browser.call("Emulation.setDeviceMetricsOverride", &size)?;
    let mut updated = vec![];
    for (readme, picture, lang) in PICTURES {
        browser.open(&format!("file://{}", html.display()))?;
        browser.evaluate(&format!("document.getElementById('lang-{lang}').click()"))?;
        let text = browser.evaluate("document.getElementById('summary').innerText")?;
        let sum = format!("{:08x}", crc32fast::hash(text.as_str().unwrap_or_default().as_bytes()));
        let file = root().join(readme);
        let old = read(&file)?;
        let (head, rest) = old.split_once(MARK).ok_or(format!("{readme} has no picture"))?;
        let (known, tail) = rest.split_at_checked(sum.len()).unwrap_or_default();
        if known == sum && root().join(picture).is_file() {
            continue;
        }
        let height = browser.evaluate(HEIGHT)?;
        let clip = json!({"x": 0, "y": 0, "width": 1280, "height": height, "scale": 1});
        let shot =
            json!({"format": "webp", "quality": 90, "clip": clip, "captureBeyondViewport": true});
        let shot = browser.call("Page.captureScreenshot", &shot)?;
        page::keep(&shot["data"], &root().join(picture))?;
        write(&file, format!("{head}{MARK}{sum}{tail}"))?;
        updated.push(picture);
    }
    match updated[..] {
        [] => Ok(()),
        _ => Err(format!("updated {}; look at it and run again", updated.join(", "))),
    }
}

/// The record's page, which names the file as its folder knows it and no path of this machine.
fn shown(folder: &Path, html: &Path) -> Result<(), String> {
    let name = Path::new(RECORD).file_name().unwrap_or_default();
    fs::copy(root().join(RECORD), folder.join(name)).map_err(|e| e.to_string())?;
    let mut command = child(dist::shipped(Arch::X86_64));
    command.current_dir(folder).env("TZ", "UTC").arg("show").arg(name);
    output(command.args(["--format", "html", "--output"]).arg(html)).map(drop)
}
