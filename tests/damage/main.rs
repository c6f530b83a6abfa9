//! Damaged copies of real files: what each rule says about one, and that no damage is too much.

mod commands;
mod mutants;
mod search;
mod subjects;
mod witnesses;
