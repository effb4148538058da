//! A program in C does what one in Rust does, and the header declares what there is.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use throng_ffi as _;
use throng_grid::geom::Vec2;
use throng_scenario::Scenario;
use throng_sim::battle::Order;
use throng_sim::world::{ArmyId, SquadId, UnitId, World};

const SCENARIO: &str = "map = \"field.map\"\n[[army]]\nname = \"red\"\n[[army.squad]]\ncount = 2\nposition = [10, 20]\n\
                        [[army.squad]]\ncount = 2\nposition = [35, 25]\n";

/// The folder with the library of this build.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_path_buf()
}

/// Builds a program of C, with a compiler that is called as `cc`.
fn compile(source: &Path, program: &Path) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".into()))
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-I"])
        .arg(package.join("include"))
        .arg(source)
        .arg("-L")
        .arg(libraries())
        .args(["-lthrong_ffi", "-o"])
        .arg(program)
        .output()
        .expect("a C compiler is needed, called cc or by $CC");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "finds the library by LD_LIBRARY_PATH")]
fn a_program_in_c_uses_every_call_and_gets_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let map = "type octile\nheight 30\nwidth 40\nmap\n".to_owned() + &(".".repeat(40) + "\n").repeat(30);
    std::fs::write(folder.path().join("field.map"), map).unwrap();
    let scenario = folder.path().join("field.toml");
    std::fs::write(&scenario, SCENARIO).unwrap();
    let program = folder.path().join("crowd");
    compile(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crowd.c"), &program);
    let out = Command::new(&program)
        .arg(&scenario)
        .arg(folder.path().join("crowd.snapshot"))
        .env("LD_LIBRARY_PATH", libraries())
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));

    let mut world: World = Scenario::load(&scenario).unwrap().0.build(1).unwrap();
    let doors = [Vec2::new(4.5, 4.5), Vec2::new(4.5, 6.5)];
    let walkers = world.spawn_walkers(ArmyId(0), UnitId(0), &doors, &[]).unwrap();
    world.walk_to(walkers[0], Vec2::new(30.5, 4.5)).unwrap();
    world.order(SquadId(0), Order::GoTo(Vec2::splat(20.5))).unwrap();
    for tick in 0..600_u16 {
        if tick < 100 {
            world.drive(walkers[1], Vec2::new(4.5 + 0.05 * f32::from(tick), 6.5), Vec2::X).unwrap();
        } else if tick == 100 {
            world.let_go(walkers[1]);
        }
        world.tick().unwrap();
    }
    assert_eq!(String::from_utf8(out.stdout).unwrap().trim(), format!("{:016x}", world.position_hash()));
}

#[test]
fn the_header_declares_each_function_and_the_program_uses_it() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| std::fs::read_to_string(package.join(file)).unwrap();
    let called = |text: &str| -> BTreeSet<String> {
        let word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let names =
            text.match_indices("throng_").filter(|&(at, _)| !text[..at].ends_with(word)).map(|(at, _)| &text[at..]);
        let name = |rest: &str| {
            let end = rest.find(|letter| !word(letter)).unwrap_or(rest.len());
            rest[end..].starts_with('(').then(|| rest[..end].to_owned())
        };
        names.filter_map(name).collect()
    };
    let without_comments = |text: &str| {
        text.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, code)| code)).collect::<String>()
    };
    let source = read("src/lib.rs");
    let exported: BTreeSet<String> =
        source.split("extern \"C\" fn ").skip(1).map(|rest| rest.split('(').next().unwrap().to_owned()).collect();
    assert_eq!(called(&without_comments(&read("include/throng.h"))), exported);
    assert_eq!(called(&without_comments(&read("tests/crowd.c"))), exported);
}
