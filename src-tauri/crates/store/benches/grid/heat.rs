//! Collects and prints the heat map.

use super::cases::Case;

/// Ratios up to this are green.
const GOAL: f64 = 1.2;
/// Ratios from this on are red.
const RED: f64 = 2.0;
/// Fixed cost of a request beside its statement, in microseconds: a smaller difference is not caused by the statement.
const FIXED: f64 = 60.0;
const WORST: usize = 25;

#[derive(Default)]
pub struct Heat {
    row: String,
    heads: Vec<String>,
    line: String,
    printed: Vec<String>,
    cells: Vec<Cell>,
    counts: [usize; 3],
}

struct Cell {
    ratio: f64,
    ours: f64,
    theirs: f64,
    what: String,
    statement: String,
}

impl Heat {
    pub fn table(&mut self, name: &str) {
        println!("\n{name}");
        self.printed.clear();
    }

    pub fn add(&mut self, table: &str, case: &Case, ours: f64, theirs: f64, statement: &str) {
        if self.row != case.row {
            self.end_of_row();
            self.row.clone_from(&case.row);
        }
        let ratio = ours / theirs;
        let (place, color) = match ratio {
            _ if ratio <= GOAL || ours - theirs < FIXED => (0, 42),
            _ if ratio < RED => (1, 43),
            _ => (2, 41),
        };
        self.counts[place] += 1;
        self.heads.push(case.column.clone());
        self.line.push_str(&format!("\x1b[{color};30m{ratio:>9.2} \x1b[0m"));
        if place > 0 {
            let what = format!("{table}: {}, {}", case.row, case.column);
            self.cells.push(Cell { ratio, ours, theirs, what, statement: statement.to_owned() });
        }
    }

    fn end_of_row(&mut self) {
        let heads = std::mem::take(&mut self.heads);
        if !heads.is_empty() && heads != self.printed {
            let line: String = heads.iter().map(|head| format!("{head:>10}")).collect();
            println!("{:<44}{line}", "");
        }
        if !heads.is_empty() {
            println!("{:<44}{}", self.row, std::mem::take(&mut self.line));
            self.printed = heads;
        }
    }

    pub fn end_of_table(&mut self) {
        self.end_of_row();
        self.row.clear();
    }

    /// Prints the cells that are not green, the worst first, with the statement they were compared with.
    pub fn print_worst(&mut self) {
        let [green, yellow, red] = self.counts;
        println!(
            "\n{green} cells within {GOAL} times (or {FIXED} µs) of the best SQL, {yellow} within {RED}, {red} beyond\n"
        );
        self.cells.sort_by(|left, right| (right.ours - right.theirs).total_cmp(&(left.ours - left.theirs)));
        for Cell { ratio, ours, theirs, what, statement } in self.cells.iter().take(WORST) {
            println!("{ratio:.2} = {ours:.0} : {theirs:.0} µs  {what}\n      {statement}");
        }
    }
}
