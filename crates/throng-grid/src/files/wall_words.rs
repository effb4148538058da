//! Names that people give to walls in map editors, and names of what is no wall.

/// What a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    Wall,
    /// As `walkable`.
    Open,
    /// There is a word for walls in it, and others that may change its meaning, as in `wall shadows`.
    Unclear,
    Nothing,
}

/// Words for walls; the plural has an `s` more.
const WALLS: [&str; 27] = [
    "wall",
    "collision",
    "collide",
    "collider",
    "collidable",
    "collideable",
    "colliding",
    "obstacle",
    "obstruction",
    "obstructed",
    "block",
    "blocked",
    "blocking",
    "blocker",
    "solid",
    "barrier",
    "bound",
    "boundary",
    "boundarie",
    "impassable",
    "impassible",
    "unpassable",
    "unwalkable",
    "nonwalkable",
    "notwalkable",
    "nowalk",
    "nonpassable",
];

/// Words for what is open.
const OPEN: [&str; 11] = [
    "walkable",
    "passable",
    "passible",
    "traversable",
    "canwalk",
    "nocollision",
    "nocollide",
    "nonsolid",
    "notsolid",
    "nonblocking",
    "notblocking",
];

/// Words that change nothing.
const FILLERS: [&str; 46] = [
    "a",
    "all",
    "and",
    "are",
    "area",
    "be",
    "body",
    "bodies",
    "bottom",
    "box",
    "boxes",
    "can",
    "data",
    "east",
    "geometry",
    "grid",
    "group",
    "has",
    "hidden",
    "inner",
    "invisible",
    "is",
    "layer",
    "lower",
    "map",
    "mask",
    "move",
    "movement",
    "north",
    "obj",
    "object",
    "of",
    "or",
    "outer",
    "poly",
    "polygon",
    "rect",
    "rectangle",
    "region",
    "shape",
    "south",
    "the",
    "tile",
    "tilelayer",
    "west",
    "zone",
];

/// The meaning of a name in any case, its words written together, with capitals, blanks, lines or numbers between them.
pub(super) fn says(name: &str) -> Says {
    let words = words(name);
    let telling: Vec<&str> = words.iter().map(String::as_str).filter(|word| !is_in(&FILLERS, word)).collect();
    let whole = telling.concat();
    if telling.is_empty() {
        Says::Nothing
    } else if telling.iter().all(|word| is_in(&WALLS, word)) || is_in(&WALLS, &whole) {
        Says::Wall
    } else if telling.iter().all(|word| is_in(&OPEN, word)) || is_in(&OPEN, &whole) {
        Says::Open
    } else if telling.iter().any(|word| is_in(&WALLS, word) || is_in(&OPEN, word)) {
        Says::Unclear
    } else {
        Says::Nothing
    }
}

fn is_in(list: &[&str], word: &str) -> bool {
    list.contains(&word) || word.strip_suffix('s').is_some_and(|one| list.contains(&one))
}

/// The words of a name, in small letters.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last = ' ';
    for letter in name.chars().take(200) {
        let begins = !letter.is_alphabetic() || (letter.is_uppercase() && last.is_lowercase());
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphabetic()) {
            word.extend(letter.to_lowercase());
        }
        last = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A truth value as editors and people write it.
pub(super) fn truth(value: &str) -> Option<bool> {
    match value.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Some(true),
        "false" | "0" | "no" | "off" | "none" | "" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_walls_are_known_in_any_case() {
        for name in [
            "walls",
            "Wall",
            "WALLS",
            "Collision",
            "collisionLayer",
            "Collision Layer 2",
            "collision_objects",
            "Obstacles",
            "blocked",
            "isSolid",
            "SOLID",
            "unwalkable",
            "non-walkable",
            "not walkable",
            "Walls and obstacles",
            "hasCollision",
            "blocksMovement",
            "collides",
            "collidable",
            "Boundaries",
            "walls-2",
            "wall_tiles",
        ] {
            assert_eq!(says(name), Says::Wall, "{name}");
        }
        for name in ["walkable", "isWalkable", "Passable", "noCollision", "non solid"] {
            assert_eq!(says(name), Says::Open, "{name}");
        }
        for name in ["wall shadows", "behind walls", "Walls Top", "collisionType"] {
            assert_eq!(says(name), Says::Unclear, "{name}");
        }
        for name in ["", "ground", "Wallaby", "Objects", "the layer", "12", "colours"] {
            assert_eq!(says(name), Says::Nothing, "{name}");
        }
    }
}
