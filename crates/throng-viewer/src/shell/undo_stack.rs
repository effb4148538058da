//! Changes that can be undone and redone.

/// Changes in their order, and the changes that were undone since the last new one.
#[derive(Clone, Debug)]
pub(crate) struct UndoStack<T> {
    pub done: Vec<T>,
    pub undone: Vec<T>,
}

impl<T> Default for UndoStack<T> {
    fn default() -> Self {
        Self { done: Vec::new(), undone: Vec::new() }
    }
}

impl<T> UndoStack<T> {
    /// Adds a change; what was undone can no longer be redone.
    pub fn push(&mut self, change: T) {
        self.done.push(change);
        self.undone.clear();
    }

    /// Undoes the last change by `revert`, which returns the entry that redoes it, or `None` for a change without effect: then the
    /// one before is undone. False where none is left.
    ///
    /// # Errors
    /// As `revert`; the change then stays.
    pub fn undo<E>(&mut self, revert: impl FnMut(&T) -> Result<Option<T>, E>) -> Result<bool, E> {
        shift(&mut self.done, &mut self.undone, revert)
    }

    /// Redoes the change that was undone last, as [`UndoStack::undo`] undoes one.
    ///
    /// # Errors
    /// As `apply`; the change then stays undone.
    pub fn redo<E>(&mut self, apply: impl FnMut(&T) -> Result<Option<T>, E>) -> Result<bool, E> {
        shift(&mut self.undone, &mut self.done, apply)
    }
}

fn shift<T, E>(
    from: &mut Vec<T>,
    to: &mut Vec<T>,
    mut apply: impl FnMut(&T) -> Result<Option<T>, E>,
) -> Result<bool, E> {
    while let Some(change) = from.last() {
        let opposite = apply(change)?;
        from.pop();
        if let Some(opposite) = opposite {
            to.push(opposite);
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_move_between_done_and_undone_and_refused_ones_stay() {
        let mut stack = UndoStack::default();
        (0..4).for_each(|change| stack.push(change));
        let even = |&change: &i32| Ok::<_, ()>((change % 2 == 0).then_some(change));
        assert_eq!((stack.undo(even), &stack.done, &stack.undone), (Ok(true), &vec![0, 1], &vec![2]));
        assert_eq!((stack.undo(|_| Err(7)), &stack.done), (Err(7), &vec![0, 1]));
        assert_eq!((stack.redo(even), stack.redo(even)), (Ok(true), Ok(false)));
        assert_eq!(stack.done, [0, 1, 2]);
        assert_eq!(stack.undo(even), Ok(true));
        stack.push(9);
        assert_eq!((stack.redo(even), stack.done), (Ok(false), vec![0, 1, 9]));
    }
}
