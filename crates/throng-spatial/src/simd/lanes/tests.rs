//! All levels do the same.

use super::*;
use crate::simd::Level;
use proptest::prelude::*;

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => -20.0..20.0_f32,
        2 => (-3..4_i8).prop_map(f32::from),
        1 => prop::sample::select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -0.0, 1e-40]),
    ]
}

/// Everything that numbers and masks can do, as bits; all NaN alike.
struct All<'a> {
    a: &'a [f32; LANES],
    b: &'a [f32; LANES],
    bits: u16,
    column: &'a [f32],
    points: &'a [[f32; 2]],
    at: &'a [u32; LANES],
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl Kernel for All<'_> {
    type Output = Vec<u32>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Vec<u32> {
        let (a, b) = (lanes.load(self.a), lanes.load(self.b));
        let (x, y) = lanes.gather_points(self.points, self.at);
        let masks = [lanes.less(a, b), lanes.at_most(a, b), lanes.mask(self.bits)];
        let numbers = [
            a + b,
            a - b,
            a * b,
            a / b,
            lanes.sqrt(a),
            -a,
            lanes.abs(a),
            lanes.min(a, b),
            lanes.max(a, b),
            lanes.select(masks[0], a, b),
            lanes.select(masks[2], a, b),
            lanes.gather(self.column, self.at),
            x,
            y,
        ];
        let plain = |x: f32| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() };
        let mut all: Vec<u32> = numbers.into_iter().flat_map(|v| lanes.store(v)).map(plain).collect();
        let [less, at_most, chosen] = masks;
        let more = [less & chosen, less | chosen, at_most & !chosen];
        all.extend(masks.into_iter().chain(more).map(|mask| u32::from(lanes.bits(mask))));
        all.extend(lanes.whole(lanes.abs(x)));
        let (size_a, size_b) = (lanes.abs(a), lanes.abs(b));
        let finite = [size_a, size_b].map(|numbers| lanes.less(numbers, lanes.splat(f32::INFINITY)));
        let [low, high] = [lanes.keys(chosen & finite[0], size_a, 7), lanes.keys(less & finite[1], size_b, 201)];
        let (least, greatest) = lanes.order(low, high);
        all.extend(
            [low, least, greatest, lanes.load_keys(self.at)].into_iter().flat_map(|keys| lanes.store_keys(keys)),
        );
        all.extend([lanes.alike(low, high), lanes.alike(low, least)].map(u32::from));
        let lists: Vec<u32> = (0..17 * LANES as u32).collect();
        for k in 0..=17 {
            let mut ranks = [[0; LANES]; 17];
            lanes.ranks(&lists, k, &mut ranks);
            all.extend(ranks.into_iter().flatten());
        }
        let (mut far, mut name) = ([0.0; LANES], [0; LANES]);
        let count = lanes.squeeze(chosen, a, self.at, &mut far, &mut name);
        all.push(count as u32);
        all.extend(far[..count].iter().copied().map(plain));
        all.extend(&name[..count]);
        all
    }
}

proptest! {
    #[test]
    fn all_levels_have_the_same_bits(
        a in prop::collection::vec(number(), LANES),
        b in prop::collection::vec(number(), LANES),
        bits: u16,
        column in prop::collection::vec(-99.0..99.0_f32, 30),
        at in prop::collection::vec(0..15_u32, LANES),
    ) {
        let (a, b, at) = (a.try_into().unwrap(), b.try_into().unwrap(), at.try_into().unwrap());
        let points = column.as_chunks().0;
        let run = |level: Level| level.run(All { a: &a, b: &b, bits, column: &column, points, at: &at });
        let levels = Level::available();
        let expected = run(levels[0]);
        for level in levels {
            prop_assert_eq!(&run(level), &expected, "{:?}", level);
        }
    }
}

struct Beyond;

impl Kernel for Beyond {
    type Output = ();

    fn run<L: Lanes>(self, lanes: L) {
        lanes.gather_points(&[[0.0; 2]; 3], &[3; LANES]);
    }
}

#[test]
fn places_are_checked_at_every_level() {
    for level in Level::available() {
        assert!(std::panic::catch_unwind(|| level.run(Beyond)).is_err(), "{level:?}");
    }
}
