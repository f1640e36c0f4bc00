use super::*;

#[test]
fn words_stay_whole_and_lines_within_the_width() {
    let text = "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled";
    let lines = wrapped(text, 60);
    assert!(lines.iter().all(|l| columns(l) <= 60), "{lines:?}");
    assert_eq!(lines.join(" "), text);
    assert_eq!(wrapped("abcdefgh", 5), ["abcde", "fgh"]);
    let path = "[/sys/kernel/mm/transparent_hugepage/enabled]";
    assert_eq!(wrapped(path, 26), ["[/sys/kernel/mm/", "transparent_hugepage/", "enabled]"]);
    assert_eq!(wrapped("/proc/sys/vm/numa_balancing", 22), ["/proc/sys/vm/", "numa_balancing"]);
    assert_eq!(wrapped("大页大页大", 3), ["大", "页", "大", "页", "大"]);
    assert_eq!(wrapped("peak, 69 % each", 9), ["peak,", "69 % each"]);
    assert_eq!(wrapped("round trip 76.7 ns, 3 a", 17), ["round trip", "76.7 ns, 3 a"]);
    assert_eq!(wrapped("漂移 30 %，两次", 10), ["漂移", "30 %，两次"]);
    assert_eq!(wrapped("缓存（CAT）一半", 8), ["缓存", "（CAT）", "一半"]);
}

#[test]
fn chinese_breaks_between_characters_and_not_before_a_comma() {
    let lines = wrapped("内存延时，大页，使用大页", 8);
    assert!(lines.iter().all(|l| columns(l) <= 8), "{lines:?}");
    assert!(lines.iter().all(|l| !l.starts_with('，')), "{lines:?}");
    assert_eq!(lines.concat(), "内存延时，大页，使用大页");
}

#[test]
fn columns_are_aligned_by_width_not_by_characters() {
    let mut grid = Grid::new("", &[("值", true)]);
    grid.row("内存延时".into(), vec!["1 ns".into()]);
    grid.row("L1".into(), vec!["20 ns".into()]);
    let lines = grid.lines(40);
    assert_eq!(lines[1], "内存延时   1 ns");
    assert_eq!(lines[2], "L1        20 ns");
    assert!(grid.lines(20).iter().all(|l| columns(l) <= 20));
}

#[test]
fn a_last_column_of_text_is_wrapped_in_its_column() {
    let mut grid = Grid::new("", &[("median", true), ("", false)]);
    grid.row("L3 latency".into(), vec!["18 ns".into(), "as expected, 25 ns on 4 KiB".into()]);
    let lines = grid.lines(34);
    assert_eq!(lines[1], "L3 latency   18 ns  as expected,");
    assert_eq!(lines[2], "                    25 ns on 4 KiB");
    assert_eq!(lines.len(), 3);
}

/// A screen of 80 columns has room for the longest names of a NUMA matrix.
#[test]
fn a_label_that_has_room_is_one_line() {
    let label = "NUMA matrix idle latency: sequential, from node 10 to node 11";
    let mut grid = Grid::new("", &[("value", true)]);
    grid.row(label.into(), vec!["82.1 ns".into()]);
    assert_eq!(grid.lines(80).len(), 2);
    let lines = grid.lines(60);
    assert!(lines.len() > 2 && lines.iter().all(|l| columns(l) <= 60), "{lines:?}");
    // Only a row begins at the margin.
    assert!(lines[2..].iter().all(|line| line.starts_with("  ")), "{lines:?}");
}

#[test]
fn a_long_label_is_wrapped_before_a_number_leaves_its_column() {
    let records = ["r0", "r1", "r2", "r3", "r4"].map(|name| (name, true));
    let mut grid = Grid::new("Side by side", &records);
    let row = |grid: &mut Grid, label: &str| grid.row(label.into(), vec!["19.6 GB/s".into(); 5]);
    row(&mut grid, "Cache bandwidth, 8 KiB");
    row(&mut grid, "Memory bandwidth, all cores, copy");
    let lines = grid.lines(80);
    assert!(lines.iter().all(|line| columns(line) <= 80 && !line.contains("r4 19.6")), "{lines:?}");
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert_eq!(lines[3], "  cores, copy");
}

#[test]
fn a_text_goes_below_where_its_column_is_too_narrow() {
    let mut grid = Grid::new("", &[("median", true), ("", false)]);
    grid.row("L3 latency".into(), vec!["18 ns".into(), "18 % less".into()]);
    grid.row("Bandwidth".into(), vec!["34 GB/s".into(), "modes 30 (2) or 60 (3)".into()]);
    let lines = grid.lines(31);
    assert_eq!(
        lines[1..],
        ["L3 latency    18 ns  18 % less", "Bandwidth   34 GB/s", "    modes 30 (2) or 60 (3)"]
    );
}

#[test]
fn a_long_name_in_several_commands_is_a_variable() {
    let long = "/root/records/20261127T210806.215014Z-machine-798.json.zst";
    let all = ["show NAME --full", "diagnose NAME", "run"].map(|c| c.replace("NAME", long));
    let lines = commands("N  ", &all, 60);
    assert_eq!(lines[0], format!("N  R={long};"));
    assert_eq!(lines[1..], ["   show $R --full   diagnose $R   run"]);
    let short = ["show last --full", "diagnose last"].map(String::from);
    assert_eq!(commands("N  ", &short, 60), ["N  show last --full   diagnose last"]);
    // It is in one command only, or part of a quoted name.
    let once = ["show NAME --full", "run"].map(|c| c.replace("NAME", long));
    assert!(commands("N  ", &once, 60).iter().all(|line| !line.contains('$')));
    let quoted = format!("'{long} 2'");
    let all = ["show NAME --full", "diagnose NAME"].map(|c| c.replace("NAME", &quoted));
    assert!(commands("N  ", &all, 60).iter().all(|line| !line.contains('$')));
}

#[test]
fn commands_can_be_pasted_and_no_word_is_broken() {
    let all = ["a --full", "a long --command", "b"].map(str::to_owned);
    let lines = commands("N  ", &all, 17);
    assert_eq!(lines, ["N  a --full", "   a long \\", "     --command", "   b"]);
    let mut grid = Grid::new("", &[("", true), ("", false)]).of_commands(true);
    grid.row("faster".into(), vec!["1.1 x".into(), "cpulens run --only bandwidth".into()]);
    let test = ["    cpulens run --only \\", "      bandwidth"];
    assert_eq!(grid.lines(30), ["faster  1.1 x", test[0], test[1]]);
}

#[test]
fn a_cell_below_its_label_says_what_it_is() {
    let mut grid = Grid::new("", &[("median", true), ("95 % CI", true), ("", false)]);
    grid.row("Memory latency".into(), vec!["240 ns".into(), "190-300".into(), "far".into()]);
    assert_eq!(grid.lines(24)[1..], ["Memory latency  240 ns", "    95 % CI 190-300", "    far"]);
}

#[test]
fn items_flow_behind_their_heading() {
    let items: Vec<String> = ["one two", "three", "four"].map(str::to_owned).into();
    assert_eq!(flow("A  ", &items, ", ", 17), ["A  one two,", "   three, four"]);
    assert_eq!(flow("A  ", &items, ", ", 18), ["A  one two, three,", "   four"]);
    assert_eq!(flow("A name  ", &items, ", ", 18), ["A name  one two,", "  three, four"]);
    assert_eq!(
        flow("A longer name  ", &items, ", ", 18),
        ["A longer name", "one two, three,", "four"]
    );
}
