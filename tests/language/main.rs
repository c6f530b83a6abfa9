//! Every word of the language, by declarations of a few lines: read, written, validated, damaged.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, DefaultArgs, Error};

// The laws, as helpers.
mod laws;

// Names that are in the way, and other editions.
mod hygiene;

// Sizes that several parts tell.
mod absent_numbers;
mod agreeing;
// Arguments, and fields read by hand.
mod arguments;
// Functions that are given arguments and lengths.
mod by_hand;
// What walks cost.
mod cost;
mod counted_places;
// What takes memory.
mod memory;
// Digests of other bytes.
mod checksums;
// Offsets that count from sections.
mod based;
// Several values in one integer, and bits between them.
mod bit_paddings;
mod bits;
// Sizes and places of several forms.
mod branches;
// Damage, and what it may cost.
mod damage;
// Fields whose value the writer computes.
mod derived;
// Constants that end bytes, texts and items.
mod ends;
mod ends_of_absent;
// The examples of the documentation.
mod examples;
// Values of all kinds, made up by a generator.
mod generated;
// Places that count from other values.
mod led_beside;
mod led_items;
mod led_places;
mod moved_parts;
// What findings weigh.
mod levels;
// What a field may hold, and rules over all items.
mod limits;
// `FlatBuffers`: tables as declarations.
mod file_sums;
mod flat;
// The same tables, as that library's own verifier sees them.
mod flat_differential;
// A header inside a buffer.
mod flat_header;
// New buffers from values.
mod flat_build;
// Tables of which several schemas exist.
mod flat_schemas;
// Numbers of tables, written over where they lie.
mod at_most;
mod flat_patch;
mod flat_recursion;
mod many_located;
mod rest_of_region;
// Damaged buffers, and what they may cost.
mod flat_damage;
// Byte orders that are told by the file.
mod byte_order;
// Tables inside other values.
mod inner_tables;
// Numbers of items that the writer sets.
mod item_branches;
mod item_numbers;
mod many_places;
// Rules over a part of every item.
mod item_sums;
mod keyed;
// Values beside the items of a table, without places.
mod beside;
// Values that are written over their old bytes.
mod update;
// Checksums of what is decoded, and variants in coded bytes.
mod decoded;
// Values in coded bytes.
mod empty_items;
mod encoded;
// Values that grow in a region of fixed size.
mod growth;
// Numbers in encodings of their own.
mod coded;
mod coded_tables;
// Values that are not on the wire.
mod computed;
// Values whose place follows from other numbers.
mod computed_places;
mod converted_tables;
// Bytes and texts that are computed from a tag.
mod byte_tags;
// Numbers that may be absent.
mod computed_elsewhere;
mod computed_options;
// Tables of bytes, and variants that hold tuples.
mod small_values;
// Named values, and constructors.
mod lets;
// Numbers that functions are given.
mod given;
// What functions are given that others give.
mod handed;
// Offsets in a header of its own type.
mod header_places;
mod inherited_optional;
// Parts of values, as arguments and in comparisons.
mod passed;
// Constants.
mod made_values;
mod magics;
// Tags of any kind, and names for several numbers.
mod ids;
// Presence told by a magic, a bit or a version.
mod open_from_start;
mod open_numbers;
mod open_sections;
mod open_shared_from_start;
mod open_shared_types;
mod optional;
// Fields at offsets, and the sections they lie in.
mod located;
// Conversions, parameters, floats.
mod map;
// Values that cannot be written, outputs that take no more.
mod misuse;
// Arrays, and values inside values.
mod nesting;
mod nonsense;
// Numbers of nested values, used around them.
mod nested_numbers;
// Types that contain themselves, as deep as a file says.
mod recursion;
// Tuples, boxes, lazy values and structs around one value.
mod held_tables;
mod holders;
// Integers, floats, truth values, enums and flags, in both byte orders.
mod numbers;
// Shapes that are numbers.
mod number_variants;
// Padding and alignment.
mod order_of_places;
mod padded_places;
mod padding;
// Numbers as type parameters.
mod parameters;
// Numbers that are known when something later has been written.
mod late;
// Values that are written when a number in them is known.
mod widths;
mod written_later;
// Lengths that wait for what they tell of.
mod waiting;
// Words in combination.
mod combined;
// What others trip over.
mod probes;
// Optional fields and arguments.
mod presence;
// Arguments that follow from the item before.
mod previous;
// The same, for lazy sequences.
mod linked;
// Lengths and counts right before a field.
mod prefix;
mod read_ahead;
// The words and examples of the documentation.
mod reference;
// Payloads of readers, and values written anew.
mod payloads;
// What recorders keep.
mod recording;
// What is read is written as it was.
mod refusals;
mod rewriting;
// What stops a reader and what does not.
mod rules;
// Rules that are functions: the part that they go to, its bytes, and what they report.
mod rules_by_hand;
// Fields of nested values that the writer sets, and bits.
mod set_bits;
mod setters;
// Old numbers that expressions use.
mod settle;
mod settle_chains;
mod settled;
mod settled_payload;
// Tables whose bodies have other words too.
mod table_words;
// Fields that are in the struct alone.
mod skipped;
// Offsets and rooms that nothing keeps.
mod floating;
mod full_sections;
// Where fields end, and what is left behind them.
mod placed_anew;
mod places;
// Integers of unusual width and of variable length.
mod scalars;
// Items: eager and lazy; claims that no file can keep.
mod section_units;
mod sequences;
mod width_units;
// Lengths, ends and counts.
mod scaled_places;
mod shared_as_written;
mod shared_values;
mod signed_numbers;
mod sizes;
// Fixed width, NULs, UTF-16.
mod strings;
// Items of tables without a value.
mod table_presence;
// Tables of offsets, and what they tell of.
mod table_ends;
mod tables;
// The laws as macro, and witnesses of rules.
mod witnesses;
// Values from streams.
mod streams;
// Values that end where the next one begins.
mod up_to_next;
// Shapes told apart by a tag.
mod tags;
// Located fields that are told a computed number.
mod told_places;
mod told_regions;
// Lengths of what is told a computed number.
mod told_sizes;
// Texts that are compared.
mod texts_compared;
// Items up to one that ends them.
mod tried_variants;
mod until;
// Coded bytes that end where their codec says.
mod until_codec;
// The members of gzip files.
mod gzip;
// Items up to one that ends them, or to the end of the region.
mod until_or;
// Shapes told apart by a magic or by reading.
mod variants;
// Values that nest more deeply than a reader goes.
mod too_deep;
// Variants that hold fields.
mod variant_fields;
// Fields whose bytes belong to others.
mod views;

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
