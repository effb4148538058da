//! A flow field, as arrows: `cargo run --release --example flow_field`.
//!
//! A small building, a field towards two goals (●), and the same field after a cell of one route was walled up. Each arrow
//! is the step to take from that cell, so that any number of agents can share one field.

use throng_grid::generate::{Kind, generate};
use throng_grid::{Ground, Lattice};
use throng_plan::{FlowField, Path, Scratch};

const ARROWS: [char; 10] = ['↑', '→', '↓', '←', '↗', '↘', '↙', '↖', '●', ' '];

fn print(ground: &Ground, field: &FlowField) {
    let lattice = ground.lattice();
    for y in 0..lattice.height {
        let arrow = |x| {
            let cell = lattice.cell(x, y);
            if ground.is_passable(cell) { ARROWS[usize::from(field.headings()[cell])] } else { '█' }
        };
        println!("{}", (0..lattice.width).map(arrow).collect::<String>());
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut grid = generate(Kind::Rooms, 64, 24, 3)?;
    let lattice: Lattice = grid.lattice();
    let ground = Ground::new(grid.clone().into(), 0.4)?;
    let goals = [lattice.cell(60, 21), lattice.cell(8, 4)].map(|near| ground.nearest_passable(lattice.centre(near)));
    let goals: Vec<_> = goals.into_iter().flatten().collect();
    let mut scratch = Scratch::default();
    let mut field = FlowField::new(&ground, &goals, &mut scratch)?;
    print(&ground, &field);

    // The route of an agent in another corner. The cell in its middle is then walled up, and the field repaired.
    let start = ground.nearest_passable(lattice.centre(lattice.cell(62, 1))).ok_or("no open cell")?;
    let mut path = Path::default();
    field.descend(start, &mut path);
    println!("\nfrom {:?}: {:.1} m\n", lattice.column_row(start), path.length(lattice));
    let wall = path.cells[path.cells.len() / 2];
    grid.set_open(wall, false);
    let ground = Ground::new(grid.into(), 0.4)?;
    field.repair(&ground, &[wall], &mut scratch)?;
    print(&ground, &field);
    field.descend(start, &mut path);
    println!("\nfrom {:?}: {:.1} m", lattice.column_row(start), path.length(lattice));
    Ok(())
}
