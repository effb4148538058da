//! Coordinates in metres: those of a plan as it says they are, degrees projected or refused.

use super::Plan;
use super::project::Projection;
use super::system::{System, Unit};
use crate::files::source::{Source, quoted};
use crate::{MapError, MapWarning};

/// The farthest from the middle (m) that is projected: lengths there are 0.11 % too long.
const MAX_DISTANCE_M: f64 = 300_000.0;

/// Radius of the sphere of Web Mercator (m).
const RADIUS: f64 = 6_378_137.0;

/// Degrees of longitude on each side of the middle at most.
const MAX_LONGITUDE_DEGREES: f64 = 60.0;

/// Least x and y, greatest x and y.
type Bounds = [f64; 4];

/// Makes all coordinates metres, or says why they are none. `project` is what is asked for: `Some(true)` = degrees are projected,
/// `Some(false)` = all numbers are metres, `None` = degrees are refused.
pub(super) fn in_metres(plan: &mut Plan, source: &Source, project: Option<bool>) -> Result<(), MapError> {
    let Some(bounds) = bounds_of(plan.positions()) else { return Ok(()) };
    let unit = plan.system.as_ref().and_then(|system| system.unit);
    match (unit, project) {
        (Some(Unit::WebMercator), None) => {
            warn_of_stretch(plan, source, bounds);
            Ok(())
        }
        (Some(Unit::WebMercator), Some(true)) => {
            plan.positions_mut().for_each(|position| *position = degrees(*position));
            plan.bounds = plan
                .bounds
                .map(|[x0, y0, x1, y1]| (degrees([x0, y0]), degrees([x1, y1])))
                .map(|(a, b)| [a[0], a[1], b[0], b[1]]);
            let bounds = bounds_of(plan.positions()).unwrap_or(bounds);
            projected(plan, source, bounds)
        }
        (_, Some(false)) | (Some(Unit::Metres), _) => Ok(()),
        (Some(Unit::Other), _) => {
            Err(refused(plan, source, "in another unit", "metres: save the plan in metres, as UTM"))
        }
        (Some(Unit::Degrees), None) => Err(refused(
            plan,
            source,
            "in degrees",
            "metres: project it with --project (project = true in a scenario), or save it in metres, as UTM",
        )),
        (Some(Unit::Degrees), Some(true)) => projected(plan, source, bounds),
        (None, Some(true)) if is_on_globe(bounds) && !plan.is_ours => projected(plan, source, bounds),
        (None, None) if is_on_globe(bounds) && !plan.is_ours && looks_like_degrees(plan, bounds) => {
            let [width, height] = size(bounds);
            let found = format!("a plan of {width:.4} x {height:.4} at {:.4} {:.4}", bounds[0], bounds[1]);
            let expected = "metres: these look like degrees of longitude and latitude; project them with --project (project = true in a \
                scenario), or save the plan in metres, as UTM; where they are metres, say --project=false (project = false)";
            Err(wrong(source, found, expected))
        }
        (None, _) => Ok(()),
    }
}

/// Longitude and latitude (degrees) of metres of Web Mercator.
fn degrees([x, y]: [f64; 2]) -> [f64; 2] {
    [(x / RADIUS).to_degrees(), libm::atan(libm::sinh(y / RADIUS)).to_degrees()]
}

/// Says how much too long lengths of Web Mercator are.
fn warn_of_stretch(plan: &mut Plan, source: &Source, [_, y0, _, y1]: Bounds) {
    let (stretch, at) =
        (libm::cosh(f64::midpoint(y0, y1) / RADIUS), plan.system.as_ref().map(|system| source.place(system.at)));
    if stretch > 1.01 {
        let message = format!(
            "lengths in Web Mercator are {stretch:.2} times those on the ground here; --project (project = true in a scenario) makes metres of them"
        );
        plan.warnings.push(MapWarning { file: source.file.to_path_buf(), place: at, message });
    }
}

fn wrong(source: &Source, found: String, expected: &str) -> MapError {
    MapError::Plan { file: source.file.to_path_buf(), found, expected: expected.to_owned() }
}

/// An error at the name of the system.
fn refused(plan: &Plan, source: &Source, what: &str, expected: &str) -> MapError {
    let (name, at) = plan.system.as_ref().map_or(("", 0), |System { name, at, .. }| (name.as_str(), *at));
    source.wrong(at, format!("the coordinate system {}, which is {what}", quoted(name)), expected)
}

/// The bounds of places; `None` where there are none.
fn bounds_of<'a>(mut places: impl Iterator<Item = &'a [f64; 2]>) -> Option<Bounds> {
    let &[x, y] = places.next()?;
    let grown = |[x0, y0, x1, y1]: Bounds, &[x, y]: &[f64; 2]| [x0.min(x), y0.min(y), x1.max(x), y1.max(y)];
    Some(places.fold([x, y, x, y], grown))
}

fn size([x0, y0, x1, y1]: Bounds) -> [f64; 2] {
    [x1 - x0, y1 - y0]
}

fn is_on_globe([x0, y0, x1, y1]: Bounds) -> bool {
    x0 >= -180.0 && x1 <= 180.0 && y0 >= -90.0 && y1 <= 90.0
}

/// The rule for plans on the globe that do not say what they are. Plans in metres are drawn at the origin or near it, and are
/// metres wide; places on the globe are far from it for their size. In `GeoJSON`, whose rule is degrees, less is enough.
fn looks_like_degrees(plan: &Plan, bounds: Bounds) -> bool {
    let [x0, y0, x1, y1] = bounds;
    let [width, height] = size(bounds);
    let (x, y) = (x0.max(-x1).max(0.0), y0.max(-y1).max(0.0));
    let (away, side) = (libm::hypot(x, y), width.max(height));
    let is_small = width < 1.0 && height < 1.0;
    side > 0.0 && (away > 5.0 * side || plan.is_geojson && (is_small || away > 2.0 * side && has_many_digits(plan)))
}

/// True where most numbers have five digits after the point or more: a metre in degrees, a hundredth of a millimetre in metres.
fn has_many_digits(plan: &Plan) -> bool {
    let is_long = |number: f64| (number * 1e4 - (number * 1e4).round()).abs() > 1e-3;
    let (mut long, mut all) = (0, 0_usize);
    for number in plan.positions().flatten() {
        long += usize::from(is_long(*number));
        all += 1;
    }
    2 * long > all
}

/// Projects all positions around the middle of them.
fn projected(plan: &mut Plan, source: &Source, mut bounds: Bounds) -> Result<(), MapError> {
    if !is_on_globe(bounds) {
        let [x0, y0, x1, y1] = bounds;
        let found = format!("numbers from {x0} {y0} to {x1} {y1}");
        let expected = "degrees: longitudes from -180 to 180, then latitudes from -90 to 90; where they are metres, say --project=false";
        return Err(wrong(source, found, expected));
    }
    // Across the date line.
    if bounds[2] - bounds[0] > 180.0 {
        let east = |[x, y]: [f64; 2]| [if x < 0.0 { x + 360.0 } else { x }, y];
        plan.positions_mut().for_each(|position| *position = east(*position));
        bounds = bounds_of(plan.positions()).unwrap_or(bounds);
    }
    let [x0, y0, x1, y1] = bounds;
    let projection = Projection::around([f64::midpoint(x0, x1), f64::midpoint(y0, y1)]);
    let is_narrow = x1 - x0 <= 2.0 * MAX_LONGITUDE_DEGREES;
    let mut farthest = 0.0_f64;
    if is_narrow {
        for position in plan.positions_mut() {
            *position = projection.metres(*position);
            farthest = farthest.max(position[0].abs()).max(position[1].abs());
        }
    }
    if !is_narrow || farthest > MAX_DISTANCE_M {
        let found = format!("a plan of {:.4} x {:.4} degrees", x1 - x0, y1 - y0);
        return Err(wrong(
            source,
            found,
            "at most 600 km in width and height: beyond, no projection keeps lengths; cut a part out, or leave --project out where these are metres",
        ));
    }
    plan.bounds = plan.bounds.map(|bounds| around(projection, bounds));
    Ok(())
}

/// The bounds (m) of bounds in degrees, whose sides are bent.
fn around(projection: Projection, [x0, y0, x1, y1]: Bounds) -> Bounds {
    let (x, y) = (f64::midpoint(x0, x1), f64::midpoint(y0, y1));
    let places = [[x0, y0], [x, y0], [x1, y0], [x0, y], [x1, y], [x0, y1], [x, y1], [x1, y1]];
    let metres = places.map(|place| projection.metres(place));
    bounds_of(metres.iter()).unwrap_or([x0, y0, x1, y1])
}
