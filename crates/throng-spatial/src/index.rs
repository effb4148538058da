//! The choice of an index by name.

#[allow(clippy::wildcard_imports, reason = "every structure of the room")]
use super::*;
use std::fmt;
use std::str::FromStr;

/// Makes the kinds, their names and the index of any kind from one table.
macro_rules! kinds {
    ($($(#[$needs:meta])* $kind:ident $name:literal $structure:ty = $new:expr, heeds $($field:ident)*;)*) => {
        /// The kinds of index that can be chosen by name.
        ///
        /// ```
        /// use throng_spatial::IndexKind;
        /// assert_eq!("grid".parse::<IndexKind>()?, IndexKind::Grid);
        /// assert_eq!(IndexKind::Brute.to_string(), "brute-force");
        /// # Ok::<(), throng_spatial::UnknownIndex>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        // By name: which kinds there are depends on the features of a build.
        #[cfg_attr(feature = "serde", serde(into = "String", try_from = "String"))]
        #[non_exhaustive]
        pub enum IndexKind {
            $(
                #[doc = concat!("[`", stringify!($structure), "`]: `", $name, "`.")]
                $(#[$needs])*
                $kind,
            )*
        }

        impl IndexKind {
            /// All kinds.
            pub const ALL: [IndexKind; [$($(#[$needs])* $name),*].len()] = [$($(#[$needs])* IndexKind::$kind),*];

            /// The name in scenario files and on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $($(#[$needs])* IndexKind::$kind => $name,)*
                }
            }

            /// The fields of [`Tuning`] that concern it.
            pub(crate) fn heeds(self) -> &'static [&'static str] {
                match self {
                    $($(#[$needs])* IndexKind::$kind => &[$(stringify!($field)),*],)*
                }
            }
        }

        /// An index of one kind or another; the choice is made once a query, not once a body.
        ///
        /// ```
        /// use throng_spatial::{Bodies, Index, IndexKind, SpatialIndex};
        /// let bodies = Bodies::new(&[[0.0, 0.0], [3.0, 0.0]], &[0.5, 0.5], &[0, 1]);
        /// let mut index = Index::new(IndexKind::Grid);
        /// index.rebuild(bodies)?;
        /// assert_eq!(index.nearest(bodies, [1.0, 0.0], 5.0, |_| true), Some((0, 1.0)));
        /// # Ok::<(), throng_spatial::SpatialError>(())
        /// ```
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        #[allow(clippy::large_enum_variant, reason = "there are few indices, and nobody moves them about")]
        pub enum Index {
            $(
                #[doc = concat!("A [`", stringify!($structure), "`].")]
                $(#[$needs])*
                $kind($structure),
            )*
            /// One from outside this crate.
            Custom(CustomIndex),
        }

        impl Index {
            /// An empty index of a kind.
            pub fn new(kind: IndexKind) -> Self {
                Self::tuned(kind, &Tuning::default())
            }

            /// An empty index of a kind that is tuned.
            pub fn tuned(kind: IndexKind, tuning: &Tuning) -> Self {
                match kind {
                    $($(#[$needs])* IndexKind::$kind => {
                        let new: fn(&Tuning) -> $structure = $new;
                        Self::$kind(new(tuning))
                    })*
                }
            }

            /// The fault of an index from outside, since it was built: see [`CustomIndex::fault`].
            pub fn fault(&self) -> Option<crate::SpatialError> {
                if let Self::Custom(index) = self { index.fault() } else { None }
            }

            /// The kind of this index; `None` of one from outside.
            pub fn kind(&self) -> Option<IndexKind> {
                match self {
                    $($(#[$needs])* Self::$kind(_) => Some(IndexKind::$kind),)*
                    Self::Custom(_) => None,
                }
            }
        }

        impl Tuning {
            /// The part of this that concerns a kind; all else is as by default.
            #[must_use]
            pub fn heeded_by(&self, kind: IndexKind) -> Self {
                match kind {
                    $($(#[$needs])* IndexKind::$kind => Self { $($field: self.$field,)* ..Self::default() },)*
                }
            }
        }

        /// The same call for whichever index there is.
        macro_rules! each {
            ($index:expr, $it:ident => $call:expr) => {
                match $index {
                    $($(#[$needs])* Index::$kind($it) => $call,)*
                    Index::Custom($it) => $call,
                }
            };
        }
    };
}

// Kind (and the feature that it needs), name, structure, how it is made of a tuning, the fields of that it heeds.
kinds! {
    Brute "brute-force" BruteForce = |_| BruteForce, heeds;
    Grid "grid" DenseGrid = DenseGrid::new, heeds reach cell bounds;
    Quadtree "quadtree" Quadtree = |tuning| Quadtree::tuned(Border::Parent, tuning), heeds cell capacity bounds;
    QuadtreeLeaves "quadtree-leaves" Quadtree = |tuning| Quadtree::tuned(Border::Leaves, tuning), heeds cell capacity bounds;
    LinearQuadtree "linear-quadtree" LinearQuadtree = LinearQuadtree::tuned, heeds cell capacity bounds;
    LooseQuadtree "loose-quadtree" LooseQuadtree = LooseQuadtree::tuned, heeds cell looseness bounds;
    KdTree "kd-tree" KdTree<2> = KdTree::new, heeds capacity cut axis;
    #[cfg(feature = "more-indices")] AxisBsp "axis-bsp" AxisBsp<2> = AxisBsp::new, heeds cell capacity bounds;
    #[cfg(feature = "more-indices")] Bsp "bsp" Bsp = Bsp::new, heeds capacity;
    #[cfg(feature = "more-indices")] ClosestPair "closest-pair" ClosestPair<2> = ClosestPair::new, heeds sort;
    Sweep "sweep" SweepAndPrune<2> = |_| SweepAndPrune::default(), heeds;
    Bvh "bvh" Bvh<2> = |_| Bvh::default(), heeds;
    #[cfg(feature = "more-indices")] Sections "sections" Sections = Sections::new, heeds sections bounds;
    #[cfg(feature = "more-indices")] Buckets "buckets" Buckets = Buckets::new, heeds reach cell bounds;
    #[cfg(feature = "more-indices")] Dynamic "dynamic-buckets" DynamicBuckets = DynamicBuckets::new, heeds cell capacity bounds;
    Hash "hash" HashGrid<2> = HashGrid::new, heeds reach cell bounds;
    TwoLevel "two-level" TwoLevelGrid = TwoLevelGrid::new, heeds reach cell bounds;
}

#[allow(clippy::derivable_impls, reason = "attributes of the table stand on arms of a match, too")]
impl Default for IndexKind {
    fn default() -> Self {
        Self::Grid
    }
}

#[cfg(feature = "serde")]
impl From<IndexKind> for String {
    fn from(kind: IndexKind) -> Self {
        kind.name().to_owned()
    }
}

#[cfg(feature = "serde")]
impl TryFrom<String> for IndexKind {
    type Error = UnknownIndex;

    fn try_from(name: String) -> Result<Self, UnknownIndex> {
        name.parse()
    }
}

impl fmt::Display for IndexKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl IndexKind {
    /// The greatest capacity of its cells or leaves.
    pub(crate) fn max_capacity(self) -> usize {
        match self {
            Self::KdTree => KdTree::<2>::MAX_CAPACITY,
            #[cfg(feature = "more-indices")]
            Self::AxisBsp => AxisBsp::<2>::MAX_CAPACITY,
            #[cfg(feature = "more-indices")]
            Self::Bsp => Bsp::MAX_CAPACITY,
            _ => 1 << 20,
        }
    }
}

impl Index {
    /// The name of its kind, or its own where it is from outside.
    pub fn name(&self) -> &str {
        match (self, self.kind()) {
            (Self::Custom(index), _) => index.name(),
            (_, kind) => kind.map_or("", IndexKind::name),
        }
    }
}

impl From<IndexKind> for Index {
    fn from(kind: IndexKind) -> Self {
        Self::new(kind)
    }
}

impl From<IndexSpec> for Index {
    fn from(IndexSpec { kind, tuning }: IndexSpec) -> Self {
        Self::tuned(kind, &tuning)
    }
}

impl From<CustomIndex> for Index {
    fn from(index: CustomIndex) -> Self {
        Self::Custom(index)
    }
}

/// An index of an unknown name was asked for.
///
/// ```
/// use throng_spatial::IndexKind;
/// let error = "gird".parse::<IndexKind>().unwrap_err();
/// assert!(error.to_string().starts_with("unknown index \"gird\";"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownIndex {
    /// The name.
    pub found: String,
}

impl std::fmt::Display for UnknownIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { found } = self;
        write!(f, "unknown index {found:?}; known are {}", IndexKind::ALL.map(IndexKind::name).join(", "))
    }
}

impl std::error::Error for UnknownIndex {}

impl FromStr for IndexKind {
    type Err = UnknownIndex;

    fn from_str(name: &str) -> Result<Self, UnknownIndex> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownIndex { found: name.to_owned() })
    }
}

/// The parameters of an index; those that do not concern a kind are ignored. The answers are the same for all of them.
///
/// ```
/// use throng_spatial::{Index, IndexKind, Tuning};
/// let tuning = Tuning { cell: Some(2.0), capacity: Some(8), ..Tuning::default() };
/// let index = Index::tuned(IndexKind::Grid, &tuning);
/// assert_eq!(index.kind(), Some(IndexKind::Grid));
/// assert_eq!(tuning.heeded_by(IndexKind::Grid), Tuning { cell: Some(2.0), ..Tuning::default() });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tuning {
    /// How far questions will reach (m).
    pub reach: Option<f32>,
    /// Side of a cell (m), the smallest one for a tree.
    pub cell: Option<f32>,
    /// How many bodies a cell holds before it is split.
    pub capacity: Option<usize>,
    /// The world: bodies outside are an error.
    pub bounds: Option<Aabb<2>>,
    /// Into how many parts the world is cut, of an index by sections.
    pub sections: Option<usize>,
    /// How much wider than its cell the box of a body may be, of a loose tree.
    pub looseness: Option<f32>,
    /// How bodies are sorted, of an index by closest pairs.
    pub sort: Option<Sort>,
    /// Where a node is cut, of a k-d tree.
    pub cut: Option<KdCut>,
    /// Across which axis a node is cut, of a k-d tree.
    pub axis: Option<KdAxis>,
}

impl Tuning {
    /// Tuning for questions about `reach` metres.
    pub fn for_reach(reach: f32) -> Self {
        Self { reach: Some(reach), ..Self::default() }
    }
}

impl SpatialIndex<2> for Index {
    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        each!(self, index => index.rebuild(bodies))
    }

    fn update(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        each!(self, index => index.update(bodies))
    }

    fn pairs(&self, bodies: Bodies<2>, visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        each!(self, index => index.pairs(bodies, visit))
    }

    fn touching(
        &self,
        bodies: Bodies<2>,
        region: &Aabb<2>,
        visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        each!(self, index => index.touching(bodies, region, visit))
    }

    fn cells(&self, region: &Aabb<2>, visit: impl FnMut(&Aabb<2>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        each!(self, index => SpatialIndex::<2>::cells(index, region, visit))
    }

    fn spacing(&self) -> f32 {
        each!(self, index => SpatialIndex::<2>::spacing(index))
    }

    fn bytes(&self) -> usize {
        each!(self, index => SpatialIndex::<2>::bytes(index))
    }

    fn collect_pairs(&self, bodies: Bodies<2>, found: &mut Pairs) -> u64 {
        each!(self, index => index.collect_pairs(bodies, found))
    }

    fn within(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        radius: f32,
        visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        each!(self, index => index.within(bodies, point, radius, visit))
    }

    fn nearest(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        reach: f32,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        each!(self, index => index.nearest(bodies, point, reach, accept))
    }

    fn k_nearest(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        k: usize,
        reach: f32,
        accept: impl FnMut(u32) -> bool,
        found: &mut Vec<(u32, f32)>,
    ) {
        each!(self, index => index.k_nearest(bodies, point, k, reach, accept, found));
    }

    fn neighbours(&self, bodies: Bodies<2>, first: usize, reach: f32, near: NearRows<'_>) {
        each!(self, index => index.neighbours(bodies, first, reach, near));
    }

    fn cone(
        &self,
        bodies: Bodies<2>,
        cone: &Cone<2>,
        visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        each!(self, index => index.cone(bodies, cone, visit))
    }

    fn cast(&self, bodies: Bodies<2>, sweep: &Sweep<2>, accept: impl FnMut(u32) -> bool) -> Option<(u32, f64)> {
        each!(self, index => index.cast(bodies, sweep, accept))
    }

    fn census(&self) -> Census {
        each!(self, index => SpatialIndex::<2>::census(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for kind in IndexKind::ALL {
            assert_eq!(kind.to_string().parse::<IndexKind>().unwrap(), kind);
            assert_eq!(Index::new(kind).kind(), Some(kind));
            assert_eq!(Index::new(kind).name(), kind.name());
        }
        let error = "kdtree".parse::<IndexKind>().unwrap_err().to_string();
        assert!(error.starts_with("unknown index \"kdtree\"; known are brute"), "{error}");
        let error = "phone book".parse::<IndexKind>().unwrap_err().to_string();
        assert!(error.starts_with("unknown index \"phone book\"; known are brute-force"), "{error}");
        for kind in IndexKind::ALL {
            assert!(error.contains(kind.name()), "{error}");
        }
    }
    #[test]
    fn what_a_kind_heeds_changes_it_and_nothing_else_does() {
        let none = Tuning::default;
        let bounds = Aabb { low: [-9.0; 2], high: [9.0; 2] };
        let one_each = [
            Tuning { reach: Some(3.0), ..none() },
            Tuning { cell: Some(2.5), ..none() },
            Tuning { capacity: Some(7), ..none() },
            Tuning { bounds: Some(bounds), ..none() },
            Tuning { sections: Some(25), ..none() },
            Tuning { looseness: Some(1.5), ..none() },
            Tuning { sort: Some(Sort::Bubble), ..none() },
            Tuning { cut: Some(KdCut::Middle), ..none() },
            Tuning { axis: Some(KdAxis::Cyclic), ..none() },
        ];
        let made = |kind, tuning: &Tuning| format!("{:?}", Index::tuned(kind, tuning));
        for kind in IndexKind::ALL {
            for tuning in &one_each {
                let heeded = tuning.heeded_by(kind);
                assert!(heeded == *tuning || heeded == none(), "{kind} {tuning:?}");
                assert_eq!(made(kind, tuning) != made(kind, &none()), heeded == *tuning, "{kind} {tuning:?}");
            }
        }
    }
}
