//! Stacked bar charts as vectors, with an axis and a legend.

use super::canvas::{Canvas, Colour, FAINT, INK, MARGIN, PLAIN, TextStyle, count};
use crate::number::shown;
use crate::{Chart, Kind};
use catalogue::Decimal;

const HEIGHT: f64 = 150.0;
/// Width of the axis labels.
const AXIS: f64 = 62.0;
/// The colours of series, as on the pages: eight, and grey for the sum of the rest.
const COLOURS: [Colour; 9] = [
    Colour(40, 102, 185),
    Colour(173, 83, 5),
    Colour(106, 142, 113),
    Colour(143, 86, 127),
    Colour(71, 32, 122),
    Colour(165, 147, 72),
    Colour(13, 161, 189),
    Colour(123, 47, 37),
    Colour(123, 135, 148),
];
const SMALL: TextStyle = TextStyle { size: 7.0, colour: FAINT, ..PLAIN };

/// Draws the chart below the existing content.
pub(super) fn draw(canvas: &mut Canvas, chart: &Chart) {
    let bars = chart.labels.len();
    let values = |series: usize, bar: usize| -> f64 {
        let text = chart.series.get(series).and_then(|series| series.values.get(bar));
        text.and_then(|text| Decimal::parse(text).ok()).map(Decimal::to_f64).unwrap_or_default()
    };
    let sum = |bar: usize, sign: f64| -> f64 {
        (0..chart.series.len()).map(|series| (values(series, bar) * sign).max(0.0)).sum()
    };
    let up = (0..bars).map(|bar| sum(bar, 1.0)).fold(0.0, f64::max);
    let down = (0..bars).map(|bar| sum(bar, -1.0)).fold(0.0, f64::max);
    if bars == 0 || up + down <= 0.0 {
        return;
    }
    canvas.need(HEIGHT + 46.0);
    let step = step(up + down);
    let (top, bottom) = ((up / step).ceil() * step, (down / step).ceil() * step);
    let (left, right) = (MARGIN + AXIS, canvas.width - MARGIN);
    let place = |value: f64, from: f64| from + HEIGHT * (top - value) / (top + bottom);
    let from = canvas.y + 14.0;
    canvas.text(&chart.unit, (MARGIN, canvas.y + 6.0), AXIS, SMALL);
    let mut line = -bottom;
    while line <= top + step / 2.0 {
        let y = place(line, from);
        canvas.rule((left, right), y);
        let digits = if step < 1.0 { 2 } else { 0 };
        let figure = shown(&format!("{line:.digits$}"), Kind::Amount);
        let figure = if digits == 0 { figure.trim_end_matches(".00") } else { &figure };
        canvas.text(figure, (MARGIN, y + 2.5), AXIS - 8.0, TextStyle { is_right: true, ..SMALL });
        line += step;
    }
    let width = (right - left) / count(bars);
    let bar_width = (width * 0.7).min(48.0);
    // Labels are skipped at regular intervals so that they do not touch.
    let widest = chart.labels.iter().map(|label| canvas.regular.width(label, SMALL.size)).fold(0.0, f64::max);
    let every = (1..=bars).find(|every| count(*every) * width >= widest.min(120.0) + 6.0).unwrap_or(bars);
    for (bar, label) in chart.labels.iter().enumerate() {
        let middle = left + (count(bar) + 0.5) * width;
        let (mut above, mut below) = (0.0, 0.0);
        for series in 0..chart.series.len() {
            let value = values(series, bar);
            let base: &mut f64 = if value < 0.0 { &mut below } else { &mut above };
            let (y, end) = (place(*base, from), place(*base + value, from));
            *base += value;
            let colour = COLOURS[series % COLOURS.len()];
            if (y - end).abs() > 0.0 {
                canvas.area((middle - bar_width / 2.0, y.min(end)), (bar_width, (y - end).abs()), colour);
            }
        }
        if bar % every == 0 {
            let room = (count(every) * width - 4.0).max(8.0);
            let label = canvas.regular.fitted(label, SMALL.size, room);
            let long = canvas.regular.width(&label, SMALL.size);
            canvas.text(&label, (middle - long / 2.0, from + HEIGHT + 11.0), room, SMALL);
        }
    }
    canvas.y = from + HEIGHT + 26.0;
    legend(canvas, chart);
    canvas.y += 12.0;
}

fn legend(canvas: &mut Canvas, chart: &Chart) {
    if chart.series.len() < 2 {
        return;
    }
    let mut x = MARGIN + AXIS;
    for (series, name) in chart.series.iter().map(|series| &series.name).enumerate() {
        let long = canvas.regular.width(name, SMALL.size).min(180.0);
        if x + long + 12.0 > canvas.width - MARGIN {
            x = MARGIN + AXIS;
            canvas.y += 12.0;
        }
        canvas.area((x, canvas.y - 6.0), (7.0, 7.0), COLOURS[series % COLOURS.len()]);
        canvas.text(name, (x + 10.0, canvas.y), 182.0, TextStyle { colour: INK, ..SMALL });
        x += long + 26.0;
    }
}

/// The distance between lines of the axis: 1, 2 or 5 times a power of ten, for about five lines.
fn step(span: f64) -> f64 {
    let rough = span / 4.0;
    let unit = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * unit >= rough).unwrap_or(10.0);
    factor * unit
}
