//! Every word of the language, by declarations of a few lines: read, written, validated, damaged.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, DefaultArgs, Error};

mod absent_numbers;
mod affords;
mod agreeing;
mod arguments;
mod arguments_of_old_numbers;
mod at_most;
mod based;
mod bases;
mod beside;
mod bit_paddings;
mod bits;
mod branches;
mod by_hand;
mod byte_order;
mod byte_tags;
mod chained_numbers;
mod checksums;
mod claims;
mod coded;
mod coded_in_coded;
mod coded_tables;
mod combined;
mod computed;
mod computed_elsewhere;
mod computed_options;
mod computed_places;
mod constant_bits;
mod converted_tables;
mod cost;
mod counted_from_behind;
mod counted_places;
mod damage;
mod decoded;
mod derived;
mod dips;
mod empty_items;
mod empty_values;
mod encoded;
mod encodings;
mod ends;
mod ends_of_absent;
mod every_input;
mod every_place;
mod examples;
mod file_sums;
mod flat;
mod flat_build;
mod flat_damage;
mod flat_differential;
mod flat_header;
mod flat_patch;
mod flat_recursion;
mod flat_schemas;
mod floating;
mod footers;
mod full_sections;
mod generated;
mod given;
mod given_lengths;
mod growth;
mod gzip;
mod handed;
mod header_places;
mod held_tables;
mod holders;
mod hygiene;
mod ids;
mod inherited_optional;
mod inner_tables;
mod inside_shared;
mod item_branches;
mod item_numbers;
mod item_sums;
mod kept;
mod keyed;
mod late;
mod late_measures;
mod laws;
mod lazy_damage;
mod led_beside;
mod led_in_front;
mod led_items;
mod led_places;
mod lets;
mod levels;
mod limits;
mod linked;
mod located;
mod made_values;
mod magics;
mod many_located;
mod many_places;
mod map;
mod memory;
mod misuse;
mod mixed_signs;
mod moved_parts;
mod named_sets;
mod nested_numbers;
mod nesting;
mod never_settled;
mod nonsense;
mod number_variants;
mod numbers;
mod numbers_in_turn;
mod open_from_start;
mod open_numbers;
mod open_sections;
mod open_shared_from_start;
mod open_shared_types;
mod optional;
mod order_of_ends;
mod order_of_places;
mod own_width;
mod padded_places;
mod padding;
mod parameters;
mod passed;
mod paths_of_sizes;
mod payloads;
mod placed_anew;
mod places;
mod prefix;
mod presence;
mod previous;
mod probes;
mod read_ahead;
mod recording;
mod recursion;
mod recursion_beside;
mod recursion_wide;
mod reference;
mod refusals;
mod refusing_functions;
mod regions_of_places;
mod rest_of_region;
mod rewriting;
mod rules;
mod rules_by_hand;
mod rules_shown;
mod running_ends;
mod scalars;
mod scaled_places;
mod section_units;
mod sectors;
mod sequences;
mod set_below_zero;
mod set_bits;
mod set_branches;
mod set_in_coded;
mod setters;
mod settle;
mod settle_chains;
mod settle_refused;
mod settled;
mod settled_numbers;
mod settled_payload;
mod shared_as_written;
mod shared_values;
mod shifted_numbers;
mod signed_numbers;
mod sizes;
mod skipped;
mod small_values;
mod split_numbers;
mod stays;
mod streams;
mod streams_of_variants;
mod strings;
mod sums_of_sums;
mod table_ends;
mod table_presence;
mod table_words;
mod tables;
mod tags;
mod texts_compared;
mod told_alike;
mod told_places;
mod told_regions;
mod told_sizes;
mod too_deep;
mod tried_variants;
mod unkept_widths;
mod unread;
mod until;
mod until_codec;
mod until_or;
mod until_or_end;
mod up_to_next;
mod update;
mod used_through;
mod variant_fields;
mod variants;
mod views;
mod waiting;
mod whole_region;
mod width_units;
mod widths;
mod widths_anew;
mod widths_of_places;
mod witnesses;
mod written_later;

/// The value is written as `bytes` and read from them.
#[track_caller]
fn kept<T>(value: &T, bytes: &'static [u8])
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    assert_eq!(value.to_vec().as_deref(), Ok(bytes));
    assert_eq!(T::parse(bytes).as_ref(), Ok(value));
    laws::round_trip::<T>(bytes, T::default_args());
    laws::hold::<T>(bytes, T::default_args());
}

/// The value is written as `bytes` and read from them, and all laws hold, on damaged copies too.
#[track_caller]
fn same<T>(value: &T, bytes: &'static [u8])
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    kept(value, bytes);
    survives::<T>(bytes, T::default_args());
}

/// All laws hold on the bytes, on every prefix of them and with any one byte changed.
#[track_caller]
fn survives<T>(bytes: &'static [u8], args: T::Args)
where
    T: BinFormat<'static> + Debug + PartialEq,
{
    laws::round_trip::<T>(bytes, args);
    for len in 0..=bytes.len() {
        laws::hold::<T>(&bytes[..len], args);
    }
    for at in 0..bytes.len() {
        for change in [0x01, 0x02, 0x08, 0x10, 0x80, 0xff] {
            let mut copy = bytes.to_vec();
            copy[at] ^= change;
            laws::hold::<T>(copy.leak(), args);
        }
    }
}

/// Path and code of an error.
fn place(error: &Error) -> String {
    format!("{} {}", error.finding().path, error.finding().code)
}

/// Path and code of what stops a reader.
#[track_caller]
fn stopped<T>(bytes: &'static [u8]) -> String
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    laws::hold::<T>(bytes, T::default_args());
    place(&T::parse(bytes).unwrap_err())
}

/// Weight, path and code of everything that a validator says.
#[track_caller]
fn findings<T>(bytes: &'static [u8]) -> Vec<String>
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    laws::hold::<T>(bytes, T::default_args());
    let report = T::validate(bytes);
    let line = |finding: &binfmt_runtime::Finding| {
        format!("{} {} {}", finding.severity.name(), finding.path, finding.code)
    };
    report.findings().iter().map(line).collect()
}

/// Path and code of why a value cannot be written, the same for every kind of output.
#[track_caller]
fn refused<'a, T>(value: &T) -> String
where
    T: BinFormat<'a> + DefaultArgs<'a>,
{
    let error = value.to_vec().unwrap_err();
    assert_eq!(value.write_into(&mut [0; 4096]).unwrap_err(), error);
    assert_eq!(
        value.write_to(std::io::sink()).unwrap_err().kind(),
        std::io::ErrorKind::InvalidData
    );
    place(&error)
}
