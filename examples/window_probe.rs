#![allow(missing_docs, clippy::unwrap_used)]
use std::sync::Arc;
use throng::geom::{Vec2, direction};
use throng::grid::{Grid, Lattice};
use throng::viewer::*;
use throng::world::{ArmyCount, ArmyId, Frame, Verdict};

struct Fake {
    grid: Arc<Grid>,
    t: u64,
    pos: Vec<Vec2>,
    vel: Vec<Vec2>,
    hp: Vec<f32>,
    seed: u64,
    fallen: Vec<Vec2>,
    end: u64,
}
impl Fake {
    fn rnd(&mut self) -> f32 {
        self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.seed >> 40) as f32 / (1u64 << 24) as f32
    }
}
impl Simulation for Fake {
    fn tick(&mut self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        self.t += 1;
        self.fallen.clear();
        for i in 0..self.pos.len() {
            if self.hp[i] <= 0.0 {
                continue;
            }
            let p = self.pos[i] + self.vel[i] * 0.05;
            if self.grid.lattice().covers(p) && self.grid.is_open(self.grid.lattice().at(p)) {
                self.pos[i] = p;
            } else {
                let a = self.rnd() * 360.0;
                self.vel[i] = direction(a) * 2.0;
            }
            if self.rnd() < 0.01 {
                self.hp[i] -= 0.1;
                if self.hp[i] <= 0.0 {
                    self.fallen.push(self.pos[i]);
                }
            }
        }
        if std::env::var_os("PROBE_FAIL").is_some() && self.t == 50 {
            return Err("no route for squad 3: the goal is in another part of the map".into());
        }
        Ok(())
    }
    fn frame(&self, f: &mut Frame) {
        f.tick = self.t;
        f.time = self.t as f64 * 0.05;
        f.id.clear();
        f.position.clear();
        f.heading.clear();
        f.radius.clear();
        f.army.clear();
        f.health.clear();
        f.armies = vec![
            ArmyCount { name: "red".into(), ..Default::default() },
            ArmyCount { name: "blue".into(), ..Default::default() },
        ];
        for i in 0..self.pos.len() {
            let army = i * 2 / self.pos.len();
            if self.hp[i] <= 0.0 {
                f.armies[army].dead += 1;
                continue;
            }
            f.armies[army].alive += 1;
            f.id.push(i as u32);
            f.position.push(self.pos[i]);
            f.heading.push(self.vel[i].normalize());
            f.radius.push(0.4);
            f.army.push(army as u8);
            f.health.push(self.hp[i]);
        }
        f.fallen.clear();
        f.fallen.extend(&self.fallen);
        for (k, m) in f.stage_ms.iter_mut().enumerate() {
            *m = [0.1, 0.4, 1.5, 0.2, 0.8, 1.2, 3.0, 0.7, 0.05][k];
        }
        f.tick_ms = 7.95;
        f.verdict = (self.t >= self.end).then_some(Verdict::Winner(ArmyId(0)));
    }
}

fn main() {
    let n: usize = std::env::var("PROBE_AGENTS").ok().map_or(10_000, |v| v.parse().unwrap());
    let end = std::env::var("PROBE_END").ok().map_or(u64::MAX, |v| v.parse().unwrap());
    let frames = std::env::var("PROBE_FRAMES").ok().map(|v| v.parse().unwrap());
    let screenshot = std::env::var_os("PROBE_PNG").map(Into::into);
    let mut grid = Grid::open_plain(Lattice::new(512, 512, 1.0).unwrap());
    let l = grid.lattice();
    for c in l.cells() {
        let (x, y) = l.column_row(c);
        let (x, y) = (x as i32, y as i32);
        let d = (x - 256).abs().max((y - 256).abs());
        let mut wall = (d >= 100 && d < 104 && (x - 256).abs() > 8) || (d == 140 && (y - 256).abs() > 5);
        if (x - 60) * (x - 60) + (y - 80) * (y - 80) < 900 {
            wall = true;
        }
        if x % 24 < 9 && y % 24 < 9 && d < 80 && (x * 7 + y * 3) / 100 % 3 != 0 {
            wall = true;
        }
        if y > 440 && ((x as f32 / 20.0).sin() * 10.0 + 470.0 - y as f32).abs() < 8.0 {
            wall = true;
        }
        grid.set_open(c, !wall);
    }
    let grid = Arc::new(grid);
    let mut s =
        Fake { grid: grid.clone(), t: 0, pos: vec![], vel: vec![], hp: vec![1.0; n], seed: 1, fallen: vec![], end };
    for i in 0..n {
        let (k, army) = (i % (n / 2), i * 2 / n);
        let x = if army == 0 { 20.0 + (k % 100) as f32 } else { 390.0 + (k % 100) as f32 };
        s.pos.push(Vec2::new(x, 200.0 + (k / 100) as f32 * 1.5));
        let a = s.rnd() * 40.0 - 20.0 + army as f32 * 180.0;
        s.vel.push(direction(a) * 3.0);
    }
    match Window::open("probe battle") {
        Ok(w) => {
            let shown = w
                .show(
                    Scene { title: "The probe of a siege".into(), grid, step: 0.05, simulation: Box::new(s) },
                    ViewOptions { events: Some(Box::new(|e| println!("{e}"))), frames, screenshot },
                )
                .unwrap();
            println!("shown {} {:?}", shown.frames, shown.failure);
        }
        Err(e) => println!("HEADLESS {e}"),
    }
}
