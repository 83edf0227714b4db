//! Plots as SVG, drawn by hand: lines over budgets, and one tool against another class by class. Owns the drawing; chooses no figures.

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 360.0;
const MARGIN: f64 = 48.0;
const MOST_MARKS: usize = 8;
const COLOURS: [&str; 8] = ["#1b6ca8", "#d1495b", "#3a7d44", "#8e6c8a", "#edae49", "#444444", "#00798c", "#a36a00"];

/// A named line through points.
pub struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// Lines of percentages over amounts, on a logarithmic axis.
pub fn lines(title: &str, across: &str, lines: &[Line]) -> String {
    let seconds = || lines.iter().flat_map(|line| line.points.iter().map(|point| point.0));
    let (least, most) = seconds().fold((f64::MAX, f64::MIN), |(a, b), s| (a.min(s), b.max(s)));
    let span = (most.ln() - least.ln()).max(1e-9);
    let x = |s: f64| MARGIN + (s.ln() - least.ln()) / span * (WIDTH - 3.5 * MARGIN);
    let mut body = frame(title, across, "%");
    let mut marks: Vec<f64> = seconds().collect();
    marks.sort_by(f64::total_cmp);
    marks.dedup();
    // More than a few would run into each other.
    let every = marks.len().div_ceil(MOST_MARKS).max(1);
    for mark in marks.into_iter().rev().step_by(every) {
        let digits = if mark < 10.0 && mark.fract() != 0.0 { 2 } else { 0 };
        body += &text(x(mark), HEIGHT - MARGIN + 16.0, "middle", &format!("{mark:.digits$}"));
    }
    for (n, line) in lines.iter().enumerate() {
        let colour = COLOURS[n % COLOURS.len()];
        let points: Vec<String> = line.points.iter().map(|(s, p)| format!("{:.1},{:.1}", x(*s), y(*p))).collect();
        body += &format!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>\n",
            points.join(" ")
        );
        if let Some((s, p)) = line.points.last() {
            body += &format!("<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>\n", x(*s), y(*p));
        }
        let at = MARGIN + 8.0 + 16.0 * n as f64;
        body += &format!(
            "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\n",
            WIDTH - 2.3 * MARGIN,
            at - 9.0
        );
        body += &text(WIDTH - 2.3 * MARGIN + 15.0, at, "start", &line.name);
    }
    page(&body)
}

/// One point per class: the percentage of one tool over that of another.
pub fn scatter(title: &str, across: &str, up: &str, points: &[(f64, f64)]) -> String {
    let side = HEIGHT - 2.0 * MARGIN;
    let x = |p: f64| MARGIN + p / 100.0 * side;
    let mut body = frame(title, across, up);
    body += &format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#bbbbbb\"/>\n",
        x(0.0),
        y(0.0),
        x(100.0),
        y(100.0)
    );
    for mark in [0.0, 50.0, 100.0] {
        body += &text(x(mark), HEIGHT - MARGIN + 16.0, "middle", &mark.to_string());
    }
    for (a, b) in points {
        let colour = COLOURS[0];
        body += &format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\" fill-opacity=\"0.6\"/>\n",
            x(*a),
            y(*b)
        );
    }
    page(&body)
}

fn y(percent: f64) -> f64 {
    HEIGHT - MARGIN - percent / 100.0 * (HEIGHT - 2.0 * MARGIN)
}

fn frame(title: &str, across: &str, up: &str) -> String {
    let mut body = text(WIDTH / 2.0, 20.0, "middle", title);
    body += &text(WIDTH / 2.0, HEIGHT - 8.0, "middle", across);
    body += &text(8.0, MARGIN - 12.0, "start", up);
    for mark in [0.0, 25.0, 50.0, 75.0, 100.0] {
        body += &format!(
            "<line x1=\"{MARGIN}\" y1=\"{0:.1}\" x2=\"{1:.1}\" y2=\"{0:.1}\" stroke=\"#e6e6e6\"/>\n",
            y(mark),
            WIDTH - 2.5 * MARGIN
        );
        body += &text(MARGIN - 6.0, y(mark) + 4.0, "end", &mark.to_string());
    }
    body
}

fn text(x: f64, y: f64, anchor: &str, words: &str) -> String {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>\n")
}

fn page(body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n"
    )
}

#[test]
fn points_lie_where_their_numbers_say() {
    let drawn = scatter("a & b", "a", "b", &[(100.0, 0.0)]);
    assert!(drawn.contains("a &amp; b") && drawn.contains("<circle cx=\"312.0\" cy=\"312.0\""), "{drawn}");
    let line = Line { name: "t".to_string(), points: vec![(2.0, 0.0), (60.0, 100.0)] };
    let drawn = lines("over time", "seconds", &[line]);
    assert!(drawn.contains("points=\"48.0,312.0 440.0,48.0\""), "{drawn}");
}
