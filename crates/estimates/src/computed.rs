//! The analyses of a report that were computed so far, one of each type. A value stays where it is, so it can be borrowed while
//! others are added.
use std::{any::Any, cell::OnceCell, rc::Rc};

/// A list that grows at its end.
#[derive(Debug, Default)]
pub(crate) struct Computed(OnceCell<Box<Node>>);

#[derive(Debug)]
struct Node {
    value: Rc<dyn Any>,
    next: Computed,
}

impl Computed {
    /// The value of this type. `compute` may ask for values of other types.
    pub(crate) fn get_or_compute<T: Any>(&self, compute: impl FnOnce() -> T) -> &T {
        let mut end = self;
        while let Some(node) = end.0.get() {
            if let Some(value) = node.value.downcast_ref() {
                return value;
            }
            end = &node.next;
        }
        let value: Rc<dyn Any> = Rc::new(compute());
        // Others may have been added meanwhile.
        loop {
            let node = || Box::new(Node { value: Rc::clone(&value), next: Computed::default() });
            let node = end.0.get_or_init(node);
            if let Some(value) = node.value.downcast_ref() {
                return value;
            }
            end = &node.next;
        }
    }
    /// Replaces the value of this type.
    pub(crate) fn set<T: Any>(&mut self, value: T) {
        // The first of a type counts.
        let next = std::mem::take(self);
        *self = Computed(OnceCell::from(Box::new(Node { value: Rc::new(value), next })));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_value_is_computed_once_and_may_need_another() {
        let computed = Computed::default();
        let times = Cell::new(0);
        let needed = || {
            computed.get_or_compute(|| {
                times.set(times.get() + 1);
                7u8
            })
        };
        let sum: &u32 = computed.get_or_compute(|| u32::from(*needed()) + 1);
        assert_eq!((*sum, *needed(), times.get()), (8, 7, 1));
        assert_eq!(computed.get_or_compute(|| 0u32), &8);
    }

    #[test]
    fn a_value_that_is_set_counts_before_and_after_it_was_computed() {
        let mut computed = Computed::default();
        computed.set(1u8);
        assert_eq!(computed.get_or_compute(|| 2u8), &1);
        computed.set(3u8);
        assert_eq!(computed.get_or_compute(|| 4u8), &3);
    }
}
