#![no_main]
use libfuzzer_sys::fuzz_target;
use std::sync::Once;
use throng::scenario::Scenario;
use throng_fuzz::{file, told};

/// The map that the scenarios name.
const MAP: &[u8] = b"type octile\nheight 6\nwidth 12\nmap\n............\n....@@......\n....@@..SS..\n........SS..\n............\n............\n";

/// The library that they name.
const UNITS: &[u8] = b"[[unit]]\nname = \"swordsman\"\nhealth = 30\n[[unit]]\nname = \"giant\"\nradius = 2\n";

/// The heights that they name: as many pixels.
const HEIGHTS: &[u8] = include_bytes!("../seeds/heights/wide.png");

fuzz_target!(|bytes: &[u8]| {
    static MAPS: Once = Once::new();
    MAPS.call_once(|| {
        file("a.map", MAP);
        file("a.png", HEIGHTS);
        file("units.toml", UNITS);
    });
    let Some((scenario, warnings)) = told(Scenario::load(file("a.toml", bytes))) else { return };
    assert!(warnings.iter().all(|warning| !warning.to_string().contains('\n')));
    if scenario.agents() > 200 {
        return;
    }
    let Some(mut world) = told(scenario.build(1)) else { return };
    for _ in 0..3 {
        told(world.tick());
    }
});
