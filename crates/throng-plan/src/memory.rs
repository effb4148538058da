//! Memory that belongs to one planner.

use super::Cost;
use std::any::{Any, TypeId};
use std::fmt::Debug;
use throng_grid::Cell;

/// The memory of one kind of search: its open list, its tables, its part of the trace.
///
/// A planner gets its own from the [`Scratch`](super::Scratch) by type ([`Scratch::memory`](super::Scratch::memory)); it is
/// kept between searches, so that a search allocates nothing once it has grown. It holds what the last search left there:
/// a search must not depend on that.
///
/// Which cells are open or closed is told by the labels of this crate's searches, and by the memory that the planner names
/// with [`Scratch::traced_by`](super::Scratch::traced_by).
///
/// ```
/// use throng_grid::Cell;
/// use throng_plan::{Scratch, SearchMemory};
/// #[derive(Debug, Default)]
/// struct Stack(Vec<Cell>);
/// impl SearchMemory for Stack {
///     fn bytes(&self) -> usize {
///         self.0.capacity() * size_of::<Cell>()
///     }
/// }
/// let mut scratch = Scratch::default();
/// scratch.memory::<Stack>().0.push(Cell(7));
/// assert_eq!(scratch.memory::<Stack>().0, [Cell(7)]);
/// assert!(scratch.bytes() >= 4);
/// ```
pub trait SearchMemory: Any + Send + Sync + Debug {
    /// Bytes of memory, reserved ones included.
    fn bytes(&self) -> usize;

    /// True where the search knows a way to the cell and has not expanded it.
    fn is_open(&self, _cell: Cell) -> bool {
        false
    }

    /// True where the search has expanded the cell.
    fn is_closed(&self, _cell: Cell) -> bool {
        false
    }

    /// Cost of the best way found from the start to the cell.
    fn cost(&self, _cell: Cell) -> Option<Cost> {
        None
    }
}

/// The memories of all planners that have used a scratch, one a type.
#[derive(Debug, Default)]
pub(super) struct Memories {
    kept: Vec<Box<dyn SearchMemory>>,
    /// The type of the one that knows the trace of the last search.
    trace: Option<TypeId>,
}

impl Memories {
    /// The memory of a type, made where there is none.
    pub(super) fn of<M: SearchMemory + Default>(&mut self) -> &mut M {
        let found = self.place(TypeId::of::<M>());
        let place = found.unwrap_or_else(|| {
            self.kept.push(Box::new(M::default()));
            self.kept.len() - 1
        });
        let memory: &mut dyn Any = self.kept[place].as_mut();
        let Some(memory) = memory.downcast_mut() else { unreachable!("a memory is found by its type") };
        memory
    }

    /// The memory of a type.
    pub(super) fn find<M: SearchMemory>(&self) -> Option<&M> {
        let memory: &dyn Any = self.kept[self.place(TypeId::of::<M>())?].as_ref();
        memory.downcast_ref()
    }

    fn place(&self, wanted: TypeId) -> Option<usize> {
        self.kept.iter().position(|memory| {
            let memory: &dyn Any = memory.as_ref();
            memory.type_id() == wanted
        })
    }

    /// Names the memory that knows the trace.
    pub(super) fn traced_by<M: SearchMemory>(&mut self) {
        self.trace = Some(TypeId::of::<M>());
    }

    /// None of them knows the trace.
    pub(super) fn forget_trace(&mut self) {
        self.trace = None;
    }

    /// The memory that knows the trace, where there is one.
    pub(super) fn trace(&self) -> Option<&dyn SearchMemory> {
        self.place(self.trace?).map(|place| self.kept[place].as_ref())
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.kept.iter().map(|memory| memory.bytes()).sum()
    }
}
