//! Rows sorted by a key that changes little from frame to frame.

/// Rows in the order of their keys.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    pub(super) key: Vec<u64>,
    pub(super) row: Vec<u32>,
    /// Scratch: keys with rows.
    moved: Vec<(u64, u32)>,
    other: Vec<(u64, u32)>,
}

impl Order {
    /// Bits that one pass of the sort takes.
    const DIGIT_BITS: u32 = 11;

    pub(super) fn clear(&mut self) {
        self.key.clear();
        self.row.clear();
    }

    /// Sorts all rows by keys of `bits` bits: a radix sort, last digit first. O(n) for each digit.
    pub(super) fn sort(&mut self, rows: usize, bits: u32, key: impl Fn(u32) -> u64) {
        self.moved.clear();
        self.moved.extend((0..rows as u32).map(|row| (key(row), row)));
        self.other.resize(rows, (0, 0));
        let digits = bits.div_ceil(Self::DIGIT_BITS).max(1);
        let width = bits.div_ceil(digits);
        let mut starts = [0_u32; 1 << Self::DIGIT_BITS];
        for digit in 0..digits {
            let of = |key: u64| (key >> (digit * width)) as usize & ((1 << width) - 1);
            starts.fill(0);
            for &(key, _) in &self.moved {
                starts[of(key)] += 1;
            }
            let mut sum = 0;
            for start in &mut starts[..1 << width] {
                (*start, sum) = (sum, sum + *start);
            }
            for &entry in &self.moved {
                let start = &mut starts[of(entry.0)];
                self.other[*start as usize] = entry;
                *start += 1;
            }
            std::mem::swap(&mut self.moved, &mut self.other);
        }
        self.clear();
        self.key.extend(self.moved.iter().map(|&(key, _)| key));
        self.row.extend(self.moved.iter().map(|&(_, row)| row));
    }

    /// As [`Order::sort`]. Those whose key is as before are in order still: the others are sorted and merged with them.
    /// O(n + m log m) for m other ones.
    pub(super) fn update(&mut self, rows: usize, bits: u32, key: impl Fn(u32) -> u64) {
        let before = self.row.len();
        let mut kept = 0;
        self.moved.clear();
        for place in 0..before {
            let row = self.row[place];
            if (row as usize) < rows {
                let key = key(row);
                if key == self.key[place] {
                    (self.key[kept], self.row[kept]) = (key, row);
                    kept += 1;
                } else {
                    self.moved.push((key, row));
                }
            }
        }
        self.moved.extend((before..rows).map(|row| (key(row as u32), row as u32)));
        if self.moved.len() > rows / 4 {
            self.sort(rows, bits, key);
            return;
        }
        self.moved.sort_unstable();
        self.key.resize(rows, 0);
        self.row.resize(rows, 0);
        // From the end, so that nothing is written over before it is read.
        let mut place = rows;
        while let Some(&(key, row)) = self.moved.last() {
            place -= 1;
            if kept > 0 && self.key[kept - 1] > key {
                kept -= 1;
                (self.key[place], self.row[place]) = (self.key[kept], self.row[kept]);
            } else {
                (self.key[place], self.row[place]) = (key, row);
                self.moved.pop();
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.key.capacity() * 8 + self.row.capacity() * 4 + (self.moved.capacity() + self.other.capacity()) * 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_are_in_order(
            frames in prop::collection::vec(prop::collection::vec(0..1_u64 << 33, 0..50), 1..6),
            changes in prop::collection::vec((0..50_usize, 0..1_u64 << 33), 0..20),
        ) {
            let mut order = Order::default();
            let check = |order: &Order, keys: &[u64]| {
                let mut rows = order.row.clone();
                rows.sort_unstable();
                assert!(rows.into_iter().eq(0..keys.len() as u32));
                assert!(order.key.is_sorted());
                assert!(order.row.iter().zip(&order.key).all(|(&row, &key)| keys[row as usize] == key));
            };
            for mut keys in frames {
                order.update(keys.len(), 33, |row| keys[row as usize]);
                check(&order, &keys);
                for &(row, key) in &changes {
                    let row = row % keys.len().max(1);
                    if keys.is_empty() {
                        break;
                    }
                    keys[row] = key;
                    order.update(keys.len(), 33, |row| keys[row as usize]);
                    check(&order, &keys);
                }
                keys.truncate(30);
                order.update(keys.len(), 33, |row| keys[row as usize]);
                check(&order, &keys);
            }
        }
    }
}
