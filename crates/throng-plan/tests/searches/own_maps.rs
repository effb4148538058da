//! The maps under `maps/` are what the generators make, and fit to walk on.
#![allow(clippy::unwrap_used, missing_docs)]

use petgraph::algo::{astar, connected_components, dijkstra};
use petgraph::visit::NodeCount;
use std::path::Path;
use std::sync::Arc;
use throng_grid::generate::{Kind, generate};
use throng_grid::geom::Vec2;
use throng_grid::{DIAGONAL, Grid, GridGraph, Ground, STRAIGHT};

/// The maps, as `maps/README.md` says they were made.
const MAPS: [(Kind, u32, u32, u64); 4] = [
    (Kind::Fortress, 384, 384, 7),
    (Kind::Town, 512, 512, 2),
    (Kind::Caverns, 256, 256, 2),
    (Kind::Field, 768, 512, 1),
];

#[test]
fn own_maps_are_what_the_generators_make() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    let read_me = std::fs::read_to_string(folder.join("README.md")).unwrap();
    for (kind, width, height, seed) in MAPS {
        let path = folder.join(format!("{kind}.map"));
        let made = generate(kind, width, height, seed).unwrap();
        let command = format!("throng map new {kind} --size {width}x{height} --seed {seed} --out maps/{kind}.map");
        assert!(read_me.contains(&command), "maps/README.md lacks \"{command}\"");
        assert!(Grid::load(&path).unwrap() == made, "{} is not what the generator makes", path.display());
    }
}

/// Algorithms of `petgraph` run on the maps themselves.
#[test]
fn petgraph_walks_on_own_maps() {
    for (kind, ..) in MAPS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../maps/{kind}.map"));
        let ground = Ground::new(Arc::new(Grid::load(path).unwrap()), 0.4).unwrap();
        let graph = GridGraph::new(&ground);
        assert_eq!(connected_components(&graph), ground.region_count() as usize, "{kind}");
        assert_eq!(graph.node_count(), ground.grid().open_cells() as usize, "{kind}");
        let (lattice, size) = (ground.lattice(), ground.lattice().size());
        let from = ground.nearest_passable(size * 0.1).unwrap();
        let costs = dijkstra(&graph, from, None, |step| step.cost);
        for at in [Vec2::new(0.9, 0.1), Vec2::new(0.5, 0.5), Vec2::new(0.9, 0.9)] {
            let to = ground.nearest_passable(size * at).unwrap();
            let (x, y) = lattice.column_row(to);
            let estimate = |cell| {
                let (cx, cy) = lattice.column_row(cell);
                let (dx, dy) = (u64::from(cx.abs_diff(x)), u64::from(cy.abs_diff(y)));
                dx.min(dy) * u64::from(DIAGONAL) + dx.abs_diff(dy) * u64::from(STRAIGHT)
            };
            let (cost, cells) = astar(&graph, from, |cell| cell == to, |step| step.cost, estimate).unwrap();
            assert_eq!(cost, costs[&to], "{kind}");
            assert_eq!(throng_plan::Path { cells }.cost(lattice), cost, "{kind}");
        }
    }
}
