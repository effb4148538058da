use super::*;
use std::ops::ControlFlow::Continue;
use throng_spatial::{IndexKind, SceneKind};

fn scene(kind: SceneKind, count: u32) -> Scene {
    Scene::new(kind, count, 0.15, 3).unwrap()
}

#[test]
fn all_indices_find_the_same_pairs_in_every_scene() {
    let entrants = IndexKind::ALL.map(IndexSpec::from);
    let settings = IndexSettings { frames: 4, ..IndexSettings::default() };
    for kind in SceneKind::ALL {
        let mut calls = Vec::new();
        let figures = measure(kind.name(), &scene(kind, 400), &entrants, &settings, &mut |done, of| {
            calls.push((done, of));
            Continue(())
        });
        let figures = figures.unwrap();
        assert_eq!(calls.last(), Some(&(entrants.len(), entrants.len())));
        assert_eq!(figures[0].tests, 400 * 399 / 2, "brute force tests every pair once");
        for row in &figures {
            assert_eq!((row.scene.as_str(), row.agents, row.pairs), (kind.name(), 400, figures[0].pairs));
            assert!(row.tests >= row.pairs && row.tests <= figures[0].tests, "{row:?}");
            assert!(row.total_ns > 0.0 && (row.build_ns + row.pairs_ns - row.total_ns).abs() < 1e-6, "{row:?}");
            assert!(row.sparse <= row.cells, "{row:?}");
        }
    }
}

#[test]
fn tunings_are_heard() {
    let cells = |cell: f32| {
        let entrant = format!("grid:cell={cell}").parse().unwrap();
        let figures =
            measure("uniform", &scene(SceneKind::Uniform, 500), &[entrant], &IndexSettings::default(), &mut |_, _| {
                Continue(())
            });
        figures.unwrap()[0].cells
    };
    assert!(cells(2.0) > 2 * cells(20.0));
}

#[test]
fn the_table_has_the_columns_promised() {
    let row = IndexFigures {
        scene: "line".into(),
        agents: 10,
        index: "grid".into(),
        build_ns: 1.0,
        pairs_ns: 2.25,
        total_ns: 3.25,
        tests: 7,
        pairs: 3,
        ..IndexFigures::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("figures.csv");
    write_csv(std::slice::from_ref(&row), &file).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text, "scene,agents,index,build_ns,pairs_ns,total_ns,tests,pairs\nline,10,grid,1.000,2.250,3.250,7,3\n");
}

#[test]
fn the_plot_has_a_panel_a_scene_and_a_name_an_index() {
    let mut figures = Vec::new();
    for scene in ["uniform", "line", "mixed"] {
        for (i, index) in ["grid", "bvh"].into_iter().enumerate() {
            for agents in [1000, 10_000] {
                let total_ns = 20.0 * (i + 1) as f64;
                let (scene, index) = (scene.to_owned(), index.to_owned());
                figures.push(IndexFigures { scene, agents, index, total_ns, ..IndexFigures::default() });
            }
        }
    }
    let svg = plot(&figures, "Indices & crowds").unwrap();
    for word in ["uniform", "line", "mixed", "grid", "bvh", "Indices &amp; crowds", "5,000/s", "2,500/s"] {
        assert!(svg.contains(word), "{word}");
    }
    assert!(plot(&[], "nothing").is_ok());
}
