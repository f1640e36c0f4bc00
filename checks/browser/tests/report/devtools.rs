//! A headless Chromium, driven through the DevTools protocol over a pipe: no port is opened, no driver is needed. The crates
//! that speak the protocol bring a WebSocket, generated types of all of it and some seventy other crates for eight calls.
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, ChildStdin, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::Duration,
};
use xtask::{children::child, tree::cache};

/// Between two messages; long enough for a first start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The protocol wants file descriptors 3 and 4, which only a shell can give a program without `unsafe`.
const START: &str = "exec 3<&0 4>&1 </dev/null >/dev/null; exec \"$@\"";

/// As quiet as it gets: nothing of its own on the network, and what a page asks for goes to a closed port.
const FLAGS: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--proxy-server=127.0.0.1:9",
];

/// A running browser with one open tab.
pub(super) struct Browser {
    process: Child,
    input: ChildStdin,
    messages: Receiver<Vec<u8>>,
    number: u64,
    /// The tab's session.
    session: String,
    /// Events since the last [`Browser::happened`].
    events: Vec<Value>,
    profile: PathBuf,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Asked first, so that its children end with it.
        let _ = self.call("Browser.close", &json!({}));
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}

impl Browser {
    pub(super) fn start() -> Result<Browser, String> {
        let profile = cache().join(format!("browser-{}", std::process::id()));
        let _ = fs::remove_dir_all(&profile);
        let mut command = child("/bin/sh");
        command.args(["-c", START, "sh", "chromium"]).args(FLAGS);
        command.arg(format!("--user-data-dir={}", profile.display()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().map_err(|e| format!("cannot start Chromium: {e}"))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("Chromium has no pipes".into());
        };
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut message = Vec::new();
            while let Ok(1..) = output.read_until(0, &mut message) {
                message.pop();
                if sender.send(std::mem::take(&mut message)).is_err() {
                    return;
                }
            }
        });
        let (session, events) = (String::new(), Vec::new());
        let mut browser = Browser { process, input, messages, number: 0, session, events, profile };
        let tab = browser.call("Target.createTarget", &json!({"url": "about:blank"}))?;
        let attach = json!({"targetId": tab["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", &attach)?;
        browser.session = attached["sessionId"].as_str().unwrap_or_default().to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), &json!({}))?;
        }
        Ok(browser)
    }

    /// Opens an address and waits until it has loaded.
    pub(super) fn open(&mut self, address: &str) -> Result<(), String> {
        self.events.clear();
        let begun = self.call("Page.navigate", &json!({"url": address}))?;
        if let Some(error) = begun["errorText"].as_str() {
            return Err(format!("{address}: {error}"));
        }
        let loaded = |events: &[Value]| events.iter().any(|e| e["method"] == "Page.loadEventFired");
        while !loaded(&self.events) {
            let event = self.receive()?;
            self.events.push(event);
        }
        Ok(())
    }

    /// Events since a page was opened.
    pub(super) fn happened(&self) -> &[Value] {
        &self.events
    }

    /// The value of an expression in the page.
    pub(super) fn evaluate(&mut self, expression: &str) -> Result<Value, String> {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let result = self.call("Runtime.evaluate", &params)?;
        match result.get("exceptionDetails") {
            Some(details) => Err(format!("{expression}: {details}")),
            None => Ok(result["result"]["value"].clone()),
        }
    }

    /// Calls a method and waits for its answer; events that come first are kept.
    pub(super) fn call(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.number += 1;
        let mut message = json!({"id": self.number, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.input.write_all(&bytes).map_err(|e| format!("Chromium does not listen: {e}"))?;
        loop {
            let answer = self.receive()?;
            if answer["id"] != self.number {
                self.events.push(answer);
                continue;
            }
            return match answer.get("error") {
                Some(error) => Err(format!("{method}: {error}")),
                None => Ok(answer["result"].clone()),
            };
        }
    }

    fn receive(&mut self) -> Result<Value, String> {
        let bytes = self.messages.recv_timeout(PATIENCE).map_err(|e| match e {
            RecvTimeoutError::Timeout => "Chromium does not answer".to_owned(),
            RecvTimeoutError::Disconnected => "Chromium ended".to_owned(),
        })?;
        serde_json::from_slice(&bytes).map_err(|e| format!("Chromium sent no JSON: {e}"))
    }
}
