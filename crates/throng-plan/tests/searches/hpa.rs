//! Hierarchical search on the Moving AI maps: how much longer its routes are than the shortest ones.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::{Path as FilePath, PathBuf};
use throng_grid::{Cell, Grid, Ground, Scen};
use throng_plan::{AStar, Hpa, HpaSettings, Itinerary, Octile, Path, Query, Scratch, Status, plan};

/// Each cell is a legal step from the one before.
fn assert_legal(ground: &Ground, path: &Path) {
    let offsets = ground.lattice().offsets();
    for pair in path.cells.windows(2) {
        let step = pair[1].0.wrapping_sub(pair[0].0) as i32;
        let d = offsets.iter().position(|&offset| offset == step);
        assert!(d.is_some_and(|d| ground.moves(pair[0]) >> d & 1 == 1), "{pair:?}");
    }
}

/// Mean and greatest cost over the least one, and the mean before the route is pulled straight.
fn ratios(ground: &Ground, trips: &[(Cell, Cell, f64)]) -> [f64; 3] {
    let lattice = ground.lattice();
    let hpa = Hpa::new(ground, HpaSettings::fitting(lattice)).unwrap();
    let (mut scratch, mut itinerary, mut path) = (Scratch::default(), Itinerary::default(), Path::default());
    let (mut sum, mut most, mut before) = (0.0, 1.0_f64, 0.0);
    for &(from, to, optimal) in trips {
        let query = Query::new(from, to);
        let rough = hpa.itinerary(ground, &query, &mut scratch, &mut itinerary).unwrap();
        let outcome = plan(&hpa, ground, &query, &mut scratch, &mut path).unwrap();
        assert_eq!((rough.status, outcome.status), (Status::Found, Status::Found));
        assert_eq!((path.cells.first(), path.cells.last()), (Some(&from), Some(&to)));
        assert_eq!(path.cost(lattice), outcome.cost);
        assert_legal(ground, &path);
        let length = path.length(lattice);
        assert!(length > optimal - 0.01, "{length} for {optimal}");
        let ratio = if optimal > 0.0 { length / optimal } else { 1.0 };
        sum += ratio;
        most = most.max(ratio);
        before += ratio * rough.cost.max(1) as f64 / outcome.cost.max(1) as f64;
    }
    let count = trips.len() as f64;
    [sum / count, most, before / count]
}

fn maps(folder: &FilePath) -> Vec<PathBuf> {
    let mut maps: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    maps.retain(|path| path.extension().is_some_and(|extension| extension == "map"));
    maps.sort();
    maps
}

#[test]
fn routes_are_hardly_longer_than_the_shortest() {
    let own = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    let movingai = std::env::var_os("THRONG_MOVINGAI").map(PathBuf::from);
    let mut all = Vec::new();
    println!("map: cost over the least one, in the mean; at most; in the mean before it is pulled straight");
    for map in maps(movingai.as_ref().unwrap_or(&own)) {
        let ground = Ground::new(Grid::load(&map).unwrap().into(), 0.4).unwrap();
        let lattice = ground.lattice();
        let trips: Vec<_> = if movingai.is_some() {
            let problems = Scen::load(map.with_extension("map.scen")).unwrap().problems;
            let thin = (problems.len() / 200).max(1);
            let cell = |(x, y)| lattice.cell(x, y);
            problems.iter().step_by(thin).map(|p| (cell(p.from), cell(p.to), p.optimal)).collect()
        } else {
            let passable: Vec<Cell> = lattice.cells().filter(|&cell| ground.is_passable(cell)).collect();
            let (mut scratch, mut path) = (Scratch::default(), Path::default());
            let trip = |i: usize| {
                let query = Query::new(passable[i * 7919 % passable.len()], passable[i * 104_729 % passable.len()]);
                let found = plan(&AStar(Octile), &ground, &query, &mut scratch, &mut path).unwrap().status;
                let length = path.length(lattice);
                (found == Status::Found).then(|| (path.cells[0], path.cells[path.cells.len() - 1], length))
            };
            (0..40).filter_map(trip).collect()
        };
        let [mean, most, before] = ratios(&ground, &trips);
        let name = map.file_stem().unwrap().to_string_lossy().into_owned();
        println!("{name}: {mean:.4}; {most:.3}; {before:.4}");
        assert!(mean <= 1.05, "{name}: {mean}");
        all.push((mean, before));
    }
    let mean = |each: fn(&(f64, f64)) -> f64| all.iter().map(each).sum::<f64>() / all.len() as f64;
    let (after, before) = (mean(|map| map.0), mean(|map| map.1));
    println!("all maps: {after:.4}; before: {before:.4}");
    assert!(after <= 1.02 && before <= 1.05, "{after}, {before}");
}
