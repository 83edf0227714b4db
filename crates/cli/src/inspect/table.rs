//! Text in columns. Owns widths and the line below the heading; columns with nothing in them are left out.

/// Rows under headings, two spaces apart.
pub fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    let used: Vec<usize> = (0..headings.len()).filter(|c| rows.iter().any(|row| row[*c] != EMPTY)).collect();
    let width = |c: usize| {
        let cells = rows.iter().map(|row| row[c].chars().count());
        cells.chain([headings[c].chars().count()]).max().unwrap_or(0)
    };
    let line = |cell: &dyn Fn(usize) -> String| {
        let cells: Vec<String> = used.iter().map(|c| format!("{:<1$}", cell(*c), width(*c))).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    let mut text = line(&|c| headings[c].to_string());
    text.push_str(&line(&|c| "─".repeat(width(c))));
    for row in rows {
        text.push_str(&line(&|c| row[c].clone()));
    }
    text
}

/// Stands in cells with nothing to say.
pub const EMPTY: &str = "-";

/// Some of the items, and how many more there are.
pub fn cell(items: impl IntoIterator<Item = String>) -> String {
    const SHOWN: usize = 6;
    let items: Vec<String> = items.into_iter().collect();
    match items.len() {
        0 => EMPTY.to_string(),
        n if n > SHOWN => format!("{}, … {} more", items[..SHOWN].join(", "), n - SHOWN),
        _ => items.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_columns_are_left_out() {
        let rows = [vec!["a".into(), EMPTY.into(), "x".into()], vec!["bcd".into(), EMPTY.into(), EMPTY.into()]];
        assert_eq!(table(&["m", "none", "what"], &rows), "m    what\n───  ────\na    x\nbcd  -\n");
    }

    #[test]
    fn long_cells_are_cut() {
        assert_eq!(cell((1..=8).map(|n| n.to_string())), "1, 2, 3, 4, 5, 6, … 2 more");
        assert_eq!(cell([]), "-");
    }
}
