//! One path: inventory, plan, measure, record, analyse, render.

fn main() {}
