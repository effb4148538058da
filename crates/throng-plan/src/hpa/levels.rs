//! A level of the hierarchy: clusters side by side.

use super::cluster::{CLUSTERS_PER_SIDE, Cluster, Workshop};
use super::doors::{Door, Lines, Spacing};
use super::tiling::{Area, Tiling};
use std::sync::Arc;
use throng_grid::Ground;

/// All clusters of one size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Level {
    pub(super) tiling: Tiling,
    pub(super) lines: Lines,
    /// Each is shared with the hierarchies that an edit elsewhere made of this one.
    pub(super) clusters: Vec<Arc<Cluster>>,
    /// How many doors all clusters before have: doors of the whole level are numbered in this order.
    pub(super) first: Vec<u32>,
    /// For each of them the number of the same cell where it is counted.
    pub(super) owners: Vec<u32>,
}

impl Level {
    /// The clusters of `size` steps.
    pub(super) fn new(ground: &Ground, size: u32, below: Option<&Level>, shop: &mut Workshop) -> Self {
        let tiling = Tiling::new(ground.lattice(), size);
        let lines = Lines::new(ground, &tiling, spacing(size, below), below);
        let mut level =
            Self { tiling, lines, clusters: Vec::with_capacity(tiling.len()), first: Vec::new(), owners: Vec::new() };
        for cluster in 0..tiling.len() as u32 {
            let doors = level.doors(cluster);
            let cluster = level.make(ground, below, cluster, doors, shop);
            level.clusters.push(Arc::new(cluster));
        }
        level.number();
        level
    }

    /// The same after an edit: `dirty` clusters are made anew, and those whose doors have changed. Returns the level and
    /// which clusters are not what they were.
    pub(super) fn repaired(
        &self,
        ground: &Ground,
        below: Option<&Level>,
        areas: &[Area],
        dirty: &[bool],
        shop: &mut Workshop,
    ) -> (Self, Vec<bool>) {
        let tiling = self.tiling;
        let spacing = spacing(tiling.size, below);
        let lines = self.lines.repaired(ground, &tiling, spacing, below, areas);
        let mut level = Self { lines, ..self.clone() };
        let mut changed = vec![false; tiling.len()];
        // The doors of a dirty cluster may be those in a corner of its neighbours, whose other neighbours number them.
        let near = self.around(dirty, 2);
        for cluster in 0..tiling.len() as u32 {
            let number = cluster as usize;
            if !near[number] {
                continue;
            }
            let doors = level.doors(cluster);
            let old = &self.clusters[number];
            let same_cells = old.doors.iter().map(|door| door.cell).eq(doors.iter().map(|door| door.cell));
            if dirty[number] || !same_cells {
                changed[number] = true;
                level.clusters[number] = Arc::new(level.make(ground, below, cluster, doors, shop));
            } else if *old.doors != *doors {
                // A neighbour numbers its doors otherwise.
                changed[number] = true;
                level.clusters[number] = Arc::new(Cluster { doors, ..Cluster::clone(old) });
            }
        }
        level.number();
        (level, changed)
    }

    /// The clusters that an edit of the areas, and of clusters below, may change.
    pub(super) fn dirty(&self, areas: &[Area], below: Option<(&Level, &[bool])>) -> Vec<bool> {
        let tiling = &self.tiling;
        let mut dirty = vec![false; tiling.len()];
        for area in areas {
            let first = tiling.sharing(area.left, area.top);
            let last = tiling.sharing(area.right, area.bottom);
            for row in first.top..=last.bottom {
                for column in first.left..=last.right {
                    dirty[tiling.number((column, row)) as usize] = true;
                }
            }
        }
        if let Some((below, changed)) = below {
            for (cluster, _) in changed.iter().enumerate().filter(|&(_, &changed)| changed) {
                let (column, row) = below.tiling.place(cluster as u32);
                dirty[tiling.number((column / CLUSTERS_PER_SIDE, row / CLUSTERS_PER_SIDE)) as usize] = true;
            }
        }
        dirty
    }

    /// The marked clusters and those up to `rings` clusters away.
    fn around(&self, marked: &[bool], rings: u32) -> Vec<bool> {
        let tiling = &self.tiling;
        let mut around = vec![false; marked.len()];
        for (cluster, _) in marked.iter().enumerate().filter(|&(_, &marked)| marked) {
            let (column, row) = tiling.place(cluster as u32);
            for y in row.saturating_sub(rings)..=(row + rings).min(tiling.rows - 1) {
                for x in column.saturating_sub(rings)..=(column + rings).min(tiling.columns - 1) {
                    around[tiling.number((x, y)) as usize] = true;
                }
            }
        }
        around
    }

    fn make(
        &self,
        ground: &Ground,
        below: Option<&Level>,
        cluster: u32,
        doors: Box<[Door]>,
        shop: &mut Workshop,
    ) -> Cluster {
        match below {
            None => Cluster::of_cells(ground, self.tiling.area(cluster), doors, shop),
            Some(below) => Cluster::of_doors(below, &self.tiling, cluster, doors, shop),
        }
    }

    fn number(&mut self) {
        self.first.clear();
        let mut first = 0;
        for cluster in &self.clusters {
            self.first.push(first);
            first += cluster.doors.len() as u32;
        }
        self.first.push(first);
        self.owners.clear();
        for door in self.clusters.iter().flat_map(|cluster| &cluster.doors) {
            let (owner, number) = door.owner;
            self.owners.push(self.first[owner as usize] + u32::from(number));
        }
    }

    /// The doors of a cluster with their twins.
    fn doors(&self, cluster: u32) -> Box<[Door]> {
        let tiling = &self.tiling;
        let mut cells = Vec::new();
        self.lines.of(tiling, cluster, &mut cells);
        let here = tiling.place(cluster);
        let mut others = Vec::new();
        let mut doors = Vec::with_capacity(cells.len());
        for &(y, x) in &cells {
            let sharing = tiling.sharing(x, y);
            let (twin, owner) = (tiling.number(next(sharing, here)), tiling.number((sharing.left, sharing.top)));
            let mut number_in = |cluster| {
                self.lines.of(tiling, cluster, &mut others);
                others.binary_search(&(y, x)).unwrap_or_default() as u16
            };
            let (twin, owner) = ((twin, number_in(twin)), (owner, number_in(owner)));
            doors.push(Door { cell: tiling.lattice.cell(x, y), x: x as u16, y: y as u16, twin, owner });
        }
        doors.into()
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.lines.bytes()
            + (self.first.len() + self.owners.len()) * size_of::<u32>()
            + self.clusters.iter().map(|cluster| size_of::<Arc<Cluster>>() + cluster.bytes()).sum::<usize>()
    }
}

/// The next cluster round a cell, of those that share it: row by row, then from the start.
fn next(sharing: Area, (column, row): (u32, u32)) -> (u32, u32) {
    if column < sharing.right {
        (column + 1, row)
    } else if row < sharing.bottom {
        (sharing.left, row + 1)
    } else {
        (sharing.left, sharing.top)
    }
}

/// How close doors lie: as measured on the Moving AI maps. More of them make shorter routes before they are pulled
/// straight, hardly any after that, and longer searches.
fn spacing(size: u32, below: Option<&Level>) -> Spacing {
    let apart = (size / 2).max(1);
    match below {
        None => Spacing { narrow: 16, apart, joined: 6 },
        Some(_) => Spacing { narrow: 24, apart, joined: size / 8 },
    }
}
