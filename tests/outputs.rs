//! What a run leaves behind: trajectories as text, the walkable area, figures over time, animated PNGs.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;
use throng::geom::Vec2;
use throng::grid::{Grid, Lattice};
use throng::record::{Film, Picture, Sink, Statistics, Trajectories, TrajectoryText, palette, write_apng};
use throng::world::{ArmyCount, Frame};

fn frame(tick: u64) -> Frame {
    let army = |name: &str, dead: u32| ArmyCount { name: name.into(), alive: 3 - dead.min(3), dead };
    let x = tick as f32 * 0.1;
    Frame {
        tick,
        time: tick as f64 * f64::from(0.05_f32),
        id: vec![2, 0, 1],
        position: vec![Vec2::new(3.25, x), Vec2::new(1.0, 1.0), Vec2::new(x, -0.00001)],
        heading: vec![Vec2::X; 3],
        armies: vec![army("red", 0), army("blue, the second", tick as u32 / 2)],
        asleep: 1,
        stage_ms: [0.5; 10],
        tick_ms: 5.0,
        ..Frame::default()
    }
}

fn record(mut sink: impl Sink, ticks: impl Iterator<Item = u64>) -> String {
    ticks.for_each(|tick| sink.frame(&frame(tick)).unwrap());
    std::fs::read_to_string(Box::new(sink).finish().unwrap()).unwrap()
}

/// The frames a second and the rows of a text of trajectories.
fn parse(text: &str) -> (f64, BTreeMap<(u64, u32), [f64; 2]>) {
    let mut lines = text.lines();
    let rate = lines.next().unwrap().strip_prefix("# framerate: ").unwrap().strip_suffix(" fps").unwrap();
    assert_eq!(lines.next(), Some("# id frame x/m y/m z/m"));
    let rows: Vec<_> = lines
        .map(|line| {
            let [id, frame, x, y, z] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
            assert_eq!(z, "0");
            ((frame.parse().unwrap(), id.parse().unwrap()), [x, y].map(|number| number.parse().unwrap()))
        })
        .collect();
    assert!(rows.is_sorted_by(|a, b| a.0 < b.0), "rows are in the order of frame and id");
    (rate.parse().unwrap(), rows.into_iter().collect())
}

#[test]
fn trajectories_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let sink = || TrajectoryText::create(&path, 0.05, 2, [-10.0, 5.0]).unwrap();
    let text = record(sink(), [0, 2].into_iter());
    assert_eq!(
        text,
        "# framerate: 10.0 fps\n# id frame x/m y/m z/m\n0 0 -9.0000 6.0000 0\n1 0 -10.0000 5.0000 0\n2 0 -6.7500 5.0000 0\n\
         0 1 -9.0000 6.0000 0\n1 1 -9.8000 5.0000 0\n2 1 -6.7500 5.2000 0\n"
    );
    let (rate, rows) = parse(&text);
    assert_eq!((rate, rows.len(), rows[&(1, 2)]), (10.0, 6, [-6.75, 5.2]));
    assert!(record(TrajectoryText::create(&path, 0.1, 1, [0.0; 2]).unwrap(), 0..1).contains("\n1 0 0.0000 0.0000 0\n"));
    // Dropped, it leaves what was there.
    let mut dropped = sink();
    dropped.frame(&frame(0)).unwrap();
    drop(dropped);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let nowhere = folder.path().join("no/a.txt");
    let message = TrajectoryText::create(&nowhere, 0.1, 1, [0.0; 2]).unwrap_err().to_string();
    assert!(message.starts_with(&format!("{}: cannot be written: ", nowhere.display())), "{message}");
}

#[test]
fn figures_over_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    // Two of three walk 0.1 m in each tick of 0.05 s.
    assert_eq!(
        record(Statistics::create(&path).unwrap(), [0, 2, 4].into_iter()),
        "tick,time_s,agents,asleep,speed_m_s,red_alive,red_dead,\"blue, the second_alive\",\"blue, the second_dead\"\n\
         0,0,3,1,,3,0,3,0\n2,0.1,3,1,1.3333,3,0,2,1\n4,0.2,3,1,1.3333,3,0,1,2\n"
    );
    let text = record(Statistics::create(&path).unwrap().with_times(), 7..8);
    let (names, row) = text.split_once('\n').unwrap();
    assert!(names.ends_with("_dead\",tick_ms,edits_ms,deliver_ms,reap_ms,battle_ms,command_ms,steer_ms,neighbours_ms,avoid_ms,integrate_ms,ask_ms"), "{names}");
    assert!(row.ends_with(&format!(",5.0000{}\n", ",0.5000".repeat(10))), "{row}");
    // Somebody who was away is no fast walker.
    let mut sink = Statistics::create(&path).unwrap();
    for (tick, x) in [(0, Some(0.0)), (1, None), (2, Some(90.0)), (3, Some(90.5))] {
        let (id, position) = x.map(|x| (5, Vec2::new(x, 0.0))).into_iter().unzip();
        sink.frame(&Frame { tick, time: tick as f64, id, position, ..Frame::default() }).unwrap();
    }
    let text = std::fs::read_to_string(Box::new(sink).finish().unwrap()).unwrap();
    assert_eq!(text, "tick,time_s,agents,asleep,speed_m_s\n0,0,1,0,\n1,1,0,0,\n2,2,1,0,\n3,3,1,0,0.5000\n");
}

/// Which cells are in the largest part of a map, one row after the other, found by growing parts cell by cell.
fn largest(grid: &Grid) -> Vec<bool> {
    let lattice = grid.lattice();
    let mut seen = vec![false; lattice.len()];
    let mut best = Vec::new();
    for start in lattice.cells() {
        let mut part = vec![start];
        let mut i = 0;
        while i < part.len() {
            let (cell, (x, y)) = (part[i], lattice.column_row(part[i]));
            i += 1;
            if seen[cell.index()] || !grid.is_open(cell) {
                i -= 1;
                part.swap_remove(i);
                continue;
            }
            seen[cell.index()] = true;
            let (x, y) = (i64::from(x), i64::from(y));
            part.extend(
                [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
                    .into_iter()
                    .filter_map(|(x, y)| lattice.checked_cell(x, y)),
            );
        }
        if part.len() > best.len() {
            best = part;
        }
    }
    lattice.cells().map(|cell| best.contains(&cell)).collect()
}

/// The rings of a polygon with whole coordinates.
fn rings(wkt: &str) -> Vec<Vec<[i64; 2]>> {
    let inner = wkt.strip_prefix("POLYGON ((").unwrap().strip_suffix("))").unwrap();
    let point =
        |text: &str| text.split(' ').map(|number| number.parse().unwrap()).collect::<Vec<_>>().try_into().unwrap();
    inner.split("), (").map(|ring| ring.split(", ").map(point).collect()).collect()
}

fn wkt(grid: &Grid) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    Box::new(Trajectories::on_map(&path, 0.1, 1, grid).unwrap()).finish().unwrap();
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.query_row("SELECT wkt FROM geometry", [], |row| row.get(0)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn the_walkable_area_is_one_valid_polygon(
        width in 1_u32..14, height in 1_u32..14, walls in 1_u32..8, seed in any::<u64>(),
    ) {
        let lattice = Lattice::new(width, height, 1.0).unwrap();
        let mut grid = Grid::open_plain(lattice);
        let mut random = seed;
        for cell in lattice.cells() {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            grid.set_open(cell, (random >> 33) % 10 >= u64::from(walls));
        }
        let inside = largest(&grid);
        prop_assume!(inside.contains(&true));
        let rings = rings(&wkt(&grid));
        let mut corners_passed = 0;
        let area = |ring: &[[i64; 2]]| ring.windows(2).map(|p| p[0][0] * p[1][1] - p[1][0] * p[0][1]).sum::<i64>() / 2;
        prop_assert!(area(&rings[0]) > 0 && rings[1..].iter().all(|ring| area(ring) < 0));
        for ring in &rings {
            prop_assert_eq!(ring.first(), ring.last());
            // Every corner of a cell that the ring passes, once: it does not touch itself.
            let mut passed: Vec<_> = ring.windows(2).flat_map(|pair| {
                let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
                let length = (x1 - x0).abs() + (y1 - y0).abs();
                assert!(x0 == x1 || y0 == y1);
                (0..length).map(move |i| [x0 + (x1 - x0).signum() * i, y0 + (y1 - y0).signum() * i])
            }).collect();
            corners_passed += passed.len();
            passed.sort_unstable();
            prop_assert!(passed.windows(2).all(|pair| pair[0] != pair[1]), "{ring:?}");
        }
        let mut sides = 0;
        for (cell, &expected) in lattice.cells().zip(&inside) {
            let (x, y) = lattice.column_row(cell);
            let (x, y) = (i64::from(x), i64::from(y));
            // Upright sides to the right of the cell.
            let crossed = rings.iter().flat_map(|ring| ring.windows(2)).filter(|pair| {
                let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
                x0 == x1 && x0 > x && y0.min(y1) <= y && y < y0.max(y1)
            });
            prop_assert_eq!(crossed.count() % 2 == 1, expected, "{} {}", x, y);
            let beside = |x, y| lattice.checked_cell(x, y).is_some_and(|_| inside[(y * i64::from(width) + x) as usize]);
            let around = [beside(x - 1, y), beside(x + 1, y), beside(x, y - 1), beside(x, y + 1)];
            sides += if expected { around.iter().filter(|&&other| !other).count() } else { 0 };
        }
        prop_assert_eq!(corners_passed, sides);
    }
}

/// The pictures of an animated PNG, each drawn over the one before, and how long each is shown (1/100 s).
fn play(path: &Path) -> Vec<(Vec<u8>, u16)> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    assert_eq!(reader.info().palette.as_deref(), Some(&palette::palette()[..]));
    let control = *reader.info().animation_control().unwrap();
    assert_eq!(control.num_plays, 0);
    let width = reader.info().width as usize;
    let mut screen = vec![u8::MAX; reader.output_buffer_size().unwrap()];
    let mut drawn = screen.clone();
    (0..control.num_frames)
        .map(|_| {
            reader.next_frame(&mut drawn).unwrap();
            let part = *reader.info().frame_control().unwrap();
            assert_eq!(part.delay_den, 100);
            for (y, row) in drawn.chunks(part.width as usize).take(part.height as usize).enumerate() {
                let left = (part.y_offset as usize + y) * width + part.x_offset as usize;
                for (pixel, &new) in screen[left..].iter_mut().zip(row) {
                    *pixel = if new == palette::KEEP { *pixel } else { new };
                }
            }
            (screen.clone(), part.delay_num)
        })
        .collect()
}

#[test]
fn an_animated_png_plays_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.apng");
    let (base, camera) = Picture::map(&Grid::open_plain(Lattice::new(50, 40, 1.0).unwrap()), 150);
    let pictures = [1.0, 1.0, 8.0, 30.0, 30.0, 49.0].map(|x| {
        let mut picture = base.clone();
        picture.draw_agents(camera, &[Vec2::new(x, 20.0)], &[Vec2::X], &[0.8], &[palette::army(0)]);
        picture
    });
    let shown: Vec<_> = pictures.iter().zip([7, 7, 7, 7, 7, 250]).collect();
    write_apng(&path, &shown).unwrap();
    let played = play(&path);
    assert_eq!(played.len(), 6);
    for (i, ((screen, delay), (picture, expected))) in played.iter().zip(&shown).enumerate() {
        assert!(screen == &picture.pixels, "frame {i}");
        assert_eq!(delay, expected);
    }
    // Programs that know no animations show the first.
    let mut reader = png::Decoder::new(BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
    let mut first = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut first).unwrap();
    assert!(first == pictures[0].pixels);

    let small = Picture::new(3, 2, palette::FLOOR);
    let message = write_apng(&path, &[(&pictures[0], 7), (&small, 7)]).unwrap_err().to_string();
    assert!(message.ends_with("every frame must be 150 x 120 pixels like the first, found 3 x 2"), "{message}");
    assert!(write_apng(&path, &[]).is_err());
    assert_eq!(play(&path).len(), 6, "the old file stays");
}

#[test]
fn a_film_is_the_same_in_either_format() {
    let folder = tempfile::tempdir().unwrap();
    let grid = Grid::open_plain(Lattice::new(40, 20, 1.0).unwrap());
    let [gif, apng] = ["a.gif", "a.apng"].map(|name| {
        let mut film = Film::new(folder.path().join(name), &grid, 80);
        (0..=120)
            .for_each(|tick| film.frame(&Frame { radius: vec![0.5; 3], army: vec![0; 3], ..frame(tick) }).unwrap());
        Box::new(film).finish().unwrap()
    });
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(File::open(gif).unwrap()).unwrap();
    let first = decoder.read_next_frame().unwrap().unwrap().buffer.to_vec();
    let mut frames = 1;
    while decoder.next_frame_info().unwrap().is_some() {
        frames += 1;
    }
    let played = play(&apng);
    assert_eq!(played.len(), frames);
    assert!(played[0].0 == first);
}

const DUEL: &str = r#"
map = "room.map"
max_ticks = 60
[[army]]
name = "red"
squad = [{ count = 3, position = [1.5, 1.5] }]
[[army]]
name = "blue"
squad = [{ count = 1, position = [4.5, 1.5], order = "attack" }]
"#;

fn run(folder: &Path, args: &str) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_throng")).current_dir(folder).args(args.split(' ')).output().unwrap();
    (output.status.success(), [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat())
}

#[test]
fn a_scenario_leaves_its_records() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    std::fs::write(folder.join("room.map"), "type octile\nheight 3\nwidth 8\nmap\n......@.\n.....@@.\n......@.\n")
        .unwrap();
    std::fs::write(folder.join("duel.toml"), DUEL).unwrap();
    for (threads, name) in [(1, "a"), (2, "b")] {
        let files = format!("--trajectories {name}.TXT --statistics {name}.csv --every 3 --film apng --out {name}");
        let (well, said) = run(folder, &format!("run duel.toml --ticks 20 --threads {threads} {files}"));
        assert!(well, "{said}");
        assert!(said.contains(&format!("wrote {name}/duel.apng, {name}/duel.png, {name}.TXT, {name}.csv, ")), "{said}");
        let (well, said) = run(folder, &format!("run duel.toml --ticks 20 --no-pictures --trajectories {name}.sqlite"));
        assert!(well, "{said}");
    }
    for [one, other] in
        [["a.TXT", "b.TXT"], ["a.csv", "b.csv"], ["a.sqlite", "b.sqlite"], ["a/duel.apng", "b/duel.apng"]]
    {
        assert!(read(one) == read(other), "{one} and {other}");
    }
    let (_, rows) = parse(std::str::from_utf8(&read("a.TXT")).unwrap());
    assert_eq!(rows.keys().next_back().map(|&(frame, _)| frame), Some(6));
    let connection = rusqlite::Connection::open(folder.join("a.sqlite")).unwrap();
    let area: String = connection.query_row("SELECT wkt FROM geometry", [], |row| row.get(0)).unwrap();
    assert_eq!(area, "POLYGON ((6 0, 6 1, 5 1, 5 2, 6 2, 6 3, 0 3, 0 0, 6 0))");
    let mut query =
        connection.prepare("SELECT frame, id, pos_x, pos_y FROM trajectory_data WHERE frame % 3 = 0").unwrap();
    let mut found = query.query([]).unwrap();
    let mut count = 0;
    while let Some(row) = found.next().unwrap() {
        let [x, y] = rows[&(u64::from(row.get::<_, u32>(0).unwrap()) / 3, row.get(1).unwrap())];
        assert!(
            (x - row.get::<_, f64>(2).unwrap()).abs() <= 5.1e-5 && (y - row.get::<_, f64>(3).unwrap()).abs() <= 5.1e-5
        );
        count += 1;
    }
    assert_eq!(count, rows.len());
    let table = String::from_utf8(read("a.csv")).unwrap();
    assert!(
        table.starts_with(
            "tick,time_s,agents,asleep,speed_m_s,red_alive,red_dead,blue_alive,blue_dead\n0,0,4,0,,3,0,1,0\n3,"
        ),
        "{table}"
    );
    assert_eq!(table.lines().count(), 8);

    for (files, message) in [
        ("--trajectories x --statistics x", "x is named by --trajectories and by --statistics; choose two files"),
        ("--statistics out/duel.json", "out/duel.json is named by --out and by --statistics; choose two files"),
        (
            "--trajectories room.map",
            "room.map is what is read here and would be overwritten; choose another with --trajectories",
        ),
        ("--statistics no/x.csv", "choose another with --statistics"),
        ("--stage-times", "--statistics <FILE>"),
    ] {
        let (well, said) = run(folder, &format!("run duel.toml {files}"));
        assert!(!well && said.contains(message), "{said}");
    }
}
