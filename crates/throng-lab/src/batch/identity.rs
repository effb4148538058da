//! The identity of a batch.

use super::fnv::{OFFSET, fnv};
use super::row::plain;
use super::{Batch, Vary};
use throng_sim::world::MapMark;

/// How the first line of a table begins.
pub(super) const FIRST_LINE_START: &str = "# throng batch; ";

impl Batch {
    /// The properties on which the rows depend, apart from the seed, and their names.
    pub(super) fn identity(&self) -> [(&'static str, String); 5] {
        let grid = self.template.grid();
        let areas = format!("{:?}", self.template.areas());
        let map = fnv(areas.as_bytes(), fnv(MapMark::of(grid).to_string().as_bytes(), OFFSET));
        let varies: Vec<String> = self.varies.iter().map(Vary::to_string).collect();
        [
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("scenario", format!("{:016x}", fnv(self.template.text().as_bytes(), self.units))),
            ("map", format!("{map:016x}")),
            ("ticks", self.ticks.to_string()),
            ("vary", plain(&varies.join(" "))),
        ]
    }

    /// The first line of its table, with its end.
    pub(super) fn first_line(&self) -> String {
        let fields = self.identity().map(|(name, value)| format!("{name} {value}"));
        format!("{FIRST_LINE_START}{}\n", fields.join("; "))
    }

    /// Where the first line of a table is that of another batch: the property that differs, its value there, and that
    /// of this batch.
    pub(super) fn differs(&self, line: &str) -> Option<(String, String, String)> {
        let own = self.identity();
        let mut found = line.trim_end().strip_prefix(FIRST_LINE_START).unwrap_or_default().splitn(own.len(), "; ");
        own.into_iter().find_map(|(name, expected)| {
            let field = found.next().unwrap_or_default();
            let found = field.strip_prefix(name).map(str::trim_start);
            let cut = |text: &str| match text.chars().count() {
                0 => "nothing".to_owned(),
                1..=80 => text.to_owned(),
                _ => format!("{}...", text.chars().take(80).collect::<String>()),
            };
            (found != Some(expected.as_str()))
                .then(|| (name.to_owned(), cut(found.unwrap_or_default()), cut(&expected)))
        })
    }
}
