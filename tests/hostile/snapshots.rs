//! Snapshots whose checksum is right and whose world is not.

use super::case::{count, try_all};
use super::mutate;
use rand::RngExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use throng::geom::Vec2;
use throng::scenario::Scenario;
use throng::world::{Frame, Resume, World};

/// Where the parts of the head begin, as the format has them.
const LENGTH: usize = 28;
const SUM: usize = 36;
const HEAD: usize = 40;

/// A battle with all that a world may have, on a small map.
const BATTLE: &str = r#"
map = "field.map"
step = 0.1
congestion = 4
height = "hill.png"
height_scale = 5
wall_height = 4
[[unit]]
name = "archer"
health = 40
morale = 60
[unit.ranged]
range = 40
damage = 9
speed = 30
ammunition = 20
salvo = 2
cooldown = 1
[[unit]]
name = "pike"
health = 60
morale = 70
[[unit]]
name = "ram"
radius = 0.9
health = 300
breach = 40
[[breakable]]
from = [31, 21]
to = [32, 26]
health = 90
army = "blue"
[[fire]]
position = [12, 4]
size = 1.5
[[trigger]]
name = "late"
at = 2
[[trigger.squad]]
army = "red"
unit = "pike"
count = 8
position = [8, 24]
order = "attack"
[[army]]
name = "red"
[[army.squad]]
unit = "pike"
count = 24
position = [14, 14]
formation = "line"
order = { go_to = [44, 14] }
[[army.squad]]
unit = "archer"
count = 12
position = [18, 30]
order = "attack"
planner = "flow-field"
[[army.squad]]
unit = "ram"
count = 2
position = [27, 23.5]
order = "attack"
[[army.squad]]
unit = "pike"
count = 8
position = [22, 36]
order = { go_to = [50, 36] }
planner = "ara"
[[army]]
name = "blue"
[[army.squad]]
unit = "archer"
count = 12
position = [40, 30]
facing = 180
order = "attack"
[[army.squad]]
unit = "pike"
count = 20
position = [46, 20]
facing = 180
order = { guard = 10 }
planner = "bidirectional"
"#;

fn field() -> String {
    let row = |y: u32| if y % 12 < 4 || y == 35 { ".".repeat(64) } else { format!("{0}@@{0}", ".".repeat(31)) };
    let rows: Vec<String> = (0..42).map(row).collect();
    format!("type octile\nheight 42\nwidth 64\nmap\n{}\n", rows.join("\n"))
}

/// Worlds after some ticks, as the bytes of their snapshots.
fn stored(folder: &Path) -> Vec<Vec<u8>> {
    std::fs::write(folder.join("field.map"), field()).unwrap();
    std::fs::write(folder.join("battle.toml"), BATTLE).unwrap();
    let mut hill = png::Encoder::new(std::fs::File::create(folder.join("hill.png")).unwrap(), 64, 42);
    hill.set_color(png::ColorType::Grayscale);
    let heights: Vec<u8> = (0..42)
        .flat_map(|y| (0..64).map(move |x| (255 - 4 * (x - 32_i32).abs() - 3 * (y - 20_i32).abs()) as u8))
        .collect();
    hill.write_header().unwrap().write_image_data(&heights).unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = [
        (folder.join("battle.toml"), [1, 35, 110]),
        (examples.join("station.toml"), [2, 150, 400]),
        (examples.join("links.toml"), [3, 120, 600]),
    ];
    let mut all = Vec::new();
    for (file, ticks) in files {
        let mut world = Scenario::load(&file).unwrap().0.build(1).unwrap();
        for until in ticks {
            while world.ticks() < until {
                world.tick().unwrap();
            }
            let path = folder.join("a.snapshot");
            world.save(&path).unwrap();
            all.push(std::fs::read(&path).unwrap());
        }
    }
    all
}

/// The bytes with the length and the checksum that belong to them.
fn sign(bytes: &mut [u8]) {
    let length = (bytes.len() - HEAD) as u64;
    bytes[LENGTH..SUM].copy_from_slice(&length.to_le_bytes());
    let mut sum = crc32fast::Hasher::new();
    sum.update(&bytes[..SUM]);
    sum.update(&bytes[HEAD..]);
    let sum = sum.finalize();
    bytes[SUM..HEAD].copy_from_slice(&sum.to_le_bytes());
}

/// All that is shown of a world is a number.
fn check_numbers(world: &World) {
    let mut frame = Frame::default();
    world.frame(&mut frame);
    world.remaining_routes(usize::MAX, &mut frame.remaining_routes);
    let points = frame.position.iter().chain(&frame.heading).chain(&frame.fallen).copied();
    let ways = frame.remaining_routes.iter().flat_map(|route| route.points.iter().copied());
    let squads = world.squads().iter().flat_map(|squad| [squad.centre, squad.middle]);
    for point in points.chain(ways).chain(squads) {
        assert!(Vec2::is_finite(point), "{point}");
    }
    for shot in &frame.shots {
        assert!(shot.at.is_finite() && shot.velocity.is_finite(), "{shot:?}");
    }
    for army in &frame.armies {
        assert!(army.dealt.is_finite() && army.taken.is_finite(), "{army:?}");
    }
    for number in frame.health.iter().chain(&frame.radius) {
        assert!(number.is_finite(), "{number}");
    }
    for (id, _) in world.positions().take(3) {
        let insight = world.insight(id).unwrap();
        assert!(insight.preferred_velocity.is_finite() && insight.aim.is_finite(), "{insight:?}");
    }
    world.standing();
}

#[test]
fn no_snapshot_does_harm() {
    let folder = tempfile::tempdir().unwrap();
    let all = Arc::new(stored(folder.path()));
    let path = Arc::new(folder.path().to_path_buf());
    let (refused, taken) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let counts = (Arc::clone(&refused), Arc::clone(&taken));
    try_all("snapshots", count(6000), move |thread, _, random| {
        let mut bytes = all[random.random_range(0..all.len())].clone();
        mutate::bytes(&mut bytes, HEAD, random);
        sign(&mut bytes);
        let file = path.join(format!("{thread}.snapshot"));
        std::fs::write(&file, &bytes).unwrap();
        match World::restore(&file, Resume { threads: 1, ..Resume::default() }) {
            Err(error) => {
                counts.0.fetch_add(1, Ordering::Relaxed);
                let told = error.to_string();
                assert!(told.starts_with(&file.display().to_string()) && !told.contains('\n'), "{told}");
            }
            Ok(mut world) => {
                counts.1.fetch_add(1, Ordering::Relaxed);
                check_numbers(&world);
                for _ in 0..3 {
                    if world.tick().is_err() {
                        break;
                    }
                    check_numbers(&world);
                }
            }
        }
    });
    let (refused, taken) = (refused.load(Ordering::Relaxed), taken.load(Ordering::Relaxed));
    assert!(refused > taken && taken > refused / 20, "{refused} refused, {taken} taken");
}

/// The seeds of the fuzzer are of this format.
#[test]
fn the_seeds_can_be_read() {
    let seeds = super::files::seeds("snapshot");
    assert!(seeds.len() >= 3);
    for (file, _) in seeds {
        World::restore(&file, Resume { threads: 1, ..Resume::default() }).unwrap();
    }
}

#[test]
#[ignore = "writes fuzz/seeds/snapshot anew: to be run when the format changes"]
fn write_the_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let all = stored(folder.path());
    for (name, bytes) in ["battle", "late_battle", "end_of_battle", "station"].iter().zip(&all) {
        let to = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/snapshot");
        std::fs::write(to.join(format!("{name}.snapshot")), bytes).unwrap();
    }
}
