//! Maps made of a seed, to the last cell: on every machine and with every version.

use std::fmt::Write;
use throng_grid::generate::{Kind, generate};
use throng_grid::geom::mixed;

const HASHES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/maps/golden_maps.txt");

#[test]
fn every_kind_of_map_is_made_as_it_always_was() {
    let mut found = String::new();
    for kind in Kind::ALL {
        let least = kind.least_side();
        for (width, height) in [(least, least), (least + 37, least + 90), (least + 301, least + 265)] {
            for seed in [1, 2, 77] {
                let grid = generate(kind, width, height, seed).unwrap();
                let hash = grid.lattice().cells().fold(0, |hash, cell| {
                    let (open, class, height) = (grid.is_open(cell), grid.terrain(cell), grid.height(cell));
                    mixed(hash ^ (u64::from(open) | u64::from(class) << 1 | u64::from(height) << 9))
                });
                writeln!(found, "{kind} {width} x {height} of {seed}: {hash:016x}").unwrap();
            }
        }
    }
    if std::env::var_os("THRONG_ACCEPT").is_some() {
        std::fs::write(HASHES, &found).unwrap();
    }
    let expected = std::fs::read_to_string(HASHES).unwrap_or_default();
    assert_eq!(
        found, expected,
        "THRONG_ACCEPT=1 writes the list anew; the message of the commit says why it had to change"
    );
}
