//! A small table for the terminal: a name, then numbers aligned to the right. Owns alignment only.

pub struct Columns {
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// The first column has no heading.
    pub fn new(headings: &[&str]) -> Columns {
        Columns { rows: vec![std::iter::once("").chain(headings.iter().copied()).map(String::from).collect()] }
    }

    pub fn row(&mut self, name: &str, cells: impl IntoIterator<Item = String>) {
        self.rows.push(std::iter::once(name.to_string()).chain(cells).collect());
    }

    pub fn text(&self) -> String {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |i: usize| self.rows.iter().filter_map(|r| r.get(i)).map(|c| c.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..count).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (i, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let pad = " ".repeat(width - cell.chars().count());
                line.push_str(&if i == 0 { format!("{cell}{pad}") } else { format!("  {pad}{cell}") });
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_below_each_other() {
        let mut columns = Columns::new(&["tests", "states"]);
        columns.row("before", ["3".to_string(), "12345678".to_string()]);
        columns.row("a", ["12".to_string(), "é".to_string()]);
        assert_eq!(columns.text(), "        tests    states\nbefore      3  12345678\na          12         é\n");
    }
}
