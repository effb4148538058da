//! The public names of all crates are those of the lists in `docs/public`, so that a change of the face is seen in a review.
//!
//! The lists are made of the documentation as JSON, which `.ci/run` has made before. To accept a change, run the two commands
//! below the step "public names" there with `THRONG_ACCEPT=1`.
#![allow(clippy::unwrap_used, missing_docs)]

mod types;

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use types::{function, name_of};

const CRATES: [&str; 10] =
    ["grid", "plan", "spatial", "sim", "compare", "scenario", "lab", "scene", "record", "viewer"];

/// The items of a crate by their numbers, and the lines about those that are public.
struct Face<'a> {
    items: &'a Value,
    lines: BTreeSet<String>,
    /// Modules on the way to the one that is being listed.
    open: Vec<String>,
}

#[test]
#[ignore = "needs the documentation as JSON, which .ci/run makes"]
fn the_public_names_are_those_of_the_lists() {
    let folder =
        std::env::var("THRONG_DOC_JSON").expect("THRONG_DOC_JSON names the folder of the documentation as JSON");
    let mut changed = Vec::new();
    for name in CRATES {
        let krate = format!("throng_{name}");
        let json = std::fs::read(Path::new(&folder).join(format!("{krate}.json"))).unwrap();
        let doc: Value = serde_json::from_slice(&json).unwrap();
        let mut face = Face { items: &doc["index"], lines: BTreeSet::new(), open: Vec::new() };
        face.module(&doc["root"], &krate);
        let now: String = face.lines.iter().flat_map(|line| [line, "\n"]).collect();
        let list = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/public/throng-{name}.txt"));
        let then = std::fs::read_to_string(&list).unwrap_or_default();
        if std::env::var_os("THRONG_ACCEPT").is_some() {
            std::fs::write(&list, &now).unwrap();
        } else if now != then {
            let (now, then): (BTreeSet<&str>, BTreeSet<&str>) = (now.lines().collect(), then.lines().collect());
            changed.extend(then.difference(&now).map(|line| format!("- {line}")));
            changed.extend(now.difference(&then).map(|line| format!("+ {line}")));
        }
    }
    assert!(changed.is_empty(), "THRONG_ACCEPT=1 accepts this change of the public face:\n{}", changed.join("\n"));
}

impl Face<'_> {
    fn item(&self, id: &Value) -> Option<&Value> {
        self.items.get(id.to_string().trim_matches('"'))
    }

    fn say(&mut self, line: String) {
        self.lines.insert(line);
    }

    /// The public items of a module, those that it takes from elsewhere too.
    fn module(&mut self, id: &Value, path: &str) {
        if self.open.contains(&id.to_string()) {
            return;
        }
        self.open.push(id.to_string());
        let items = self.item(id).map(|module| module["inner"]["module"]["items"].clone()).unwrap_or_default();
        for id in items.as_array().into_iter().flatten() {
            let Some(item) = self.item(id).filter(|item| item["visibility"] == "public").cloned() else { continue };
            match item["inner"].get("use") {
                Some(of) => {
                    let path = format!("{path}::{}", of["name"].as_str().unwrap());
                    match self.item(&of["id"]).cloned() {
                        Some(item) => self.one(&of["id"], &item, &path),
                        None => self.say(format!("{path} = {}", of["source"].as_str().unwrap())),
                    }
                }
                None => self.one(id, &item, &format!("{path}::{}", item["name"].as_str().unwrap())),
            }
        }
        self.open.pop();
    }

    fn one(&mut self, id: &Value, item: &Value, path: &str) {
        let (kind, inner) = item["inner"].as_object().and_then(|inner| inner.iter().next()).unwrap();
        let sealed = if item["attrs"].to_string().contains("non_exhaustive") { " (non-exhaustive)" } else { "" };
        match kind.as_str() {
            "module" => {
                self.say(format!("{path}: module"));
                self.module(id, path);
            }
            "function" => self.say(format!("{path}{}", function(inner))),
            "constant" | "static" | "type_alias" => self.say(format!("{path}: {kind} {}", name_of(&inner["type"]))),
            "struct" | "enum" | "trait" => {
                self.say(format!("{path}: {kind}{sealed}"));
                let kind = &inner["kind"];
                for members in [&inner["variants"], &inner["items"], &kind["plain"]["fields"], &kind["tuple"]] {
                    self.members(members, path, inner["kind"].is_null());
                }
                for of in inner["impls"].as_array().into_iter().flatten() {
                    self.implementation(of, path);
                }
            }
            _ => self.say(format!("{path}: {kind}")),
        }
    }

    /// Fields, variants, and what a trait has; those of a variant or a trait are public by themselves.
    fn members(&mut self, ids: &Value, path: &str, all: bool) {
        for id in ids.as_array().into_iter().flatten() {
            let Some(item) = self.item(id).cloned() else { continue };
            if !all && item["visibility"] != "public" {
                continue;
            }
            let path = format!("{path}::{}", item["name"].as_str().unwrap_or_default());
            let (kind, inner) = item["inner"].as_object().and_then(|inner| inner.iter().next()).unwrap();
            match kind.as_str() {
                "function" => self.say(format!("{path}{}", function(inner))),
                "struct_field" => self.say(format!("{path}: {}", name_of(inner))),
                "assoc_const" => self.say(format!("{path}: {}", name_of(&inner["type"]))),
                "variant" => {
                    self.say(path.clone());
                    self.members(&inner["kind"]["struct"]["fields"], &path, true);
                    self.members(&inner["kind"]["tuple"], &path, true);
                }
                _ => self.say(path),
            }
        }
    }

    /// What a type has of its own, and the traits that it has by hand or by `derive`.
    fn implementation(&mut self, id: &Value, path: &str) {
        let Some(item) = self.item(id).cloned() else { return };
        let of = &item["inner"]["impl"];
        if of["is_synthetic"] == true || !of["blanket_impl"].is_null() {
            return;
        }
        if of["trait"].is_null() {
            self.members(&of["items"], path, false);
        } else if of["trait"]["path"] != "StructuralPartialEq" {
            self.say(format!("{path}: {}", types::path_of(&of["trait"])));
        }
    }
}
