//! Checks of a page of the report.
use super::devtools::Browser;
use serde_json::{Value, json};
use std::path::Path;
use xtask::tree::write;

/// Widths in CSS pixels: a desk and a phone.
const WIDTHS: [u32; 2] = [1280, 390];

/// Fewer colours than text with its smooth edges has anywhere: the picture is blank.
const COLOURS: u64 = 50;

/// Printed pages that the answer may take; the sections are an annex.
const PAGES: usize = 2;

/// Hides the annex, or shows it again.
const HIDE_ANNEX: &str =
    "for (const annex of document.querySelectorAll('.annex')) annex.hidden = !annex.hidden";

/// For each chart its name, whether it has a title, whether something is drawn, and the rows of its data.
const CHARTS: &str = "[...document.querySelectorAll('svg[id^=chart-]')].filter(svg => !svg.closest('#summary')).map(svg => {
    const name = svg.id.slice(6);
    return {
        name,
        title: (svg.querySelector(':scope > title')?.textContent ?? '').trim(),
        marks: svg.querySelectorAll('rect, circle, path, polyline, polygon, line').length,
        rows: document.querySelectorAll('#data-' + name + ' table tbody tr').length,
    };
})";

/// Faults of the first screen of a desktop, and tables wider than it or than a phone.
const LAYOUT: &str = "(() => {
    const wrong = [], high = innerHeight;
    const answers = document.querySelectorAll('#summary .tile, #summary tbody tr');
    if (![...answers].some(a => a.getBoundingClientRect().bottom <= high))
        wrong.push('the first screen answers nothing');
    if (innerWidth > 1000 && document.documentElement.scrollHeight > 3 * high)
        wrong.push('closed, the page is higher than three screens: ' + document.documentElement.scrollHeight);
    for (const part of document.querySelectorAll('details')) part.open = true;
    for (const table of document.querySelectorAll('.scroll > table'))
        if (innerWidth < 600 && table.offsetWidth > table.parentElement.clientWidth + 1
            && !getComputedStyle(table.parentElement).backgroundAttachment.includes('local'))
            wrong.push('a table is wider than a phone and does not say so: ' + table.innerText.slice(0, 60));
    for (const chart of document.querySelectorAll('.scroll > svg'))
        if (chart.getBoundingClientRect().width > chart.parentElement.clientWidth + 1
            && getComputedStyle(chart).backgroundColor != 'rgba(0, 0, 0, 0)')
            wrong.push('a chart hides that there is more of it: ' + chart.id);
    for (const part of document.querySelectorAll('details')) part.open = false;
    return wrong;
})()";

/// The number of colours of a picture.
const COLOURS_OF: &str = "(async data => {
    const picture = await createImageBitmap(await (await fetch(data)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    canvas.drawImage(picture, 0, 0);
    const pixels = canvas.getImageData(0, 0, picture.width, picture.height).data;
    return new Set(new Uint32Array(pixels.buffer)).size;
})";

/// The charts that a report must have, by what it holds.
pub(super) fn charts(report: &Value) -> Vec<&'static str> {
    let estimates = report["estimates"].as_array().map_or(&[][..], Vec::as_slice);
    let of = |probe: &str| estimates.iter().any(|e| e["probe"] == probe);
    // A sample of pairs is no matrix to be drawn, nor is one pair.
    let drawn = |m: &Value| {
        let cells = m["cells"].as_array().map_or(0, Vec::len) as u64;
        cells > 1 && m["pairs"].as_u64().is_none_or(|pairs| 2 * cells >= pairs)
    };
    // A line through two points is none.
    let line = |list: &str, points: &str| {
        let all = report[list].as_array().map_or(&[][..], Vec::as_slice);
        all.iter().any(|one| one[points].as_array().is_some_and(|points| points.len() > 2))
    };
    let matrix = report["matrices"].as_array().is_some_and(|all| all.iter().any(drawn));
    let nodes = report["numa"]["cells"].as_array().map_or(&[][..], Vec::as_slice);
    let between_nodes = |what: &str| nodes.iter().any(|cell| !cell[what].is_null());
    let points =
        report["scaling_runs"][0]["scaling_points"].as_array().map_or(&[][..], Vec::as_slice);
    let scaled = points.iter().filter(|point| !point["median"].is_null()).count() > 2;
    let samples = report["drift"]["samples"].as_u64().unwrap_or(0);
    let charts = [
        (
            "machine",
            report["machine"]["topology"]["cpus"].as_array().is_some_and(|c| !c.is_empty()),
        ),
        ("latency", line("curves", "points")),
        ("bandwidth", of("bandwidth")),
        ("cache-bandwidth", line("cache_bandwidth", "points")),
        ("bandwidth-scaling", line("bandwidth_scalings", "points")),
        ("stream", of("stream")),
        ("loaded-latency", line("loaded", "points")),
        ("numa-latency", between_nodes("latency")),
        ("numa-bandwidth", between_nodes("bandwidth")),
        ("core-to-core", matrix),
        ("scaling_run-1", scaled),
        ("reference_sample", samples > 1),
    ];
    charts.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
}

/// Opens a page, looks at it from all sides, and leaves pictures of it beside it.
pub(super) fn check(
    browser: &mut Browser,
    page: &Path,
    charts: &[&str],
) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    for width in WIDTHS {
        let size =
            json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600});
        browser.call("Emulation.setDeviceMetricsOverride", &size)?;
        browser.open(&format!("file://{}", page.display()))?;
        for lang in ["zh", "en"] {
            browser.evaluate(&format!("document.getElementById('lang-{lang}')?.click()"))?;
            let needed = browser.evaluate("document.documentElement.scrollWidth")?;
            if needed.as_u64().is_none_or(|needed| needed > u64::from(width)) {
                wrong.push(format!(
                    "at {width} pixels, {lang}, the page overflows: it needs {needed}"
                ));
            }
            let layout = browser.evaluate(LAYOUT)?;
            let layout = layout.as_array().into_iter().flatten().filter_map(Value::as_str);
            wrong.extend(layout.map(|what| format!("at {width} pixels, {lang}, {what}")));
        }
        if width == WIDTHS[0] {
            let drawn = browser.evaluate(CHARTS)?;
            wrong.extend(drawn_well(drawn.as_array().map_or(&[], Vec::as_slice), charts));
        }
        let whole = json!({"format": "png", "captureBeyondViewport": true});
        let shot = browser.call("Page.captureScreenshot", &whole)?;
        let file = page.with_extension(format!("{width}.png"));
        let data = keep(&shot["data"], &file)?.1;
        wrong.extend(complaints(browser.happened()));
        // Counted elsewhere: a page of ours may not run scripts.
        browser.open("about:blank")?;
        let colours = browser.evaluate(&format!("{COLOURS_OF}('data:image/png;base64,{data}')"))?;
        if colours.as_u64().is_none_or(|colours| colours < COLOURS) {
            wrong.push(format!("at {width} pixels the page is blank: {colours} colours"));
        }
    }
    browser.open(&format!("file://{}", page.display()))?;
    for lang in ["zh", "en"] {
        browser.evaluate(&format!("document.getElementById('lang-{lang}')?.click()"))?;
        let all = printed(browser, &page.with_extension(format!("{lang}.pdf")))?;
        browser.evaluate(HIDE_ANNEX)?;
        let answer = printed(browser, &page.with_extension(format!("{lang}.answer.pdf")))?;
        browser.evaluate(HIDE_ANNEX)?;
        wrong.extend((all == 0).then(|| "the print has no pages".to_owned()));
        if answer > PAGES {
            wrong.push(format!("in {lang} the answer takes {answer} printed pages"));
        }
    }
    wrong.sort_unstable();
    wrong.dedup();
    Ok(wrong)
}

/// Prints the page into a file, and counts its pages.
fn printed(browser: &mut Browser, file: &Path) -> Result<usize, String> {
    let print = browser.call("Page.printToPDF", &json!({"printBackground": true}))?;
    Ok(pages(&keep(&print["data"], file)?.0))
}

/// Every chart that must be there is, and nothing else; each is drawn, titled, and has its data beside it.
fn drawn_well(drawn: &[Value], charts: &[&str]) -> Vec<String> {
    let name = |chart: &Value| chart["name"].as_str().unwrap_or("").to_owned();
    let missing = charts.iter().filter(|chart| !drawn.iter().any(|d| d["name"] == **chart));
    let mut wrong: Vec<String> = missing.map(|c| format!("chart-{c} is missing")).collect();
    for chart in drawn {
        let mut bad = |what: &str| wrong.push(format!("chart-{} {what}", name(chart)));
        if !charts.contains(&name(chart).as_str()) {
            bad("has nothing to show");
        }
        if chart["title"] == "" {
            bad("has no title");
        }
        if chart["marks"] == 0 {
            bad("is empty");
        }
        if chart["rows"] == 0 {
            bad("has no data beside it");
        }
    }
    wrong
}

/// Requests to anything but this file, and everything a console would show in yellow or red.
fn complaints(events: &[Value]) -> Vec<String> {
    let mut wrong = Vec::new();
    for event in events {
        let params = &event["params"];
        match event["method"].as_str() {
            Some("Network.requestWillBeSent") => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                if !["file:", "data:", "about:"].iter().any(|local| url.starts_with(local)) {
                    wrong.push(format!("asks the network for {url}"));
                }
            }
            Some("Log.entryAdded") => {
                let entry = &params["entry"];
                if entry["level"] == "error" || entry["level"] == "warning" {
                    wrong.push(format!("console: {} {}", entry["text"], entry["url"]));
                }
            }
            Some("Runtime.consoleAPICalled")
                if params["type"] == "error" || params["type"] == "warning" =>
            {
                wrong.push(format!("console: {}", params["args"]));
            }
            Some("Runtime.exceptionThrown") => {
                wrong.push(format!("exception: {}", params["exceptionDetails"]));
            }
            _ => {}
        }
    }
    wrong
}

/// Saves what Chromium sent, and returns it decoded and as it came.
pub(super) fn keep(data: &Value, file: &Path) -> Result<(Vec<u8>, String), String> {
    let text = data.as_str().unwrap_or_default();
    let bytes = data_encoding::BASE64
        .decode(text.as_bytes())
        .map_err(|e| format!("{}: {e}", file.display()))?;
    write(file, &bytes)?;
    Ok((bytes, text.to_owned()))
}

/// Page objects of a PDF: `/Type /Page`, and not the `/Pages` that lists them.
fn pages(pdf: &[u8]) -> usize {
    let mark = b"/Type /Page";
    let ends = |rest: &[u8]| rest.get(mark.len()).is_some_and(|b| !b.is_ascii_alphanumeric());
    (0..pdf.len()).filter(|at| pdf[*at..].starts_with(mark) && ends(&pdf[*at..])).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_told_from_their_list() {
        assert_eq!(pages(b"<</Type /Pages /Count 2>> <</Type /Page\n>> <</Type /Page /X>>"), 2);
        assert_eq!(pages(b""), 0);
    }

    #[test]
    fn charts_follow_from_what_a_report_holds() {
        let report = json!({
            "machine": {"topology": {"cpus": [{}]}}, "curves": [],
            "matrices": [{"cells": [{}, {}]}],
            "estimates": [{"probe": "stream"}], "drift": {"samples": 5},
        });
        assert_eq!(charts(&report), ["machine", "stream", "core-to-core", "reference_sample"]);
        let drawn = json!([{"name": "machine", "title": "x", "marks": 3, "rows": 1}]);
        let drawn = drawn.as_array().unwrap();
        assert_eq!(drawn_well(drawn, &["machine"]), Vec::<String>::new());
        assert_eq!(drawn_well(drawn, &["stream"]).len(), 2);
    }
}
