//! What people may have meant by a name.

/// Ends the message of an error about an unknown name: the known name nearest to it, if one is near, then all known names.
/// Without the feature `hints` spelling mistakes are not recognised.
///
/// ```
/// assert_eq!(throng_spatial::hint("hash grid", &["grid", "hash"]), "did you mean \"hash\"? known are grid, hash");
/// ```
pub fn hint(found: &str, known: &[&'static str]) -> String {
    let all = known.join(", ");
    match nearest(found, known) {
        Some(near) => format!("did you mean \"{near}\"? known are {all}"),
        None => format!("known are {all}"),
    }
}

fn nearest(found: &str, known: &[&'static str]) -> Option<&'static str> {
    // As people write them: KdTree, Quad Tree, spatial hash, dense grid.
    let letters = |text: &str| text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let wanted = letters(found);
    #[cfg(feature = "hints")]
    let distance = |name: &&str| strsim::damerau_levenshtein(&wanted, &letters(name));
    let begun = |name: &&str| wanted.len() > 1 && letters(name).starts_with(&wanted);
    let starts = |name: &&str| wanted.starts_with(&letters(name));
    let ends = |name: &&str| wanted.ends_with(&letters(name));
    let first = |like: &dyn Fn(&&str) -> bool| known.iter().copied().find(|name| like(name));
    #[cfg(feature = "hints")]
    let close = |name: &&str| distance(name) * 3 < letters(name).len();
    #[cfg(feature = "hints")]
    let near = known.iter().copied().min_by_key(distance).filter(close);
    #[cfg(not(feature = "hints"))]
    let near = None;
    near.or_else(|| first(&begun)).or_else(|| first(&starts)).or_else(|| first(&ends))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_near_and_far() {
        let known = ["brute-force", "grid", "quadtree", "kd-tree", "hash"];
        for (found, near) in [
            ("gird", Some("grid")),
            ("Grid", Some("grid")),
            ("quad tree", Some("quadtree")),
            ("KdTree", Some("kd-tree")),
            ("kd", Some("kd-tree")),
            ("brute", Some("brute-force")),
            ("spatial hash", Some("hash")),
            ("hash grid", Some("hash")),
            ("phone book", None),
            ("tree", None),
            ("", None),
        ] {
            assert_eq!(nearest(found, &known), near, "{found}");
        }
        assert_eq!(hint("gird", &["grid", "hash"]), "did you mean \"grid\"? known are grid, hash");
        assert_eq!(hint("x", &["grid", "hash"]), "known are grid, hash");
    }
}
