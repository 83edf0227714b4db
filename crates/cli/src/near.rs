//! Which known names are close to a misspelt one. Owns the measure of closeness; knows nothing of classes.

/// At most three of `names` that look like `wanted`, nearest first; never `wanted` itself.
pub fn near<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted_simple = simple(wanted);
    let mut found: Vec<(usize, &str)> = names
        .filter(|name| *name != wanted)
        .filter_map(|name| {
            let whole = distance(wanted, name, 1 + wanted.len() / 5);
            // The right simple name in another package is the likeliest slip of all.
            let local =
                distance(&wanted_simple.to_lowercase(), &simple(name).to_lowercase(), 1 + wanted_simple.len() / 4)
                    .map(|d| d + usize::from(package(name) != package(wanted)));
            whole.into_iter().chain(local).min().map(|d| (d, name))
        })
        .collect();
    found.sort();
    let best = found.first().map_or(0, |f| f.0);
    found.retain(|f| f.0 <= best + 1);
    found.truncate(3);
    found.into_iter().map(|(_, n)| n.to_string()).collect()
}

fn simple(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, s)| s)
}

fn package(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(p, _)| p)
}

/// Edit distance, or `None` if above `limit`.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        let mut best = row[0];
        for (j, cb) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
            best = best.min(row[j + 1]);
        }
        if best > limit {
            return None;
        }
    }
    (row[b.len()] <= limit).then_some(row[b.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(wanted: &str, expected: &[&str]) {
        let names = ["demo.IntStack", "demo.UBStack", "demo.Account", "other.IntStack", "a.b.c.Parser"];
        assert_eq!(near(wanted, names.into_iter()), expected, "{wanted}");
    }

    #[test]
    fn slips_find_the_name_meant() {
        check("demo.IntStak", &["demo.IntStack", "other.IntStack"]);
        check("IntStack", &["demo.IntStack", "other.IntStack"]);
        check("demo.intstack", &["demo.IntStack", "other.IntStack"]);
        check("a.b.Parser", &["a.b.c.Parser"]);
        check("Zebra", &[]);
        check("demo.Account", &[]);
    }
}
