//! Stable sorting of lists of any type by one function. `slice::sort_by` is compiled for each list anew, 5 kB each time
//! (`docs/adr/0028`).
use std::{cmp::Ordering, mem};

/// Stable sorting where no sample waits for it.
pub trait Sort<T> {
    /// Sorts as `slice::sort_by` does.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);
    /// Sorts as `slice::sort_by_key` does.
    fn order_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> Sort<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let order = sorted(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        permute(order, &mut |a, b| self.swap(a, b));
    }
    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }
}

/// Old indices of the members, in the new order.
fn sorted(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// Brings every member to its new index: along each cycle of the permutation, member by member.
fn permute(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for first in 0..order.len() {
        let mut to = first;
        loop {
            let from = mem::replace(&mut order[to], to);
            if from == first {
                break;
            }
            swap(to, from);
            to = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists with many equal keys, whose members must keep their order.
    #[test]
    fn lists_are_sorted_as_by_the_standard_library() {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        for count in 0..200 {
            let list: Vec<(u32, String)> =
                (0..count).map(|n| (next() % 20, format!("{n}"))).collect();
            let (mut by_key, mut expected) = (list.clone(), list.clone());
            by_key.order_by_key(|(key, _)| *key);
            expected.sort_by_key(|(key, _)| *key);
            assert_eq!(by_key, expected);
            let (mut descending, mut expected) = (list.clone(), list);
            descending.order_by(|a, b| b.0.cmp(&a.0));
            expected.sort_by_key(|m| std::cmp::Reverse(m.0));
            assert_eq!(descending, expected);
        }
    }
}
