//! The choice of an index: one of this crate's, or one from outside.

use crate::{CustomIndex, Index, IndexKind, IndexSpec};
use std::fmt;
use std::sync::Arc;

/// An index that was chosen, not made yet.
///
/// Stored is the text of an [`IndexSpec`], or the name of a [`CustomIndex`]. The latter is read as
/// [`IndexChoice::Missing`]: the code of the index must come from the program.
///
/// ```
/// use throng_spatial::{BruteForce, CustomIndex, IndexChoice, IndexKind};
/// let built_in = IndexChoice::from(IndexKind::Grid);
/// assert_eq!(built_in.build()?.kind(), Some(IndexKind::Grid));
/// let mine = IndexChoice::from(CustomIndex::new("mine", BruteForce));
/// assert_eq!(mine.to_string(), "mine");
/// let error = IndexChoice::Missing("mine".into()).build().unwrap_err();
/// assert_eq!(error.to_string(), "the index \"mine\" is not one of the program's; give it, or choose another");
/// # Ok::<(), throng_spatial::MissingIndex>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "Stored", from = "Stored"))]
pub enum IndexChoice {
    /// An index of this crate.
    BuiltIn(IndexSpec),
    /// One from outside.
    Custom(CustomIndex),
    /// One from outside, of which only the name is known.
    Missing(Arc<str>),
}

/// The stored form of a choice.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
enum Stored {
    BuiltIn(IndexSpec),
    Custom(String),
}

#[cfg(feature = "serde")]
impl From<IndexChoice> for Stored {
    fn from(choice: IndexChoice) -> Self {
        match choice {
            IndexChoice::BuiltIn(spec) => Self::BuiltIn(spec),
            IndexChoice::Custom(_) | IndexChoice::Missing(_) => Self::Custom(choice.to_string()),
        }
    }
}

#[cfg(feature = "serde")]
impl From<Stored> for IndexChoice {
    fn from(stored: Stored) -> Self {
        match stored {
            Stored::BuiltIn(spec) => Self::BuiltIn(spec),
            Stored::Custom(name) => Self::Missing(name.into()),
        }
    }
}

impl IndexChoice {
    /// An empty index of this choice.
    ///
    /// # Errors
    /// Where only its name is known.
    pub fn build(&self) -> Result<Index, MissingIndex> {
        match self {
            Self::BuiltIn(spec) => Ok(Index::from(*spec)),
            Self::Custom(index) => Ok(Index::Custom(index.clone())),
            Self::Missing(name) => Err(MissingIndex { name: Arc::clone(name) }),
        }
    }

    /// The kind; `None` of an index from outside.
    pub fn kind(&self) -> Option<IndexKind> {
        match self {
            Self::BuiltIn(spec) => Some(spec.kind),
            Self::Custom(_) | Self::Missing(_) => None,
        }
    }
}

impl Default for IndexChoice {
    fn default() -> Self {
        Self::BuiltIn(IndexSpec::default())
    }
}

impl PartialEq for IndexChoice {
    /// Indices from outside are equal where their names are.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::BuiltIn(own), Self::BuiltIn(other)) => own == other,
            (Self::BuiltIn(_), _) | (_, Self::BuiltIn(_)) => false,
            _ => self.to_string() == other.to_string(),
        }
    }
}

impl fmt::Display for IndexChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(spec) => spec.fmt(f),
            Self::Custom(index) => f.pad(index.name()),
            Self::Missing(name) => f.pad(name),
        }
    }
}

impl From<IndexKind> for IndexChoice {
    fn from(kind: IndexKind) -> Self {
        Self::BuiltIn(kind.into())
    }
}

impl From<IndexSpec> for IndexChoice {
    fn from(spec: IndexSpec) -> Self {
        Self::BuiltIn(spec)
    }
}

impl From<CustomIndex> for IndexChoice {
    fn from(index: CustomIndex) -> Self {
        Self::Custom(index)
    }
}

/// An index from outside of which only the name is known, as after reading a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MissingIndex {
    /// The name.
    pub name: Arc<str>,
}

impl fmt::Display for MissingIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the index {:?} is not one of the program's; give it, or choose another", self.name)
    }
}

impl std::error::Error for MissingIndex {}
