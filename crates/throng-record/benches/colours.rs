//! Cost of true colours in films: `cargo bench -p throng-record --bench colours [-- PICTURE.png [OUT.png]]`.
//!
//! A picture of 1024 x 640 (a part of the PNG, or noise that looks like a meadow with a crowd on it) is sampled, quantised and
//! written; then frames of which 30 % of the pixels change. Medians, one thread. With OUT.png the quantised picture is kept.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::sync::LazyLock;
use std::time::Instant;
use throng_record::{ColourPicture, ColourSample, GifWriter, Picture, Quantiser};

const WIDTH: u32 = 1024;
const HEIGHT: u32 = 640;
const FRAMES: usize = 16;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with("--")).collect();
    let source = files.first().map_or_else(meadow, |path| load(Path::new(path)));
    let frames: Vec<ColourPicture> = (0..FRAMES as u32).map(|step| part(&source, step)).collect();
    let required = [[0xFF, 0x4F, 0x12], [0x21, 0x78, 0xFF], [0x14, 0x16, 0x1B], [0xEE, 0xEA, 0xE0], [0xBE, 0xBA, 0xB0]];

    let mut sample = ColourSample::default();
    time("a picture sampled", 7, || sample.add(&frames[0]));
    let table = time("the table made", 7, || sample.table(&required));
    let quantiser = time("the look-up made", 7, || Quantiser::new(table.clone(), &required));
    let first = time("a frame quantised", 15, || quantiser.quantise(&frames[0]));
    let square = frames[0].pixels.iter().zip(&first.pixels).flat_map(|(&colour, &index)| {
        let found = table.rgb(index);
        (0..3).map(move |i| f64::from(colour[i].abs_diff(found[i])).powi(2))
    });
    let square = square.sum::<f64>() / (3.0 * first.pixels.len() as f64);
    println!("{} colours, {:.1} dB", table.colours().len(), 10.0 * (255.0 * 255.0 / square).log10());
    if let Some(out) = files.get(1) {
        let pixels = first.pixels.iter().map(|&index| table.rgb(index)).collect();
        ColourPicture { width: WIDTH, height: HEIGHT, pixels }.write_png(out).unwrap();
        frames[0].write_png(format!("{out}.original.png")).unwrap();
    }
    let indexed: Vec<_> = frames.iter().map(|frame| quantiser.quantise(frame)).collect();
    let changed = indexed.windows(2).map(|pair| {
        let differs = pair[0].pixels.iter().zip(&pair[1].pixels).filter(|(old, new)| old != new);
        differs.count() as f64 / pair[0].pixels.len() as f64
    });
    println!("{:.1} % of the pixels change", 100.0 * changed.sum::<f64>() / (indexed.len() - 1) as f64);

    let folder = tempfile::tempdir().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for tolerance in [0, 4, 7, 10] {
        let path = folder.path().join("a.gif");
        let written = |frames: &[Picture]| {
            let mut writer = GifWriter::with_table(&path, WIDTH, HEIGHT, &table, tolerance).unwrap();
            for frame in frames {
                writer.frame(frame, 8).unwrap();
            }
            writer.finish().unwrap();
        };
        pool.install(|| time(&format!("GIF, tolerance {tolerance}"), 5, || written(&indexed)));
        let all = std::fs::metadata(&path).unwrap().len();
        pool.install(|| time("    its first frame", 5, || written(&indexed[..1])));
        let one = std::fs::metadata(&path).unwrap().len();
        println!(
            "    {FRAMES} frames; the first {} kB, others {} kB each",
            one / 1000,
            (all - one) / (FRAMES as u64 - 1) / 1000
        );
    }
    let changed: Vec<u8> = indexed[0]
        .pixels
        .iter()
        .zip(&indexed[1].pixels)
        .map(|(old, new)| if old == new { table.keep() } else { *new })
        .collect();
    let bytes = time("LZW of the gif crate", 7, || {
        let mut frame =
            gif::Frame { width: WIDTH as u16, height: HEIGHT as u16, buffer: (&changed).into(), ..Default::default() };
        frame.make_lzw_pre_encoded();
        frame.buffer.len()
    });
    println!("    {} kB", bytes / 1000);
}

/// Time that this thread has computed (ms), where the system says so: other programs do not count.
fn now_ms() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let computed = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let computed = computed.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    computed.map_or_else(|| START.elapsed().as_secs_f64() * 1e3, |ns| ns / 1e6)
}

fn time<T>(name: &str, times: usize, mut run: impl FnMut() -> T) -> T {
    let mut taken = Vec::new();
    loop {
        let since = now_ms();
        let result = run();
        taken.push(now_ms() - since);
        if taken.len() == times {
            taken.sort_unstable_by(f64::total_cmp);
            println!("{name:<24} {:>7.2} ms (least {:.2})", taken[times / 2], taken[0]);
            return result;
        }
    }
}

fn load(path: &Path) -> ColourPicture {
    let mut decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap()));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let channels = info.color_type.samples();
    let pixels = bytes.chunks_exact(channels).map(|pixel| [pixel[0], pixel[1 % channels], pixel[2 % channels]]);
    soften(&ColourPicture { width: info.width, height: info.height, pixels: pixels.collect() })
}

/// Mixes four neighbours and darkens the edges: many colours and smooth slopes, even where a file has but 256.
fn soften(source: &ColourPicture) -> ColourPicture {
    let mut picture = source.clone();
    let (width, height) = (source.width as usize, source.height as usize);
    for y in 0..height {
        for x in 0..width {
            let (right, below) = ((x + 1).min(width - 1), (y + 1).min(height - 1));
            let four = [(x, y), (right, y), (x, below), (right, below)].map(|(x, y)| source.pixels[y * width + x]);
            let edge = (x as f32 / width as f32 - 0.5).powi(2) + (y as f32 / height as f32 - 0.5).powi(2);
            picture.pixels[y * width + x] = [0, 1, 2].map(|i| {
                let sum: u32 = four.iter().map(|colour| u32::from(colour[i])).sum();
                (sum as f32 * 0.25 * (1.1 - edge)) as u8
            });
        }
    }
    picture
}

/// A number from 0 to 255 that looks like chance.
fn noise(x: u32, y: u32) -> u32 {
    let mixed = (x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77)).wrapping_mul(0xC2B2_AE3D);
    (mixed ^ mixed >> 15).wrapping_mul(0x27D4_EB2F) >> 24
}

fn meadow() -> ColourPicture {
    let mut picture = ColourPicture::new(1920, 1080, [0; 3]);
    for (i, pixel) in picture.pixels.iter_mut().enumerate() {
        let (x, y) = (i as u32 % 1920, i as u32 / 1920);
        let hill = noise(x / 64, y / 64) / 8 + noise(x / 9, y / 9) / 10 + noise(x, y) / 12;
        *pixel = [70 + hill, 85 + hill, 50 + hill / 2].map(|channel| channel as u8);
        let (cell, dx, dy) = (noise(x / 12, y / 12), x % 12, y % 12);
        if cell < 90 && (3..9).contains(&dx) && (2..10).contains(&dy) {
            let army = if x < 960 { [255, 79, 18] } else { [33, 120, 255] };
            *pixel = army.map(|channel: u32| (channel * (noise(x, y) / 4 + 190) / 255) as u8);
        }
    }
    picture
}

/// A part of a picture; by step, what is in blobs of it moves, 30 % of the pixels, and the rest stays.
fn part(source: &ColourPicture, step: u32) -> ColourPicture {
    let mut picture = ColourPicture::new(WIDTH, HEIGHT, [0; 3]);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let moves = noise(x / 40, y / 40) < 105;
            let from = if moves { (x + 3 * step, y + step) } else { (x, y) };
            let (column, row) = ((from.0 + 400).min(source.width - 1), (from.1 + 200).min(source.height - 1));
            let colour = source.pixels[(row * source.width + column) as usize];
            // Thin smoke drifts over a part of it.
            let (dx, dy) = (x as f32 - 300.0 - 6.0 * step as f32, y as f32 - 250.0);
            let smoke = 0.5 * (1.0 - (dx * dx / 40_000.0 + dy * dy / 10_000.0)).max(0.0);
            picture.pixels[(y * WIDTH + x) as usize] =
                colour.map(|channel| (f32::from(channel) * (1.0 - smoke) + 170.0 * smoke) as u8);
        }
    }
    picture
}
