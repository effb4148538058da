//! Names of coordinate systems, and the units of their coordinates.

use super::epsg;

/// The unit of coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Longitude and latitude.
    Degrees,
    Metres,
    /// Metres of the maps of web sites, which are longer than metres on the ground: at a latitude φ 1 / cos φ times.
    WebMercator,
    /// Feet, links, grads and the like.
    Other,
}

/// A coordinate system that a file names.
#[derive(Clone, Debug)]
pub(super) struct System {
    pub name: String,
    /// `None` = nobody knows it here.
    pub unit: Option<Unit>,
    /// The place of the name in the text.
    pub at: usize,
}

/// Datums by which geographic systems are called; the systems of maps have a name of their own after a slash.
const DATUMS: [&str; 22] = [
    "wgs84",
    "wgs1984",
    "wgs72",
    "etrs89",
    "etrs1989",
    "etrf",
    "itrf",
    "nad83",
    "nad1983",
    "nad27",
    "nad1927",
    "gda94",
    "gda2020",
    "jgd2",
    "cgcs2000",
    "rgf93",
    "sirgas2000",
    "nzgd",
    "osgb36",
    "ed50",
    "dhdn",
    "pulkovo",
];

/// Words for coordinates on the globe.
const GEOGRAPHIC: [&str; 8] =
    ["lonlat", "longlat", "latlon", "latlong", "longitude", "latitude", "geographic", "worldgeodeticsystem"];

/// Words in names of maps of a country.
const PROJECTED: [&str; 10] =
    ["utm", "mercator", "gauss", "lambert", "laea", "stereograph", "conic", "albers", "cylindrical", "stateplane"];

/// Codes of EPSG, ESRI and Google for the same system.
const WEB_MERCATOR: [u32; 5] = [3785, 3857, 102_100, 102_113, 900_913];

/// The unit of the system of this name, in any of the usual spellings: `EPSG:4326`, `urn:ogc:def:crs:OGC:1.3:CRS84`,
/// `http://www.opengis.net/def/crs/EPSG/0/4326`, a number, words, a definition for PROJ, or one in well-known text.
pub(super) fn unit(name: &str) -> Option<Unit> {
    let upper = name.to_ascii_uppercase();
    if let Some(unit) = defined(&upper) {
        return Some(unit);
    }
    if upper.contains("+PROJ=") {
        return Some(for_proj(&upper));
    }
    by_code(&upper).or_else(|| by_words(name))
}

/// Definitions in well-known text: `GEOGCS["WGS 84", ...]`.
fn defined(text: &str) -> Option<Unit> {
    let has = |words: &[&str]| text.contains('[') && words.iter().any(|word| text.contains(word));
    if has(&["PROJCS", "PROJCRS", "PROJECTEDCRS"]) {
        return Some(if has(&["FOOT", "FEET", "YARD", "LINK"]) { Unit::Other } else { Unit::Metres });
    }
    has(&["GEOGCS", "GEOGCRS", "GEODCRS", "GEOCCS", "GEODETICCRS", "GEOGRAPHICCRS"]).then_some(Unit::Degrees)
}

/// Definitions for PROJ: `+proj=longlat +datum=WGS84`.
fn for_proj(text: &str) -> Unit {
    let value = |key: &str| text.split_whitespace().find_map(|word| word.strip_prefix(key));
    match (value("+PROJ="), value("+UNITS=")) {
        (Some("LONGLAT" | "LATLONG" | "LONLAT" | "LATLON" | "GEOCENT"), _) => Unit::Degrees,
        (_, None | Some("M")) => Unit::Metres,
        _ => Unit::Other,
    }
}

/// Codes of authorities; the first counts where a system is made of several.
fn by_code(text: &str) -> Option<Unit> {
    let tokens: Vec<&str> =
        text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|t| !t.is_empty()).collect();
    let is_crs84 = |token: &str| ["84", "84H", "83", "27"].contains(&token);
    let globe = tokens.iter().any(|token| token.strip_prefix("CRS").is_some_and(is_crs84))
        || tokens.windows(2).any(|pair| pair[0] == "CRS" && is_crs84(pair[1]));
    if globe {
        return Some(Unit::Degrees);
    }
    // Versions of the list of codes are smaller numbers.
    let code = |token: &str| token.parse::<u32>().ok().filter(|&code| code >= 1000);
    let named = tokens.iter().position(|token| ["EPSG", "ESRI"].iter().any(|word| token.starts_with(word)));
    let code = match (named, &tokens[..]) {
        (Some(at), _) => code(&tokens[at][4..]).or_else(|| tokens[at + 1..].iter().find_map(|token| code(token))),
        (None, [number]) => code(number),
        _ => None,
    };
    code.map(|code| if WEB_MERCATOR.contains(&code) { Unit::WebMercator } else { epsg::unit(code) })
}

/// Names in words: "WGS 84", "ETRS89 / UTM zone 32N".
fn by_words(name: &str) -> Option<Unit> {
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| letters.contains(word));
    let bare = letters.trim_start_matches("gcs").trim_start_matches("epsg");
    let is_datum = DATUMS.iter().any(|datum| bare.starts_with(datum));
    if has(&["pseudomercator", "webmercator"]) {
        return Some(Unit::WebMercator);
    }
    if has(&PROJECTED) || (is_datum && name.contains('/')) {
        return Some(if has(&["foot", "feet", "ftus", "usft"]) { Unit::Other } else { Unit::Metres });
    }
    (is_datum || has(&GEOGRAPHIC)).then_some(Unit::Degrees)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_spelling() {
        for (names, expected) in [
            (
                &[
                    "urn:ogc:def:crs:OGC:1.3:CRS84",
                    "urn:ogc:def:crs:OGC::CRS84h",
                    "OGC:CRS84",
                    "CRS:84",
                    "crs84",
                    "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
                    "http://www.opengis.net/def/crs/OGC/0/CRS84h",
                    "urn:ogc:def:crs:EPSG::4326",
                    "urn:ogc:def:crs:EPSG:6.18.3:4326",
                    "urn:x-ogc:def:crs:EPSG:4326",
                    "http://www.opengis.net/def/crs/EPSG/9.9.1/4979",
                    "https://www.opengis.net/def/crs/EPSG/0/4258",
                    "http://www.opengis.net/gml/srs/epsg.xml#4326",
                    "http://spatialreference.org/ref/epsg/4326/proj4/",
                    "[EPSG:4326]",
                    "EPSG:4326",
                    "epsg:4326",
                    "EPSG4326",
                    "EPSG 4269",
                    "4326",
                    "EPSG:4258",
                    "EPSG:4267",
                    "EPSG:4283",
                    "EPSG:4490",
                    "EPSG:4617",
                    "EPSG:4674",
                    "EPSG:4937",
                    "EPSG:6318",
                    "EPSG:6668",
                    "EPSG:7844",
                    "EPSG:9057",
                    "urn:ogc:def:crs,crs:EPSG::4326,crs:EPSG::5773",
                    "EPSG:4326+5773",
                    "EPSG:9518",
                    "ESRI:104145",
                    "WGS 84",
                    "WGS84",
                    "GCS_WGS_1984",
                    "WGS 84 (CRS84)",
                    "ETRS89",
                    "NAD83(2011)",
                    "geographic",
                    "+proj=longlat +datum=WGS84 +no_defs",
                    "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\"],UNIT[\"degree\",0.0174532925199433]]",
                    "GEOGCRS[\"ETRS89\",ANGLEUNIT[\"degree\",0.0174532925199433]]",
                ][..],
                Some(Unit::Degrees),
            ),
            (
                &[
                    "EPSG:25832",
                    "urn:ogc:def:crs:EPSG::32632",
                    "EPSG:4647",
                    "EPSG:4087",
                    "EPSG:2056",
                    "EPSG:27700",
                    "EPSG:31467",
                    "EPSG:5555",
                    "urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::5783",
                    "WGS 84 / UTM zone 32N",
                    "ETRS89 / DKTM1",
                    "+proj=utm +zone=32 +ellps=GRS80 +units=m +no_defs",
                    "PROJCS[\"UTM 32N\",GEOGCS[\"WGS 84\",UNIT[\"degree\",0.01745]],UNIT[\"metre\",1]]",
                ],
                Some(Unit::Metres),
            ),
            (
                &["EPSG:3857", "900913", "urn:ogc:def:crs:EPSG::3857", "ESRI:102100", "WGS 84 / Pseudo-Mercator"],
                Some(Unit::WebMercator),
            ),
            (
                &[
                    "EPSG:2263",
                    "EPSG:2230",
                    "urn:ogc:def:crs:EPSG::4807",
                    "ESRI:102718",
                    "NAD83 / New York Long Island (ftUS)",
                    "+proj=lcc +lat_1=41 +units=us-ft",
                    "PROJCRS[\"x\",LENGTHUNIT[\"US survey foot\",0.3048006]]",
                ],
                Some(Unit::Other),
            ),
            (
                &["", "local", "urn:ogc:def:crs:OGC::AUTO42001", "IGNF:LAMB93", "building grid", "[", "EPSG", "EPSG:"],
                None,
            ),
        ] {
            for name in names {
                assert_eq!(unit(name), expected, "{name}");
            }
        }
    }
}
