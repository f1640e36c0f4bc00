//! The first screens in the READMEs are what the program prints of a committed record.
use crate::sandbox::{PROGRAM, Ran, Sandbox};
use std::{fs, path::Path};

const RECORD: &str = "fixtures/records/v1/two-node-server.json";
const BEGIN: &str = "readme`. -->\n```text\n";
const END: &str = "```\n";

#[test]
fn the_first_screens_are_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (name, locale) in [("README.md", "en_US.UTF-8"), ("README.zh.md", "zh_CN.UTF-8")] {
        let sandbox = Sandbox::new();
        fs::create_dir_all(sandbox.records_folder()).unwrap();
        fs::copy(root.join(RECORD), sandbox.records_folder().join("two-node-server.json")).unwrap();
        let mut command = sandbox.command(PROGRAM);
        command.env("TZ", "UTC").env("LC_ALL", locale).args(["show", "last"]);
        let shown = Ran::of(&mut command);
        assert_eq!((shown.code, shown.err.as_str()), (0, ""));
        let file = root.join(name);
        let old = fs::read_to_string(&file).unwrap();
        let (head, rest) = old.split_once(BEGIN).unwrap();
        let (_, tail) = rest.split_once(END).unwrap();
        let new = format!("{head}{BEGIN}{}{END}{tail}", shown.out);
        assert!(new.lines().count() <= 90, "{name} has {} lines", new.lines().count());
        if new != old {
            fs::write(&file, &new).unwrap();
            panic!("updated {name}; read the change and run again");
        }
    }
}
