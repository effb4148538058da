//! The searches at every level, against the plainest.

use super::*;
use crate::tests::{Crowd, LIES, SIZES, Size};
use crate::{DenseGrid, HashGrid, Near, TwoLevelGrid};

/// All levels give the same answers, those of the plainest, in the same order.
fn levels_agree<const D: usize, I: Nearby<D> + Default>(size: Size) {
    for (i, lie) in LIES.into_iter().enumerate() {
        let crowd = Crowd::<D>::new(lie, size, 300, i as u64);
        let bodies = crowd.bodies();
        let mut index = I::default();
        index.rebuild(bodies).unwrap();
        let scale = (crowd.position[0][0].abs() * 2e-7).max(1.0);
        let answers = |level| {
            let (mut seen, mut lists, mut near) = (Vec::new(), Vec::new(), Near::default());
            for (row, &at) in crowd.position.iter().enumerate().step_by(17) {
                let _ = within(&index, level, at, 3.0 * scale, |row, squared| {
                    seen.push((row, squared.to_bits()));
                    ControlFlow::Continue(())
                });
                let odd = |row| row % 5 > 0;
                seen.extend(
                    nearest(&index, level, bodies, at, 40.0 * scale, odd)
                        .map(|(row, squared)| (row, squared.to_bits())),
                );
                let mut found = Vec::new();
                k_nearest(&index, level, bodies, at, row % 23, 40.0 * scale, odd, &mut found);
                lists.push(found);
            }
            near.reset(bodies.len(), 12);
            for (i, stretch) in near.stretches(64).enumerate() {
                neighbours(&index, level, bodies, i * 64, 9.0 * scale, stretch);
            }
            (seen, lists, near)
        };
        let expected = answers(Level::available()[0]);
        for level in Level::available() {
            assert!(answers(level) == expected, "{lie:?}, {level:?}");
        }
    }
}

#[test]
fn all_levels_answer_questions_alike() {
    for size in SIZES {
        levels_agree::<2, DenseGrid>(size);
        levels_agree::<2, TwoLevelGrid>(size);
        levels_agree::<2, HashGrid<2>>(size);
        levels_agree::<3, HashGrid<3>>(size);
    }
}
