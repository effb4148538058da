//! Output files of a run: trajectories as text, the walkable area, figures over time, animated PNGs.
#![allow(clippy::unwrap_used, missing_docs)]

use super::program;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;
use throng::geom::Vec2;
use throng::grid::{Edit, Grid, Lattice};
use throng::record::{
    Film, MeasurementArea, Overlays, Picture, Plot, RenderOptions, Sink, Statistics, Theme, Trajectories,
    TrajectoryText, palette, write_apng,
};
use throng::world::{ArmyCount, ArmyId, Frame, UnitId, seconds};

fn frame(tick: u64) -> Frame {
    let army = |name: &str, dead: u32| {
        let (kills, points) = (dead, f64::from(dead) * 1.25);
        ArmyCount {
            name: name.into(),
            alive: 3 - dead.min(3),
            dead,
            kills,
            dealt: points,
            taken: points,
            ..ArmyCount::default()
        }
    };
    let x = tick as f32 * 0.1;
    Frame {
        tick,
        time: seconds(tick, 0.05),
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
    // Dropped, it leaves the file of before.
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
        "tick,time_s,agents,asleep,speed_m_s,red_alive,red_routed,red_left,red_dead,red_kills,red_dealt,red_taken,\"blue, the second_alive\",\
         \"blue, the second_routed\",\"blue, the second_left\",\"blue, the second_dead\",\"blue, the second_kills\",\"blue, the second_dealt\",\"blue, the second_taken\"\n\
         0,0,3,1,,3,0,0,0,0,0.0,0.0,3,0,0,0,0,0.0,0.0\n2,0.1,3,1,1.3333,3,0,0,0,0,0.0,0.0,2,0,0,1,1,1.3,1.3\n\
         4,0.2,3,1,1.3333,3,0,0,0,0,0.0,0.0,1,0,0,2,2,2.5,2.5\n"
    );
    let text = record(Statistics::create(&path).unwrap().with_times(), 7..8);
    let (names, row) = text.split_once('\n').unwrap();
    assert!(names.ends_with("_taken\",tick_ms,edits_ms,deliver_ms,reap_ms,battle_ms,command_ms,steer_ms,neighbours_ms,avoid_ms,integrate_ms,ask_ms"), "{names}");
    assert!(row.ends_with(&format!(",5.0000{}\n", ",0.5000".repeat(10))), "{row}");
    // An agent that was away is no fast walker.
    let mut sink = Statistics::create(&path).unwrap();
    for (tick, x) in [(0, Some(0.0)), (1, None), (2, Some(90.0)), (3, Some(90.5))] {
        let (id, position) = x.map(|x| (5, Vec2::new(x, 0.0))).into_iter().unzip();
        sink.frame(&Frame { tick, time: tick as f64, id, position, ..Frame::default() }).unwrap();
    }
    let text = std::fs::read_to_string(Box::new(sink).finish().unwrap()).unwrap();
    assert_eq!(text, "tick,time_s,agents,asleep,speed_m_s\n0,0,1,0,\n1,1,0,0,\n2,2,1,0,\n3,3,1,0,0.5000\n");
}

#[test]
fn figures_of_units_add_up() {
    let folder = tempfile::tempdir().unwrap();
    // Two kinds in the first army, one of them in the second too; each army loses an agent in each tick.
    let frame = |tick: u64| {
        let rows: Vec<(u32, u8, u16)> = (0..30)
            .map(|id| (id, u8::from(id >= 18), u16::from(id % 3 == 0)))
            .filter(|&(id, ..)| u64::from(id % 18) >= tick)
            .collect();
        let armies = ["red", "blue"].iter().zip(0..).map(|(name, army)| {
            let alive = rows.iter().filter(|row| row.1 == army).count() as u32;
            ArmyCount { name: (*name).into(), alive, dead: tick as u32, ..ArmyCount::default() }
        });
        Frame {
            tick,
            time: tick as f64,
            armies: armies.collect(),
            units: vec!["pike".into(), "horse".into()],
            // Horses walk three metres a second, pikes one.
            position: rows.iter().map(|row| Vec2::new(tick as f32 * if row.2 == 1 { 3.0 } else { 1.0 }, 0.5)).collect(),
            id: rows.iter().map(|row| row.0).collect(),
            army: rows.iter().map(|row| ArmyId(row.1)).collect(),
            unit: rows.iter().map(|row| UnitId(row.2)).collect(),
            ..Frame::default()
        }
    };
    let area = MeasurementArea { centre: Vec2::new(3.0, 0.0), width: 4.0, height: 2.0 };
    let mut sink = Statistics::create(folder.path().join("a.csv")).unwrap().with_area(area);
    (0..6).for_each(|tick| sink.frame(&frame(tick)).unwrap());
    let path = Box::new(sink).finish().unwrap();
    let mut reader = csv::Reader::from_path(path).unwrap();
    let names: Vec<String> = reader.headers().unwrap().iter().map(String::from).collect();
    let rows: Vec<Vec<f64>> = reader
        .records()
        .map(|row| row.unwrap().iter().map(|text| text.parse().unwrap_or(f64::NAN)).collect())
        .collect();
    let column = |name: &str| {
        let place = names.iter().position(|known| known == name).unwrap_or_else(|| panic!("{name} of {names:?}"));
        rows.iter().map(|row| row[place]).collect::<Vec<_>>()
    };
    for army in ["red", "blue"] {
        let sum = column(&format!("{army}_pike_alive"))
            .iter()
            .zip(column(&format!("{army}_horse_alive")))
            .map(|(a, b)| a + b)
            .collect::<Vec<_>>();
        assert_eq!(sum, column(&format!("{army}_alive")));
        assert_eq!(column(&format!("{army}_pike_speed_m_s"))[1..], [1.0; 5]);
        assert_eq!(column(&format!("{army}_horse_speed_m_s"))[1..], [3.0; 5]);
    }
    assert_eq!(column("red_horse_alive"), [6.0, 5.0, 5.0, 5.0, 4.0, 4.0]);
    // From 1 to 5 m: all after the first tick, then the pikes until they are through.
    let agents = column("area1_agents");
    assert_eq!(agents, [0.0, 28.0, 18.0, 16.0, 16.0, 0.0]);
    assert_eq!(column("area1_density_m2"), agents.iter().map(|agents| agents / 8.0).collect::<Vec<_>>());
    assert_eq!(column("area1_speed_m_s")[2..5], [1.0; 3]);
    // These frames do not tell where agents died: all that are gone have left.
    assert_eq!(column("area1_passed"), [0.0, 0.0, 10.0, 12.0, 12.0, 28.0]);
}

#[test]
fn a_plot_shows_every_army() {
    let folder = tempfile::tempdir().unwrap();
    let text = record(Plot::create(folder.path().join("a.svg")).unwrap(), 0..2000);
    assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>") && text.len() < 600_000, "{}", text.len());
    for word in ["red", "blue, the second", "all", "mean speed", "agents", "m/s", "seconds"] {
        assert!(text.contains(&format!("\n{word}\n")), "{word}");
    }
    for colour in ["#D55E00", "#0072B2"] {
        assert!(text.matches(colour).count() > 100, "{colour}");
    }
    let path = folder.path().join("none.svg");
    assert!(Box::new(Plot::create(&path).unwrap()).finish().is_ok() && path.exists());
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

#[test]
fn a_door_that_opens_makes_another_area() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    // Two rooms of 2 and 4 cells, and a door between them.
    let mut grid = Grid::open_plain(Lattice::new(7, 1, 2.0).unwrap());
    let door = grid.lattice().cell(2, 0);
    grid.set_open(door, false);
    let closed = Arc::new(grid.clone());
    grid.edit(&[Edit::Open(door)], &mut Vec::new());
    assert_ne!(closed.revision(), grid.revision());
    let open = Arc::new(grid);
    let mut sink = Trajectories::on_map(&path, 0.1, 1, &closed).unwrap();
    for (tick, grid) in [&closed, &open, &open, &closed].into_iter().enumerate() {
        sink.frame(&Frame { grid: Some(Arc::clone(grid)), ..frame(tick as u64) }).unwrap();
    }
    Box::new(sink).finish().unwrap();
    let connection = rusqlite::Connection::open(path).unwrap();
    let all = |sql: &str| -> Vec<String> {
        let mut query = connection.prepare(sql).unwrap();
        query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let [small, whole] = [6, 0].map(|left| format!("POLYGON ((14 0, 14 2, {left} 2, {left} 0, 14 0))"));
    assert_eq!(
        all("SELECT wkt FROM frame_data JOIN geometry ON geometry_hash = hash ORDER BY frame"),
        [&*small, &*whole, &*whole, &*small]
    );
    assert_eq!(all("SELECT wkt FROM geometry").len(), 2);
    let bounds = "SELECT group_concat(key || ' ' || value) FROM (SELECT * FROM metadata WHERE key != 'version' AND key != 'fps')";
    assert_eq!(all(bounds), ["xmin 0.0,xmax 14.0,ymin 0.0,ymax 2.0"]);
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

/// The pictures of an animation, red, green and blue, each drawn over the one before, and how long each is shown (1/100 s).
type Played = Vec<(Vec<[u8; 3]>, u16)>;

/// Draws a part, four bytes a pixel, onto a screen; what is transparent stays.
fn draw_part(screen: &mut [[u8; 3]], width: usize, [left, top]: [usize; 2], part: &[u8], part_width: usize) {
    for (y, row) in part.chunks(part_width * 4).enumerate() {
        let pixels = screen[(top + y) * width + left..].iter_mut().zip(row.as_chunks::<4>().0);
        pixels.filter(|(_, new)| new[3] > 0).for_each(|(pixel, new)| *pixel = [new[0], new[1], new[2]]);
    }
}

fn play(path: &Path) -> Played {
    let mut decoder = png::Decoder::new(BufReader::new(File::open(path).unwrap()));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().unwrap();
    let control = *reader.info().animation_control().unwrap();
    assert_eq!(control.num_plays, 0);
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let mut screen = vec![[0; 3]; width * height];
    let mut drawn = vec![0; reader.output_buffer_size().unwrap()];
    (0..control.num_frames)
        .map(|_| {
            reader.next_frame(&mut drawn).unwrap();
            let part = *reader.info().frame_control().unwrap();
            assert_eq!(part.delay_den, 100);
            let corner = [part.x_offset, part.y_offset].map(|side| side as usize);
            let bytes = part.width as usize * part.height as usize * 4;
            draw_part(&mut screen, width, corner, &drawn[..bytes], part.width as usize);
            (screen.clone(), part.delay_num)
        })
        .collect()
}

#[test]
fn an_animated_png_plays_what_was_written() {
    let colours = palette::palette();
    let coloured = |picture: &Picture| -> Vec<[u8; 3]> {
        picture.pixels.iter().map(|&index| colours.as_chunks::<3>().0[usize::from(index)]).collect()
    };
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
        assert!(*screen == coloured(picture), "frame {i}");
        assert_eq!(delay, expected);
    }
    // Programs that know no animations show the first.
    let mut reader = png::Decoder::new(BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
    assert_eq!(reader.info().palette.as_deref(), Some(&palette::palette()[..]));
    let mut first = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut first).unwrap();
    assert!(first == pictures[0].pixels);

    let small = Picture::new(3, 2, palette::FLOOR);
    let message = write_apng(&path, &[(&pictures[0], 7), (&small, 7)]).unwrap_err().to_string();
    assert!(message.ends_with("every frame must be 150 x 120 pixels like the first, found 3 x 2"), "{message}");
    assert!(write_apng(&path, &[]).is_err());
    assert_eq!(play(&path).len(), 6, "the old file stays");
}

fn play_gif(path: &Path) -> Played {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(File::open(path).unwrap()).unwrap();
    let width = usize::from(decoder.width());
    let mut screen = vec![[0; 3]; width * usize::from(decoder.height())];
    let mut played = Vec::new();
    while let Some(part) = decoder.read_next_frame().unwrap() {
        draw_part(&mut screen, width, [part.left.into(), part.top.into()], &part.buffer, part.width.into());
        played.push((screen.clone(), part.delay));
    }
    played
}

#[test]
fn a_film_is_the_same_in_either_format() {
    let folder = tempfile::tempdir().unwrap();
    let grid = Grid::open_plain(Lattice::new(40, 20, 1.0).unwrap());
    let overlays = Overlays { density: true, strength: true, ..Overlays::default() };
    let options = |theme| RenderOptions { overlays, theme, ..RenderOptions::new(320) };
    let cases = [
        (false, 62, 8, Theme::Plan),
        (true, 121, 3, Theme::Dark),
        (false, 62, 8, Theme::Battle),
        (true, 121, 3, Theme::Battle),
    ];
    for (whole, frames, delay, theme) in cases {
        let [gif, apng] = ["a.gif", "a.apng"].map(|name| {
            let film = Film::with_options(folder.path().join(name), &grid, options(theme));
            let mut film = if whole { film.whole().with_delay(3) } else { film };
            for tick in 0..=120 {
                film.frame(&Frame { radius: vec![0.5; 3], army: vec![ArmyId(0); 3], ..frame(tick) }).unwrap();
            }
            Box::new(film).finish().unwrap()
        });
        let played = play(&apng);
        assert_eq!((played.len(), played[0].1, played[frames - 1].1), (frames, delay, 250));
        assert!(played == play_gif(&gif));
        assert!(played[1..].windows(2).all(|pair| pair[0].0 != pair[1].0 || !whole));
    }
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
    let (code, out, beside) = program::run(folder, args);
    (code == 0, out + &beside)
}

#[test]
#[allow(clippy::too_many_lines, reason = "a run, and file after file of it")]
fn a_scenario_leaves_its_records() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    std::fs::write(folder.join("room.map"), "type octile\nheight 3\nwidth 8\nmap\n......@.\n.....@@.\n......@.\n")
        .unwrap();
    std::fs::write(folder.join("duel.toml"), DUEL).unwrap();
    for (threads, name) in [(1, "a"), (2, "b")] {
        let files = format!(
            "--trajectories {name}.TXT --statistics {name}.csv --every 3 --trajectories-every 3 --film apng --out {name}"
        );
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
            "tick,time_s,agents,asleep,speed_m_s,red_alive,red_routed,red_left,red_dead,red_kills,red_dealt,red_taken,blue_alive,\
             blue_routed,blue_left,blue_dead,blue_kills,blue_dealt,blue_taken,red_soldier_alive,red_soldier_speed_m_s,blue_soldier_alive,\
             blue_soldier_speed_m_s\n0,0,4,0,,3,0,0,0,0,0.0,0.0,1,0,0,0,0,0.0,0.0,3,,1,\n3,"
        ),
        "{table}"
    );
    assert_eq!(table.lines().count(), 8);

    let pictures = "--camera 3,1.5,4,2 --size 200 --overlay density,routes,strength --film-every 4 --fps 10 --out near";
    let (well, said) = run(folder, &format!("run duel.toml --ticks 20 {pictures} --plot near.svg"));
    assert!(well && said.contains("near/duel.gif, near/duel.png, near.svg, "), "{said}");
    let film = play_gif(&folder.join("near/duel.gif"));
    assert_eq!((film.len(), film[0].1), (6, 10));
    let mut reader =
        png::Decoder::new(BufReader::new(File::open(folder.join("near/duel.png")).unwrap())).read_info().unwrap();
    // At most 40 pixels a metre.
    assert_eq!((reader.info().width, reader.info().height > 64), (160, true));
    reader.finish().unwrap();
    let (well, said) = run(folder, "run duel.toml --ticks 5 --film-every 1 --no-legend --out bare");
    assert!(well, "{said}");
    let film = play_gif(&folder.join("bare/duel.gif"));
    assert_eq!((film.len(), film[0].1, film[0].0.len()), (6, 5, 240 * 256));
    let of_theme = |theme: &str| {
        let (well, said) = run(folder, &format!("run duel.toml --ticks 2 --theme {theme} --out {theme}"));
        assert!(well, "{said}");
        let file = BufReader::new(File::open(folder.join(theme).join("duel.png")).unwrap());
        let reader = png::Decoder::new(file).read_info().unwrap();
        reader.info().palette.as_ref().map(|palette| palette.to_vec()).unwrap()
    };
    assert_eq!(of_theme("plan"), palette::palette());
    assert_ne!(of_theme("dark"), palette::palette());
    let (well, said) = run(folder, "run duel.toml --ticks 5 --no-pictures --statistics m.csv --measure 3,1.5,6,3");
    assert!(well, "{said}");
    let table = String::from_utf8(read("m.csv")).unwrap();
    assert!(
        table.contains(",area1_agents,area1_density_m2,area1_speed_m_s,area1_passed\n0,0,4,0,,")
            && table.contains(",4,0.222222,"),
        "{table}"
    );

    #[cfg(not(feature = "parquet"))]
    for option in ["--statistics", "--trajectories"] {
        let (well, said) = run(folder, &format!("run duel.toml {option} x.parquet"));
        let why = "x.parquet: this throng was built without Parquet; build it with `cargo build --release --features parquet`";
        assert!(!well && said.contains(why) && !folder.join("x.parquet").exists(), "{said}");
    }
    for (files, message) in [
        ("--camera 50,1,5", "--camera sees nothing of the map, which goes from 0,0 to 8,3 (m)"),
        ("--camera 50,1", "expected X,Y,WIDTH or X,Y,WIDTH,HEIGHT in metres, at least 0.1 wide, as in 192,100,60"),
        ("--camera 5,1,0", "expected X,Y,WIDTH or X,Y,WIDTH,HEIGHT"),
        ("--size 5", "expected a whole number from 16 to 8192"),
        ("--overlay roads", "[possible values: density, routes, strength]"),
        ("--theme neon", "no theme \"neon\"; expected battle, building, plan or dark"),
        ("--no-pictures --theme dark", "cannot be used with"),
        ("--fps 100", "expected a number from 0.1 to 50"),
        (
            "--statistics x.csv --measure 1,2,3",
            "expected X,Y,WIDTH,HEIGHT in metres, at least 0.1 wide and high, as in 20,5,4,2",
        ),
        ("--measure 1,2,3,4", "--statistics <FILE>"),
        (
            "--statistics x.csv --measure 1,2,3,4 --measure 9,2,1,1",
            "--measure sees nothing of the map, which goes from 0,0 to 8,3 (m)",
        ),
        ("--no-pictures --overlay density", "cannot be used with"),
        ("--plot duel.toml", "duel.toml is what is read here and would be overwritten; choose another with --plot"),
        ("--trajectories x --statistics x", "x is named by --trajectories and by --statistics; choose two files"),
        ("--snapshot s --trajectories s", "s is named by --snapshot and by --trajectories; choose two files"),
        (
            "--snapshot-every 9 --plot out/duel.snapshot",
            "out/duel.snapshot is named by --snapshot and by --plot; choose two files",
        ),
        ("--statistics out/duel.json", "out/duel.json is named by --out and by --statistics; choose two files"),
        (
            "--trajectories room.map",
            "room.map is what is read here and would be overwritten; choose another with --trajectories",
        ),
        ("--statistics /proc/no/x.csv", "choose another with --statistics"),
        ("--stage-times", "--statistics <FILE>"),
    ] {
        let (well, said) = run(folder, &format!("run duel.toml {files}"));
        assert!(!well && said.contains(message), "{said}");
    }
}

/// 4,000 ticks of 0.05 s are 200 s, though the `f32` nearest to 0.05 is a little more.
#[test]
fn times_are_multiples_of_the_step_as_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let map = "type octile\nheight 4\nwidth 90\nmap\n".to_owned() + &(".".repeat(90) + "\n").repeat(4);
    std::fs::write(folder.join("strip.map"), map).unwrap();
    let army = |name: &str, x: u32| {
        format!("[[army]]\nname = {name:?}\n[[army.squad]]\ncount = 1\nposition = [{x}, 2]\norder = \"hold\"\n")
    };
    let text = format!("map = \"strip.map\"\nstep = 0.05\nmax_ticks = 4000\n{}{}", army("red", 3), army("blue", 87));
    std::fs::write(folder.join("far.toml"), text).unwrap();
    let records = "--statistics s.csv --trajectories t.csv --squads q.csv --record far.throng --every 800 --trajectories-every 800";
    let (well, said) = run(folder, &format!("run far.toml --no-pictures {records}"));
    assert!(well && said.contains("a draw after 4,000 ticks (200.0 s)"), "{said}");
    let (well, info) = run(folder, "replay far.throng --info --json");
    assert!(well && info.contains("\"seconds\": 200.0,"), "{info}");
    assert!(run(folder, "replay far.throng --to csv --out r.csv").0);
    for (file, rows_a_frame) in [("s.csv", 1), ("r.csv", 1), ("t.csv", 2), ("q.csv", 2)] {
        let mut table = csv::Reader::from_path(folder.join(file)).unwrap();
        let times: Vec<String> = table.records().map(|row| row.unwrap()[1].to_owned()).collect();
        let frames: Vec<&str> = times.iter().step_by(rows_a_frame).map(String::as_str).collect();
        assert_eq!(frames, ["0", "40", "80", "120", "160", "200"], "{file}");
    }
    assert!(run(folder, "batch far.toml --runs 1 --csv b.csv").0);
    let rows = std::fs::read_to_string(folder.join("b.csv")).unwrap();
    assert!(rows.contains("\n1,draw,4000,200,"), "{rows}");
}

#[test]
fn a_scenario_names_its_theme_and_an_option_another() {
    let names = throng::record::Theme::ALL.map(throng::record::Theme::name);
    assert_eq!(names, throng::scenario::schema::THEMES);
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("room.map"), "type octile\nheight 3\nwidth 8\nmap\n......@@\n.....@@@\n......@@\n")
        .unwrap();
    std::fs::write(folder.join("duel.toml"), format!("theme = \"building\"{DUEL}")).unwrap();
    let shown = |option: &str| {
        let (well, said) = run(folder, &format!("run duel.toml --ticks 2 --camera map{option}"));
        assert!(well, "{said}");
        std::fs::read(folder.join("out/duel.png")).unwrap()
    };
    let building = shown("");
    assert!(building == shown(" --theme building"));
    assert!(building != shown(" --theme battle") && shown(" --theme plan") != shown(" --theme dark"));
}
