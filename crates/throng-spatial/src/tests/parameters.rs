//! Every parameter of every kind, to the ends of its range and beyond: refused in words, or bounded and exact.

use super::{Asked, Crowd, Lie, Size, agrees, sorted_pairs};
use crate::volume::Aabb;
use crate::{BruteForce, Index, IndexKind, IndexSpec, Parameter, SpatialIndex, Tuning};
use rand::SeedableRng;
use rand_pcg::Pcg32;
use std::ops::ControlFlow;

/// The values of a kind's parameter that are in its range: the ends of it and some between, or its names.
fn values(kind: IndexKind, parameter: Parameter) -> Vec<String> {
    let expected = parameter.expected(kind);
    let ends: Vec<&str> = expected.split(' ').filter(|word| word.parse::<f64>().is_ok()).collect();
    match (parameter.names(), &ends[..]) {
        ([], &[low, high]) => {
            let middle = ["1.5", "2", "30"].iter().filter(|middle| {
                let (middle, low, high): (f64, f64, f64) =
                    (middle.parse().unwrap(), low.parse().unwrap(), high.parse().unwrap());
                (low..high).contains(&middle) && (middle.fract() == 0.0 || expected.starts_with("a number"))
            });
            [low, high].into_iter().chain(middle.copied()).map(str::to_owned).collect()
        }
        ([], _) => panic!("{expected} has no two ends"),
        (names, _) => names.iter().map(|name| (*name).to_owned()).collect(),
    }
}

/// Every kind with one of its parameters at a time.
fn specs() -> Vec<IndexSpec> {
    let of = |kind: IndexKind| Parameter::of(kind).map(move |parameter| (kind, parameter));
    let texts = IndexKind::ALL.into_iter().flat_map(of).flat_map(|(kind, parameter)| {
        values(kind, parameter).into_iter().map(move |value| format!("{kind}:{}={value}", parameter.name()))
    });
    texts.map(|text| text.parse().unwrap()).collect()
}

/// Whatever a library user may put into a tuning.
fn tunings() -> Vec<Tuning> {
    let none = Tuning::default;
    let numbers =
        [f32::NAN, 0.0, -0.0, -1.0, f32::MIN_POSITIVE, 1e-30, 1e-6, 1e30, f32::MAX, f32::INFINITY, -f32::INFINITY];
    let of = |x: f32| {
        [
            Tuning { cell: Some(x), ..none() },
            Tuning { reach: Some(x), ..none() },
            Tuning { looseness: Some(x), ..none() },
            Tuning { cell: Some(x), capacity: Some(1), looseness: Some(x), ..none() },
        ]
    };
    let counts =
        [0, 1, 2, 1 << 20, usize::MAX].map(|count| Tuning { capacity: Some(count), sections: Some(count), ..none() });
    numbers.into_iter().flat_map(of).chain(counts).collect()
}

/// Exact, and within bounds of memory and of work: of cells that there are, of cells that a body's neighbourhood has, and of
/// tests. Nothing here depends on a clock.
fn is_exact_and_bounded(name: &str, mut index: Index) {
    for (lie, size, n) in [
        (Lie::Uniform, Size::Equal, 60),
        (Lie::Sparse, Size::Mixed, 40),
        (Lie::Scattered, Size::Giants, 40),
        (Lie::Lattice, Size::Zero, 50),
        (Lie::Coincident, Size::Equal, 20),
    ] {
        let mut crowd = Crowd::<2>::new(lie, size, n, 2);
        Asked::rebuild(&mut index, crowd.bodies()).unwrap();
        for _ in 0..2 {
            let (found, tests) = sorted_pairs::<2>(&index, crowd.bodies());
            let (expected, most) = sorted_pairs::<2>(&BruteForce, crowd.bodies());
            assert!(found == expected && tests <= most, "{name}: {lie:?}: {tests} tests of {most}");
            crowd.stir();
            Asked::update(&mut index, crowd.bodies()).unwrap();
        }
    }
    let crowd = Crowd::<2>::new(Lie::Uniform, Size::Mixed, 60, 4);
    Asked::rebuild(&mut index, crowd.bodies()).unwrap();
    agrees(&index, crowd.bodies(), &mut Pcg32::seed_from_u64(1), name);
    for (lie, size) in [(Lie::Uniform, Size::Equal), (Lie::Sparse, Size::Mixed), (Lie::Scattered, Size::Giants)] {
        let n = 400;
        let crowd = Crowd::<2>::new(lie, size, n, 3);
        Asked::rebuild(&mut index, crowd.bodies()).unwrap();
        let bytes = SpatialIndex::<2>::bytes(&index);
        assert!(bytes <= 3000 * n, "{name}: {lie:?}: {bytes} bytes");
        let cells = Asked::<2>::census(&index).cells;
        assert!(cells <= 8 * n, "{name}: {lie:?}: {cells} cells");
        if index.kind() == Some(IndexKind::Hash) && size == Size::Equal {
            // Its empty cells are looked up one by one: there are never many about a body.
            assert!(SpatialIndex::<2>::spacing(&index) >= 0.25, "{name}");
        }
        let [x, y] = crowd.position[7];
        let mut seen = 0;
        let box_of_body = Aabb { low: [x - 1.5, y - 1.5], high: [x + 1.5, y + 1.5] };
        let _ = SpatialIndex::<2>::cells(&index, &box_of_body, |_, _| {
            seen += 1;
            ControlFlow::Continue(())
        });
        assert!(seen <= 8 * n, "{name}: {lie:?}: {seen} cells about a body");
    }
}

#[test]
fn what_is_in_range_is_bounded_and_exact() {
    let specs = specs();
    assert!(specs.len() > 70, "{}", specs.len());
    for spec in specs {
        is_exact_and_bounded(&spec.to_string(), Index::from(spec));
    }
}

#[test]
fn whatever_a_tuning_holds_is_bounded_and_exact() {
    for kind in IndexKind::ALL {
        let mut tried = Vec::new();
        for tuning in tunings() {
            let text = format!("{:?}", tuning.heeded_by(kind));
            if !tried.contains(&text) {
                is_exact_and_bounded(&format!("{kind} {text}"), Index::tuned(kind, &tuning));
                tried.push(text);
            }
        }
    }
}

#[test]
fn what_is_out_of_range_is_refused_in_words() {
    for kind in IndexKind::ALL {
        for parameter in Parameter::of(kind) {
            let (name, expected) = (parameter.name(), parameter.expected(kind));
            let high: f64 = values(kind, parameter)[1].parse().unwrap_or(0.0);
            let beyond = (high * 2.0).to_string();
            let wrong =
                ["", " ", "0", "-0", "-1", "nan", "NaN", "inf", "-inf", "1e-30", "1e39", "0x10", "1,5", "two", &beyond];
            let fractions: &[&str] =
                if expected.starts_with("a whole") { &["1.5", "18446744073709551616"] } else { &[] };
            for value in wrong.iter().chain(fractions) {
                let error = format!("{kind}:{name}={value}").parse::<IndexSpec>().unwrap_err().to_string();
                assert_eq!(error, format!("the {name} of the index {kind} must be {expected}, found {value:?}"));
            }
        }
    }
}
