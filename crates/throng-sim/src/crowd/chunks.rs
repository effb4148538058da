//! How many rows a thread takes at once. No result depends on it.

/// Rows that one thread works on before it takes the next ones.
pub(crate) const CHUNK: usize = 128;

/// Rows that are worth a thread where little is done with each.
pub(crate) const PIECE: usize = 4096;
