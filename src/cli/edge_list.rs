//! Graphs from lists of edges.

use super::CliError;
use csv::{ReaderBuilder, StringRecord};
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use throng::grid::geom::DVec2;
use throng::plan::graph::petgraph::Directed;
use throng::plan::graph::petgraph::graph::NodeIndex;
use throng::plan::graph::{Graph, Heuristic};
use throng::scenario::did_you_mean;

/// One in the units of [`decimal`]: so many digits after the point are exact.
const ONE: f64 = 1e18;

/// The largest table that is read.
const MAX_BYTES: u64 = 128 << 20;

/// A graph whose nodes have names, and maybe positions.
pub(super) struct EdgeList {
    /// Positions are counted from the first node: so a graph far from the origin is as exact as one near it.
    pub graph: Graph<DVec2, f64, Directed>,
    /// The name of each node, by its index.
    pub names: Vec<String>,
    // Only ever asked for single names, so its order cannot show.
    nodes: HashMap<String, NodeIndex>,
}

/// A row: its fields, and the place of each in the file.
struct Row {
    fields: Vec<(String, usize)>,
    line: usize,
}

impl EdgeList {
    /// Reads a list of edges, a CSV file with the header `from,to,cost` or `from,to`, and the positions of the nodes, one with the header
    /// `node,x,y`. Without a cost an edge costs its length, or 1 where the nodes have no positions. Edges go both ways unless they
    /// are `directed`. O(nodes + edges).
    pub fn load(edges: &Path, positions: Option<&Path>, directed: bool) -> Result<Self, CliError> {
        let mut list = Self { graph: Graph::default(), names: Vec::new(), nodes: HashMap::new() };
        let mut origin = None;
        for row in positions.map_or_else(|| Ok(Vec::new()), |file| rows(file, &[&["node", "x", "y"]]))? {
            let file = positions.unwrap_or(edges);
            let name = &row.fields[0].0;
            if list.nodes.contains_key(name) {
                return Err(row.wrong(file, 0, format!("there are two nodes of the name {name:?}; remove one")));
            }
            let [x, y] = [row.coordinate(file, 1)?, row.coordinate(file, 2)?];
            let [x0, y0] = *origin.get_or_insert([x, y]);
            list.add(name, DVec2::new((x - x0) as f64, (y - y0) as f64) / ONE);
        }
        let is_placed = positions.is_some();
        for row in rows(edges, &[&["from", "to", "cost"], &["from", "to"]])? {
            let mut ends = [NodeIndex::default(); 2];
            for (end, (name, i)) in ends.iter_mut().zip(row.fields.iter().map(|(name, _)| name).zip(0..)) {
                *end = match list.nodes.get(name) {
                    Some(&node) => node,
                    None if !is_placed => list.add(name, DVec2::ZERO),
                    None => {
                        let message =
                            format!("the node {name:?} has no position; add a row for it to the file of --nodes");
                        return Err(row.wrong(edges, i, message));
                    }
                };
            }
            let [from, to] = ends;
            let cost = match row.fields.len() {
                3 => row.number(edges, 2, 0.0)?,
                _ if is_placed => throng::plan::graph::Euclidean.estimate(list.graph[from], list.graph[to]),
                _ => 1.0,
            };
            list.graph.add_edge(from, to, cost);
            if !directed {
                list.graph.add_edge(to, from, cost);
            }
        }
        Ok(list)
    }

    fn add(&mut self, name: &str, position: DVec2) -> NodeIndex {
        let node = self.graph.add_node(position);
        self.names.push(name.to_owned());
        self.nodes.insert(name.to_owned(), node);
        node
    }

    /// The node of this name.
    pub fn node(&self, option: &'static str, name: &str) -> Result<NodeIndex, CliError> {
        self.nodes.get(name).copied().ok_or_else(|| {
            let known: Vec<&str> = self.names.iter().map(String::as_str).collect();
            let near = did_you_mean(name, &known).map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
            CliError::NoNode { option, found: name.to_owned(), near }
        })
    }

    /// The least cost of an edge for each unit of its length, as `metric` measures it: an estimate of so much for each unit is
    /// consistent. 0 where no edge has a length.
    pub fn least_rate(&self, metric: &impl Heuristic<DVec2>) -> f64 {
        let rates = self.graph.edge_references().filter_map(|edge| {
            use throng::plan::graph::petgraph::visit::EdgeRef;
            let length = metric.estimate(self.graph[edge.source()], self.graph[edge.target()]);
            (length > 0.0).then(|| edge.weight() / length)
        });
        // A hair less, so that no rounding makes the estimate greater than a cost.
        rates.min_by(f64::total_cmp).map_or(0.0, |rate| rate * (1.0 - 1e-12))
    }
}

impl Row {
    fn wrong(&self, file: &Path, field: usize, message: String) -> CliError {
        let column = self.fields.get(field).map_or(1, |(_, column)| *column);
        CliError::EdgeList { file: file.to_path_buf(), line: self.line, column, message }
    }

    /// A field that is a number of at least `least` and at most 1e9.
    fn number(&self, file: &Path, field: usize, least: f64) -> Result<f64, CliError> {
        let text = &self.fields[field].0;
        text.parse().ok().filter(|number| (least..=1e9).contains(number)).ok_or_else(|| {
            let message = format!("expected a number from {least} to 1000000000, found {text:?}");
            self.wrong(file, field, message)
        })
    }

    /// A field that is a coordinate, in units of 1 / [`ONE`].
    fn coordinate(&self, file: &Path, field: usize) -> Result<i128, CliError> {
        let number = self.number(file, field, -1e9)?;
        Ok(decimal(&self.fields[field].0).unwrap_or((number * ONE) as i128))
    }
}

/// A number as it is written, in units of 1 / [`ONE`], without rounding; `None` with an exponent or more digits.
fn decimal(text: &str) -> Option<i128> {
    let digits = text.trim_start_matches(['+', '-']);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let is_plain =
        whole.len() <= 10 && part.len() <= 18 && (whole.bytes().chain(part.bytes())).all(|c| c.is_ascii_digit());
    let number = format!("{whole}{part:0<18}").parse::<i128>().ok().filter(|_| is_plain)?;
    Some(if text.starts_with('-') { -number } else { number })
}

/// The rows below the header, which is one of these; at least one.
fn rows(file: &Path, headers: &[&[&str]]) -> Result<Vec<Row>, CliError> {
    let unread = |source| CliError::Unread { file: file.to_path_buf(), source };
    let mut text = String::new();
    // One byte more than there may be: a device or a pipe has no end.
    File::open(file).and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text)).map_err(unread)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(unread(std::io::Error::new(std::io::ErrorKind::FileTooLarge, "it has more than 128 MiB")));
    }
    let text = text.trim_start_matches('\u{FEFF}');
    let (mut line, mut counted) = (1, 0);
    // No quotes: a field is what stands between two commas, so that its column in the line can be named.
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).quoting(false).from_reader(text.as_bytes());
    let (mut record, mut rows) = (StringRecord::new(), Vec::new());
    while reader.read_record(&mut record).map_err(|error| unread(std::io::Error::other(error)))? {
        // A record's place is that of the blank lines before it.
        let first = record.position().map_or(0, |position| position.byte() as usize);
        let first = text[first..].find(|c| !matches!(c, '\r' | '\n')).map_or(first, |blank| first + blank);
        let mut column = 1;
        let fields = record.iter().map(|field| {
            let place = column;
            column += field.chars().count() + 1;
            (field.trim().to_owned(), place)
        });
        let fields = fields.collect();
        line += text[counted..first].matches('\n').count();
        counted = first;
        rows.push(Row { fields, line });
    }
    let known = || headers.iter().map(|header| header.join(",")).collect::<Vec<_>>().join(" or ");
    if rows.is_empty() {
        let none = Row { fields: Vec::new(), line: 1 };
        return Err(none.wrong(file, 0, format!("the file is empty, expected the header {}", known())));
    }
    let header = rows.remove(0);
    let names: Vec<&str> = header.fields.iter().map(|(name, _)| name.as_str()).collect();
    if !headers.contains(&names.as_slice()) {
        return Err(header.wrong(file, 0, format!("the header must be {}, found {:?}", known(), names.join(","))));
    }
    if let Some(row) = rows.iter().find(|row| row.fields.len() != names.len()) {
        let (found, expected) = (row.fields.len(), names.len());
        let message = format!("this row has {found} fields, expected {expected}: {}", names.join(","));
        return Err(row.wrong(file, 0, message));
    }
    if rows.is_empty() {
        return Err(header.wrong(file, 0, "there is no row below the header; add one for each edge or node".into()));
    }
    Ok(rows)
}
