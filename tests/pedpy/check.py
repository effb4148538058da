"""Loads a run of throng with PedPy's own loaders and compares what both measure.

Exact: agents, frames, frames a second, walkable area, who is where. To the digits that throng writes: classic density and
mean speed. Voronoi density, which is measured otherwise, to a fifth.
"""

import csv
import pathlib
import subprocess
import sys
import tempfile

import pedpy

TICKS = 240
STEP = 0.05
CELL = 0.5

# A room with a pillar and a recess; metres are half the columns.
ROOM = [
    "@" * 60,
    *["@" + "." * 58 + "@"] * 9,
    *["@" + "." * 26 + "@" * 6 + "." * 26 + "@"] * 6,
    *["@" + "." * 58 + "@"] * 4,
    *["@" + "." * 40 + "@" * 19] * 3,
    "@" * 60,
]

SCENARIO = """
map = "room.map"
seed = 7
step = 0.05
max_ticks = 240
[[army]]
name = "all"
[[army.squad]]
count = 60
position = [5, 5]
facing = 0
columns = 8
order = { go_to = [26, 5] }
[[army.squad]]
count = 30
position = [25, 4]
facing = 180
columns = 5
order = { go_to = [5, 9] }
"""

# Middle and size of the area in which density is measured (m): beside the pillar.
AREA = (14.5, 2.75, 5.0, 4.0)


def run(throng, folder, *options):
    command = [throng, "run", "room.toml", "--no-pictures", "--ticks", str(TICKS), *options]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def same(what, ours, theirs, tolerance=0.0):
    """Ends the test where two figures differ."""
    if not abs(ours - theirs) <= tolerance:
        sys.exit(f"PedPy: {what}: throng has {ours}, PedPy has {theirs}, which may differ by {tolerance}")


def main(throng):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        head = f"type octile\nheight {len(ROOM)}\nwidth {len(ROOM[0])}\nmap\n"
        (folder / "room.map").write_text(head + "\n".join(ROOM) + "\n", encoding="utf-8")
        (folder / "room.toml").write_text(f"cell_size = {CELL}\n" + SCENARIO, encoding="utf-8")
        area = ",".join(map(str, AREA))
        run(throng, folder, "--trajectories", "room.sqlite", "--statistics", "each.csv", "--measure", area)
        run(throng, folder, "--trajectories", "room.txt")
        run(throng, folder, "--statistics", "second.csv", "--every", "2")
        compare(folder, table(folder / "each.csv"), table(folder / "second.csv"))


def compare(folder, each, second):
    walks = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=folder / "room.sqlite")
    room = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=folder / "room.sqlite")
    data = walks.data
    same("agents", int(each[0]["agents"]), data.id.nunique())
    same("rows", sum(int(row["agents"]) for row in each), len(data))
    same("the first frame", 0, data.frame.min())
    same("the last frame", TICKS, data.frame.max())
    same("frames a second", 1 / STEP, walks.frame_rate, 1e-9)
    same("walkable area (m²)", sum(row.count(".") for row in ROOM) * CELL**2, room.area, 1e-9)
    if not pedpy.is_trajectory_valid(traj_data=walks, walkable_area=room):
        sys.exit("PedPy: somebody is outside of the walkable area")

    text = pedpy.load_trajectory(trajectory_file=folder / "room.txt")
    same("frames a second of the text", walks.frame_rate, text.frame_rate, 1e-9)
    both = data.merge(text.data, on=["id", "frame"], suffixes=("", "_text"))
    same("rows of the text", len(data), len(both))
    for axis in ["x", "y"]:
        same(f"{axis} in the text (m)", 0.0, (both[axis] - both[f"{axis}_text"]).abs().max(), 5.1e-5)

    x, y, width, height = AREA
    left, right, top, bottom = x - width / 2, x + width / 2, y - height / 2, y + height / 2
    area = pedpy.MeasurementArea([(left, top), (right, top), (right, bottom), (left, bottom)])
    classic = pedpy.compute_classic_density(traj_data=walks, measurement_area=area).density
    for row in each:
        tick = int(row["tick"])
        same(f"density in frame {tick} (1/m²)", float(row["area1_density_m2"]), classic.get(tick, 0.0), 5.1e-7)
    densest = max(classic)

    # Both take the way from one frame before to one after: throng where it writes every second tick.
    speeds = pedpy.compute_individual_speed(
        traj_data=walks, frame_step=1, speed_calculation=pedpy.SpeedCalculation.BORDER_EXCLUDE
    )
    speeds = speeds.groupby("frame").speed.mean()
    for row in second[1:]:
        tick = int(row["tick"])
        same(f"mean speed about frame {tick - 1} (m/s)", float(row["speed_m_s"]), speeds[tick - 1], 6e-5)
    fastest = max(speeds)

    some = pedpy.TrajectoryData(data=data[data.frame % 20 == 0].copy(), frame_rate=walks.frame_rate)
    cells = pedpy.compute_individual_voronoi_polygons(traj_data=some, walkable_area=room)
    voronoi = pedpy.compute_voronoi_density(individual_voronoi_data=cells, measurement_area=area)[0].density
    # It has a 0 for each frame in between.
    voronoi = voronoi[voronoi.index % 20 == 0]
    ours = [float(row["area1_density_m2"]) for row in each[::20]]
    mean, theirs = sum(ours) / len(ours), voronoi.mean()
    same("mean Voronoi density (1/m²)", mean, theirs, 0.2 * theirs)
    print(
        f"PedPy {pedpy.__version__}: {data.id.nunique()} agents in {TICKS + 1} frames, {room.area} m²; density up to "
        f"{densest:.2f}/m² and speed up to {fastest:.2f} m/s agree; Voronoi {theirs:.3f}, ours {mean:.3f}/m²"
    )


if __name__ == "__main__":
    main(sys.argv[1])
