//! An account of this machine that would like to have root's rights: that of the database server, which root starts.
use crate::{
    alone::{After, alone, can_isolate},
    sandbox::{Sandbox, possible},
};
use std::path::Path;

/// The account has the name that packages give it, in this mount namespace. It plants links to a file of root under every name
/// that root or the server writes: while the server is installed, and before it is started again.
const LINE: &str = r#"
cp /etc/passwd /run/own; sed -i /^mysql:/d /run/own; echo mysql:x:4242:4242::/:/bin/false >> /run/own
mount --bind /run/own /etc/passwd || exit 77
account() { setpriv --reuid 4242 --regid 4242 --clear-groups "$@"; }
account true || exit 77
mkdir -m 755 /run/data; echo precious > /run/victim; chmod 600 /run/victim; ln -s victim /run/link
db() {
    /run/cpulens db point-select --engine mariadb --data /run/data --rows 500 --points 1 --repeats 1 \
        --windows 2 --seconds 0.05 --warm-up 0.05 --patience 0 --force --record /run/record.json > /dev/null 2>&1
    echo "$1 $?"
}
names="my.cnf error.log lock installed installing pid socket data/pid data/socket data/my.cnf data/ibtmp1
    data/ib_buffer_pool data/aria_log_control data/ddl_recovery.log data/cpulens/x"
plant="for name in $(echo $names); do ln -sfn /run/victim /run/data/server/\$name; done 2> /dev/null"
account sh -c "until [ -e /run/stop ]; do $plant; sleep 0.01; done" & attacker=$!
db meanwhile
touch /run/stop; wait $attacker
rm -r /run/data/server
db alone
account sh -c "$plant"
echo "planted $(find /run/data/server/data -type l | wc -l)"
db planted
touch /run/data/other; chmod 700 /run/data
db unreachable; grep -o "belong to account 4242" /run/record.json
stat -c 'victim %u:%g %a' /run/victim; cat /run/victim
umount /etc/passwd
"#;

#[test]
fn the_account_of_a_server_cannot_lead_root() {
    let there = Path::new("/usr/sbin/mariadbd").exists();
    if !can_isolate() || !possible("there is no mariadbd", there) {
        return;
    }
    let After { code, left, said } = alone(&Sandbox::new(), &format!("({LINE})"), false);
    if !possible("no account can be made", code != 77) {
        return;
    }
    assert_eq!(left, "", "{said}");
    assert!(said.contains("victim 0:0 600\nprecious\n"), "{said}");
    // It had what it needs: the server ran, and there are links.
    assert!(said.contains("alone 0\n") && !said.contains("planted 0\n"), "{said}");
    assert!(said.contains("belong to account 4242"), "{said}");
}
