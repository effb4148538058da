//! The known name that a wrong one may have been meant for.

/// The known name nearest to `found`, if one is near: the same letters, few letters apart (Damerau and Levenshtein), or one that
/// begins with it. Case and punctuation do not count. O(names · letters²).
///
/// ```
/// use throng_scenario::did_you_mean;
/// let known = ["grid", "kd-tree", "brute-force"];
/// assert_eq!(did_you_mean("gird", &known), Some("grid"));
/// assert_eq!(did_you_mean("KdTree", &known), Some("kd-tree"));
/// assert_eq!(did_you_mean("phone book", &known), None);
/// ```
pub fn did_you_mean<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    let letters = |text: &str| {
        let text = text.to_lowercase().replace('+', "plus").replace('*', "star");
        text.chars().filter(|c| c.is_alphanumeric()).collect::<String>()
    };
    let wanted = letters(found);
    let distance = |name: &&&str| strsim::damerau_levenshtein(&wanted, &letters(name));
    let near = |name: &&&str| {
        let (known, distance) = (letters(name), distance(name));
        let (starts_alike, length) = (known.chars().next() == wanted.chars().next(), known.len().min(wanted.len()));
        match distance {
            0 => true,
            1 => known.len() > 2,
            _ => distance * 3 < known.len() || starts_alike && distance * 2 <= length,
        }
    };
    let begins = |name: &&&str| {
        let known = letters(name);
        wanted.len() > 1 && known.starts_with(&wanted) || known.len() > 1 && wanted.starts_with(&known)
    };
    let ends = |name: &&&str| letters(name).len() > 1 && wanted.ends_with(&letters(name));
    let known = || known.iter();
    let nearest = known().filter(near).min_by_key(distance);
    nearest.or_else(|| known().find(begins)).or_else(|| known().find(ends)).copied()
}

/// Ends the message of an error about a name: the known name nearest to it or, where none is near, all known names.
///
/// ```
/// assert_eq!(throng_scenario::name_hint("gird", &["grid", "kd-tree"]), "did you mean \"grid\"?");
/// ```
pub fn name_hint(found: &str, known: &[&str]) -> String {
    if let Some(near) = did_you_mean(found, known) {
        return format!("did you mean {near:?}?");
    }
    let known: Vec<String> = known.iter().map(|name| name.escape_debug().to_string()).collect();
    format!("known are {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_near_and_far() {
        let known = ["brute-force", "grid", "quadtree", "kd-tree", "hash", "astar", "jps-plus"];
        for (found, near) in [
            ("gird", Some("grid")),
            ("Grid", Some("grid")),
            ("quad tree", Some("quadtree")),
            ("kd", Some("kd-tree")),
            ("brute", Some("brute-force")),
            ("spatial hash", Some("hash")),
            ("hash grid", Some("hash")),
            ("A*", Some("astar")),
            ("JPS+", Some("jps-plus")),
            ("phone book", None),
            ("tree", None),
            ("", None),
        ] {
            assert_eq!(did_you_mean(found, &known), near, "{found}");
        }
        assert_eq!(name_hint("gird", &["grid", "hash"]), "did you mean \"grid\"?");
        assert_eq!(name_hint("x", &["grid", "a\n"]), "known are grid, a\\n");
    }
}
