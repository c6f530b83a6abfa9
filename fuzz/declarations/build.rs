//! Writes the declarations that the tests have, from the seeds in `tests/seeds`.

#[allow(dead_code, reason = "the program uses more of it")]
#[path = "src/grammar/mod.rs"]
mod grammar;
#[path = "src/rng.rs"]
mod rng;

use std::fmt::Write as _;

fn main() {
    println!("cargo::rerun-if-changed=tests/seeds");
    println!("cargo::rerun-if-changed=src/grammar");
    println!("cargo::rerun-if-changed=src/rng.rs");
    let seeds = std::fs::read_to_string("tests/seeds").expect("the seeds of the tests");
    let (mut modules, mut all) = (String::new(), String::new());
    for (index, seed) in seeds.lines().enumerate() {
        let seed = seed.parse().expect("a seed is a number");
        let name = format!("m{index}");
        let declaration = grammar::of_seed(seed).render(&name);
        let _ = writeln!(modules, "mod {name} {{\n{declaration}}}\n");
        let _ = writeln!(all, "    {name}::run,");
    }
    let text = format!("{modules}\npub const ALL: &[fn(&mut Run)] = &[\n{all}];\n");
    let folder = std::env::var_os("OUT_DIR").expect("a folder of the build");
    std::fs::write(std::path::Path::new(&folder).join("batch.rs"), text).expect("it is written");
}
