//! The rules of the repository that the compiler does not check: crate edges, opening comments, file sizes, leftovers,
//! and the paths and links in the documents. Reads files only; never runs the product.

mod documents;
mod edges;
mod sources;
mod techniques;
mod tree;

use tree::Tree;

fn check(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn crates_use_only_what_their_layer_may() {
    check(edges::problems(&Tree::of_repository()));
}

#[test]
fn layers_without_io_have_none() {
    check(edges::io_problems(&Tree::of_repository()));
}

#[test]
fn every_rust_file_says_what_it_owns() {
    check(sources::without_opening(&Tree::of_repository()));
}

#[test]
fn every_runtime_class_has_a_comment() {
    check(sources::without_class_comment(&Tree::of_repository()));
}

#[test]
fn files_stay_small() {
    let (too_large, questionable) = sources::sizes(&Tree::of_repository());
    for line in questionable {
        println!("{line}");
    }
    check(too_large);
}

#[test]
fn nothing_is_left_over() {
    check(sources::leftovers(&Tree::of_repository()));
}

#[test]
fn the_architecture_names_only_paths_that_exist() {
    check(documents::missing_paths(&Tree::of_repository()));
}

#[test]
fn documents_name_the_techniques_there_are() {
    check(techniques::problems(&Tree::of_repository()));
}

#[test]
fn links_lead_somewhere() {
    check(documents::broken_links(&Tree::of_repository()));
}
