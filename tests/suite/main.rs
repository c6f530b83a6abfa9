//! The tests of the formats and of the program, as one program; those of the language are with the runtime.

// Helpers.
mod corpus;
mod diff_cli;
mod laws;

// The program.
// Archives as the tests of the tool make them.
#[path = "../../tool/src/nest/made.rs"]
mod made;
// The program, called.
mod called;

mod archives_cli;
mod changes_cli;
mod cli;
mod edit_cli;
mod every_verb;
mod export_cli;
mod fields_cli;
mod library;
mod output_cli;
mod pack;
mod summary;
mod toolbox;
mod view_cli;

// Input of somebody who means harm.
mod bombs;
mod hostile;
mod kept;
mod memory;
mod names_cli;

// What is promised in words.
mod readme;

// Formats of an example each, on files of other programs.
mod examples;

// Formats, on real files and on damaged ones.
mod elf;
mod fatbin;
mod fatbin_made;
mod ptd;
mod ptd_cli;
mod ptd_made;
mod ptd_schemas;
mod pte;
mod pte_cli;
mod pte_facts;
mod pte_made;
mod rten;
mod rten_attributes;
mod rten_built;
mod rten_cli;
mod rten_made;
mod rten_versions;
mod scan_models;
mod schema;
mod slim;
mod tables_only;
mod vpt;
mod weights;
mod xnnpack;
