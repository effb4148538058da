//! The examples of the menu: they are all there, and each has a picture.

use std::path::{Path, PathBuf};
use std::process::Command;
use throng::record::{ColourPicture, ColourSample, Quantiser};

/// The tick of each picture, when something is to be seen, and the camera.
const PICTURES: [(&str, u32, &str); 16] = [
    ("arena", 1000, "auto"),
    ("bridge", 440, "auto"),
    ("flank", 700, "440,175,120,90"),
    ("formations", 400, "60,72,130,98"),
    ("gate", 420, "auto"),
    ("keep", 420, "auto"),
    ("links", 260, "22,15,40,30"),
    ("march", 900, "130,230,110,83"),
    ("mirror", 330, "auto"),
    ("pass", 480, "215,90,90,68"),
    ("plain", 640, "auto"),
    ("sally", 420, "auto"),
    ("siege", 800, "auto"),
    ("station", 420, "38,22,58,42"),
    ("storm", 650, "231,258,160,120"),
    ("zombies", 700, "350,294,100,75"),
];
/// Size of a picture (pixels).
const SIZE: [usize; 2] = [416, 244];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

#[test]
fn each_scenario_has_a_picture_and_a_line_of_words() {
    let files = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    let mut names: Vec<String> = files
        .filter(|file| file.extension().is_some_and(|ending| ending == "toml"))
        .map(|file| file.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, PICTURES.map(|(name, ..)| name), "the table above names each example");
    for (name, ..) in PICTURES {
        let file = std::fs::File::open(folder().join(format!("pictures/{name}.png"))).unwrap();
        let reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
        assert_eq!([reader.info().width, reader.info().height].map(|side| side as usize), SIZE, "{name}");
    }
}

#[test]
#[ignore = "writes examples/pictures"]
fn write_the_pictures() {
    let out = tempfile::tempdir().unwrap();
    for (name, tick, camera) in PICTURES {
        let scenario = folder().join(format!("{name}.toml"));
        let mut run = Command::new(env!("CARGO_BIN_EXE_throng"));
        run.args(["--quiet", "run"]).arg(&scenario).args([
            "--ticks",
            &tick.to_string(),
            "--size",
            &SIZE[0].to_string(),
            "--camera",
            camera,
            "--out",
        ]);
        assert!(run.arg(out.path()).status().unwrap().success(), "{name}");
        let file = std::fs::File::open(out.path().join(format!("{name}.png"))).unwrap();
        let mut decoder = png::Decoder::new(std::io::BufReader::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let (parts, wide) = (info.color_type.samples(), info.width as usize);
        let [width, height] = SIZE;
        let mut picture = ColourPicture::new(width as u32, height as u32, [46, 43, 40]);
        // The legend is below.
        let rows = bytes.chunks(wide * parts).take(height);
        for (to, from) in picture.pixels.chunks_mut(width).zip(rows) {
            for (to, from) in to.iter_mut().zip(from.chunks(parts)) {
                *to = [from[0], from[1], from[2]];
            }
        }
        let mut sample = ColourSample::default();
        sample.add(&picture);
        let quantiser = Quantiser::new(sample.table(&[]), &[]);
        let file = std::fs::File::create(folder().join(format!("pictures/{name}.png"))).unwrap();
        let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), width as u32, height as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(quantiser.table().colours().concat());
        encoder.set_compression(png::Compression::High);
        encoder.write_header().unwrap().write_image_data(&quantiser.quantise(&picture).pixels).unwrap();
    }
}
