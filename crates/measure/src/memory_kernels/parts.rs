//! A buffer worked on part by part, over and over. A sample then takes as long as asked for, not as long as a pass over a large
//! buffer; every line is used again only after all others.
use kernels::{Line, Run};

/// Bytes of a part: parts of 4 MiB take 2 to 3 % longer to copy than the whole (docs/validation/memory.md).
const BYTES: usize = 16 << 20;

/// Equal parts of a buffer; what is left of the division is not used. A step of the work is one part.
#[derive(Debug)]
pub struct Parts {
    count: usize,
    /// Lines of a part.
    each: usize,
    next: usize,
}

impl Parts {
    /// Parts of about 16 MiB; a smaller buffer is one part.
    pub fn new(lines: &[Line]) -> Parts {
        Parts::of(lines, BYTES)
    }
    /// Parts of about so many bytes.
    pub fn of(lines: &[Line], bytes: usize) -> Parts {
        let count = (size_of_val(lines) / bytes.max(1)).max(1);
        Parts { count, each: lines.len() / count, next: 0 }
    }
    /// The whole buffer as one part.
    pub fn whole(lines: &[Line]) -> Parts {
        Parts { count: 1, each: lines.len(), next: 0 }
    }
    /// Bytes of a part.
    pub fn bytes(&self) -> usize {
        self.each * Line::BYTES
    }
    /// Runs a kernel over all parts of these lines so many times.
    pub fn pass(&mut self, lines: &mut [Line], kernel: Run, times: u64) {
        self.run(lines, kernel, times * self.count as u64);
    }
    /// Runs a kernel over the next parts of these lines.
    pub fn run(&mut self, lines: &mut [Line], kernel: Run, steps: u64) {
        if self.count == 1 {
            std::hint::black_box(kernel(&mut lines[..self.each], steps));
            return;
        }
        for _ in 0..steps {
            let from = self.next * self.each;
            std::hint::black_box(kernel(&mut lines[from..from + self.each], 1));
            self.next = (self.next + 1) % self.count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the steps in the first word of each line.
    fn count(lines: &mut [Line], steps: u64) -> u64 {
        lines.iter_mut().for_each(|line| line.0[0] += steps);
        steps
    }

    #[test]
    fn every_line_of_a_part_is_used_before_one_is_used_again() {
        for (bytes, parts) in [(0, 1), (64, 1), (BYTES, 1), (3 * BYTES, 3), (3 * BYTES + 64, 3)] {
            let mut lines = vec![Line::ZERO; bytes / Line::BYTES];
            let mut all = Parts::new(&lines);
            assert_eq!((all.count, all.bytes()), (parts, bytes / 64 / parts * 64));
            (1..=2 * parts).for_each(|_| all.run(&mut lines, count, 1));
            all.pass(&mut lines, count, 3);
            let used = parts * (lines.len() / parts);
            assert!(lines[..used].iter().all(|line| line.0[0] == 5));
            assert!(lines[used..].iter().all(|line| line.0[0] == 0));
        }
    }
}
