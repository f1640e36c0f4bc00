//! What root runs or loads is root's own: commands of a record, a kernel module, a database server. What another account may
//! exchange is refused before anything of it is run.
use crate::sandbox::{Sandbox, load, possible};
use filesystem::directory::is_root_of_host;
use record::{Outcome, Reason};
use std::{fs, path::Path};

/// A sandbox with the file `mine/NAME`, and all the ways in which another account could exchange or change it.
fn foreign(name: &str, content: impl AsRef<[u8]>) -> Option<(Sandbox, Vec<String>)> {
    let sandbox = Sandbox::new();
    let prepare = "chmod 755 . && mkdir mine theirs theirs/roots && mkdir -m 777 open && mkdir -m 1777 shared";
    assert_eq!(sandbox.shell(prepare).code, 0);
    let places =
        ["mine", "theirs", "theirs/roots", "open", "shared"].map(|p| format!("{p}/{name}"));
    for place in &places {
        let file = sandbox.file(place, &content);
        assert_eq!(sandbox.shell(&format!("chmod 755 '{file}'")).code, 0);
    }
    let links = ["theirs/link", "open/link", "shared/link"].map(str::to_owned);
    let prepare = format!(
        "for link in {}; do ln -s '../mine/{name}' $link; done && cp mine/{name} mine/written && chmod 666 mine/written &&
         chown 65534 theirs shared/{name} && chown -h 65534 shared/link",
        links.join(" ")
    );
    let can = is_root_of_host() && sandbox.shell(&prepare).code == 0;
    let [_, others @ ..] = places;
    let refused = others.into_iter().chain(links).chain(["mine/written".to_owned()]).collect();
    possible("it needs root", can).then_some((sandbox, refused))
}

/// How often a command ran that appends a letter each time.
fn times(file: &Path) -> usize {
    fs::read(file).map_or(0, |bytes| bytes.len())
}

#[test]
fn root_resumes_no_record_that_another_account_may_exchange() {
    let first = Sandbox::new();
    let mark = first.path("mark");
    let line = format!("printf x >> '{}'", mark.display());
    let scale = ["scale", "--repeats", "3", "--copies", "1", "--policy", "unpinned"];
    let command = ["--quiet", "--record", "r.json", "--", "sh", "-c", &line];
    first.cpulens(&[&scale[..], &command].concat()).done();
    let mut record = load(&first.path("r.json"));
    for run in record.runs.iter_mut().skip(1) {
        run.outcome = Outcome::NotReached(Reason::new("the run ended before this case"));
    }
    let Some((sandbox, refused)) = foreign("r.json", record::to_vec(&record).unwrap()) else {
        return;
    };
    let before = times(&mark);
    for file in &refused {
        for command in ["run", "scale"] {
            sandbox.cpulens(&[command, "--resume", file]).could_not("only root may change");
        }
    }
    // `last`, in a home of another account's.
    let records = sandbox.records_folder();
    let prepare =
        format!("mkdir -p '{0}' && cp mine/r.json '{0}' && chown 65534 data", records.display());
    sandbox.shell(&prepare).done();
    sandbox.cpulens(&["run", "--resume"]).could_not("only root may change");
    assert!(before > 0 && times(&mark) == before, "{before}");
    sandbox.cpulens(&["run", "--resume", "mine/r.json", "--quiet"]).done();
    assert!(times(&mark) > before);
}

#[test]
fn root_loads_no_module_that_another_account_may_exchange() {
    let Some((sandbox, refused)) = foreign("x.ko", "") else { return };
    for file in refused {
        let kmod = format!("--kmod={file}");
        sandbox
            .cpulens(&["noise", "line", "--rounds", "1", &kmod])
            .could_not("only root may change");
    }
    sandbox.cpulens(&["noise", "line", "--dry-run", "--kmod=mine/x.ko"]).done();
}

/// The program says that it is no server, which is known by running it only.
#[test]
fn root_starts_no_server_that_another_account_may_exchange() {
    let program = "#!/bin/sh\ntouch \"$TMPDIR/mark\"\n";
    let Some((sandbox, _)) = foreign("mariadbd", program) else { return };
    let refused = |server: &str, why: &str| {
        let words =
            ["db", "point-select", "--engine", "mariadb", "--rows", "500", "--format", "json"];
        let ran = sandbox.cpulens(&[&words[..], &["--server", server]].concat());
        assert!(ran.code == 2 && ran.out.contains(why), "{server}: {}{}", ran.out, ran.err);
    };
    for server in ["theirs/mariadbd", "shared/mariadbd", "shared/link"] {
        refused(server, "only root may change");
        assert!(!sandbox.path("mark").exists(), "{server}");
    }
    refused("mine/mariadbd", "no MariaDB or MySQL");
    assert!(sandbox.path("mark").exists());
}
