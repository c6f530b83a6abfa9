//! The model of what syn has parsed.

use std::cell::OnceCell;
use std::collections::HashMap;

use proc_macro2::Span;
use quote::format_ident;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DeriveInput, Fields, GenericParam, Ident, Lifetime, Member, Type};

use super::{
    Body, Field, ItemSum, Kind, Model, Parallel, Variant, byte_tag, enums, flat, kept, last, lets,
    limits, measures, option_argument, presence, previous, remaining, this, type_argument,
};
use crate::attr::{self, Args, Checksum, Place, TablePath, Word, Words};
use crate::errors::Errors;
use crate::expr::Expr;
use crate::parts::Part;

/// Reads a declaration; keeps going after a mistake.
pub(crate) fn read<'s>(
    errors: &mut Errors,
    input: &'s DeriveInput,
    parts: &'s [Part],
    part: Option<&'s Part>,
) -> Option<Model<'s>> {
    let mut words = attr::read(errors, Place::Type, &input.attrs);
    let lifetime = lifetime(errors, input);
    let mut skipped = Vec::new();
    let mut body = match &input.data {
        Data::Struct(data) => {
            let all = fields(errors, &data.fields, part.map_or(0, |part| part.first));
            let fields: Vec<_>;
            (skipped, fields) = all.into_iter().partition(|field| field.one().words.skip.is_some());
            Body::Struct(fields)
        }
        Data::Enum(data) => enums::enumeration(errors, input, data, &words)?,
        Data::Union(data) => {
            errors.add(data.union_token.span, "a Rust `union` cannot be declared; use an `enum`");
            return None;
        }
    };
    flat::order(&mut words, &body);
    match &mut body {
        Body::Struct(fields) => structure(errors, (input, part), &mut words, fields),
        Body::Enum { .. } => {}
        Body::Union(variants) => {
            for variant in variants.iter_mut() {
                own_fields(errors, variant, parts);
            }
            lets::names(errors, &words, &[], None);
            lets::expand(errors, &mut words, &mut [], (&mut variants[..], None));
            variants.iter_mut().for_each(kept::name);
        }
    }
    Some(Model {
        input,
        part,
        words,
        doc: doc(&input.attrs),
        lifetime,
        by_name: by_name(&body),
        body,
        skipped,
        measured: OnceCell::new(),
    })
}

/// Gives a variant the fields that it holds, and them what they need.
fn own_fields<'s>(errors: &mut Errors, variant: &mut Variant<'s>, parts: &'s [Part]) {
    variant.part = parts.iter().find(|part| part.variant == *variant.ident);
    let Some(part) = variant.part else { return };
    let words = &variant.words;
    let spans = [
        ("args", words.args.as_ref().map(|word| word.span)),
        ("codec", words.codec.as_ref().map(|word| word.span)),
        ("until_codec", words.until_codec.as_ref().map(|word| word.span)),
    ];
    for (word, span) in spans {
        if let Some(span) = span {
            errors.add(span, format!("`{word}` is for a variant that holds one value; put it on the field that it is for"));
        }
    }
    let passed = part.args.iter().map(|name| (name.clone(), Expr::Name(name.clone())));
    let (span, value) = (variant.ident.span(), Args::Passed(passed.collect()));
    variant.words.args = (!part.args.is_empty()).then_some(Word { span, value });
}

/// The one lifetime of a type.
fn lifetime<'s>(errors: &mut Errors, input: &'s DeriveInput) -> Option<&'s Lifetime> {
    let mut lifetimes = input.generics.params.iter().filter_map(|param| match param {
        GenericParam::Lifetime(param) => Some(&param.lifetime),
        _ => None,
    });
    let lifetime = lifetimes.next();
    if let Some(second) = lifetimes.next() {
        errors.add(second.span(), "a declared type has one lifetime at most, that of the input");
    }
    lifetime
}

/// What reports call a type.
pub(super) fn name(input: &DeriveInput, part: Option<&Part>) -> String {
    part.map_or_else(|| input.ident.unraw().to_string(), |part| part.name.clone())
}

/// Gives the words of a struct and of its fields what abbreviations and context stand for.
fn structure(
    errors: &mut Errors,
    (input, part): (&DeriveInput, Option<&Part>),
    words: &mut Words,
    fields: &mut [Field<'_>],
) {
    lets::names(errors, words, fields, part);
    lets::expand(errors, words, fields, (&mut [], part));
    // Before a field of the same name is taken for it.
    let told: Vec<Ident> =
        fields.iter().filter(|one| !one.setters().is_empty()).map(|one| one.name.clone()).collect();
    for field in fields.iter_mut() {
        name_context(field, &told);
    }
    measures::replace(words, fields);
    flat::roots(fields);
    let version = presence::Version { word: words.version.as_ref(), of_a_variant: part.is_some() };
    presence::conditions(errors, version, fields);
    let (name, alone) = (name(input, part), fields.len() == 1);
    // Tables that may be absent, or that functions of the user write, are written as wholes.
    let is_whole = |field: &&Field<'_>| {
        let words = &field.words;
        words.may_be_absent() || words.map.is_some() || words.with.is_some()
    };
    let wholes = fields.iter().filter(|field| field.parallel.is_none()).filter(is_whole);
    let wholes: Vec<Ident> = wholes.map(|field| field.name.clone()).collect();
    tables_of_bytes(fields);
    for field in fields.iter_mut() {
        limit_rules(&name, field, alone);
        byte_tag::take(field);
        if let Some(parallel) = &mut field.parallel {
            parallel.inner |= wholes.contains(&parallel.root);
        }
    }
    lift_branches(words);
    for field in fields.iter_mut() {
        lift_branches(&mut field.words);
        if let Some(parallel) = &mut field.parallel {
            lift_branches(&mut parallel.element.words);
        }
    }
    remaining::name(fields);
}

/// Each number in a branch of a size or a place is told by a sum of its own, as which shifts count, too.
fn lift_branches(words: &mut Words) {
    sizes_and_places(words).for_each(|word| word.value.multiply_shifts());
    sizes_and_places(words).for_each(|word| word.value.lift_branch());
    merge_branches(words);
}

/// One number in several branches is told by one.
fn merge_branches(words: &mut Words) {
    sizes_and_places(words).for_each(|word| word.value.merge_branches());
}

fn sizes_and_places(words: &mut Words) -> impl Iterator<Item = &mut Word<Expr>> {
    let Words { count, len, at, pad_to, .. } = words;
    [count, len, at, pad_to].into_iter().flatten()
}

/// A `Vec<u8>` that a field with `for_each` names is a table of numbers.
fn tables_of_bytes(fields: &mut [Field<'_>]) {
    let tables = fields.iter().filter_map(|field| field.parallel.as_ref());
    let tables = tables.filter(|parallel| parallel.path.is_empty());
    let tables: Vec<Ident> = tables.map(|parallel| parallel.root.clone()).collect();
    for field in fields.iter_mut().filter(|field| tables.contains(&field.name)) {
        if let (Kind::Bytes { owned: true }, Some(item)) = (field.kind, type_of_items(field.inner))
        {
            field.kind = Kind::Vec(item);
        }
    }
}

/// Gives `group`, `value`, `previous` and `last` names that say whose they are; the fields `told` have numbers
/// that `set` computes.
fn name_context(field: &mut Field<'_>, told: &[Ident]) {
    if let Some(parallel) = field.parallel.as_mut().filter(|one| !one.path.is_empty()) {
        // Such a field holds one table, and its numbers are used when they are set.
        let own = told.contains(&parallel.root).then_some(&parallel.root);
        this::group(parallel.element.words.exprs_mut(), &field.name, own);
    }
    if let Some(parallel) = &mut field.parallel
        && let Some(set) = &mut parallel.element.words.set
    {
        this::name(set.value.passed_mut(), &field.name);
    }
    if let Some(parallel) = &mut field.parallel {
        previous::name_in_sizes(&mut parallel.element.words);
    }
    if let Some(args) = &mut field.words.args {
        previous::name(&mut args.value, &field.name);
    }
    if let Some(until) = &mut field.words.until {
        last::name(&mut until.value, &field.name);
    }
}

/// The index of each field by its name; of two of one name, which Rust refuses, the first counts.
fn by_name(body: &Body<'_>) -> HashMap<String, usize> {
    let Body::Struct(fields) = body else { return HashMap::new() };
    let names = fields.iter().map(|field| field.name.to_string());
    names.zip(0..).collect::<Vec<_>>().into_iter().rev().collect()
}

/// The fields of a struct; those without a name are called by their number, `_0`, or that in the variant
/// that holds them.
fn fields<'s>(errors: &mut Errors, fields: &'s Fields, first: usize) -> Vec<Field<'s>> {
    let mut all: Vec<Field<'s>> = fields
        .iter()
        .zip(fields.members())
        .enumerate()
        .map(|(at, (field, member))| {
            let words = attr::read(errors, Place::Field, &field.attrs);
            let name = match &member {
                Member::Named(ident) => ident.clone(),
                // A mistake in what is said of it is shown at its type.
                Member::Unnamed(_) => {
                    let span = Span::call_site().located_at(field.ty.span());
                    format_ident!("_{}", first + at, span = span)
                }
            };
            if words.for_each.is_some() {
                return for_each(errors, field, member, name, words);
            }
            let inner = if words.may_be_absent() || words.slot.is_some() {
                option_argument(&field.ty).unwrap_or(&field.ty)
            } else {
                &field.ty
            };
            // What functions of the user make of it is no number and no text here.
            let kind = if words.map.is_some() { Kind::Nested } else { Kind::of(inner) };
            Field {
                member,
                label: name.unraw().to_string(),
                name,
                ty: &field.ty,
                inner,
                kind,
                words,
                doc: doc(&field.attrs),
                parallel: None,
                flag: None,
                byte_tag: None,
                is_element: false,
            }
        })
        .collect();
    if let [field] = &mut all[..]
        && field.is_all_of_a_tuple()
    {
        field.label.clear();
    }
    all
}

/// The rules that `range` and `one_of` of a field are.
fn limit_rules(ty: &str, field: &mut Field<'_>, alone: bool) {
    let of = match &field.member {
        Member::Unnamed(_) if alone => String::new(),
        _ => format!(".{}", field.name.unraw()),
    };
    let code = format!("{ty}{of}");
    let made = limits::rules(&code, &field.name, field.kind, &field.words);
    field.words.rules.extend(made);
}

/// A field with `for_each`: its words are those of each value, but for the rules, which see all.
fn for_each<'s>(
    errors: &mut Errors,
    field: &'s syn::Field,
    member: Member,
    name: Ident,
    mut own: Words,
) -> Field<'s> {
    let kind = Kind::of(&field.ty);
    let value = type_of_items(&field.ty).unwrap_or_else(|| {
        errors.add_at(&field.ty, "a field with `for_each` has a value for every item: `Vec<T>`");
        &field.ty
    });
    let mut words = Words {
        rules: std::mem::take(&mut own.rules),
        text: std::mem::take(&mut own.text),
        level: own.level.take(),
        ..Words::default()
    };
    let table = own.for_each.take();
    let sum = own.checksum.take().and_then(|word| item_sum(errors, word));
    words.shared = own.shared.as_ref().map(|shared| Word { span: shared.span, value: () });
    let optional = own.condition.is_some() || own.null.is_some();
    let inner = if optional { option_argument(value).unwrap_or(value) } else { value };
    let element = Field {
        member: member.clone(),
        name: name.clone(),
        label: name.unraw().to_string(),
        ty: value,
        inner,
        kind: Kind::of(inner),
        words: own,
        doc: String::new(),
        parallel: None,
        flag: None,
        byte_tag: None,
        is_element: true,
    };
    let parallel = table.map(|table| {
        let TablePath { field: root, path } = table.value;
        let table = path
            .iter()
            .fold(root.clone(), |table, name| format_ident!("{table}__{name}", span = root.span()));
        Parallel { table, root, inner: !path.is_empty(), path, element: Box::new(element), sum }
    });
    let doc = doc(&field.attrs);
    let kind = if let Kind::Bytes { .. } = kind { Kind::Vec(value) } else { kind };
    Field {
        member,
        label: name.unraw().to_string(),
        name,
        ty: &field.ty,
        inner: &field.ty,
        kind,
        words,
        doc,
        parallel,
        flag: None,
        byte_tag: None,
        is_element: false,
    }
}

/// The `T` of a `Vec<T>`.
fn type_of_items(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Vec")?;
    type_argument(&last.arguments)
}

/// The checksum of each value, which a number of the items keeps.
fn item_sum(errors: &mut Errors, word: Word<Checksum>) -> Option<ItemSum> {
    let Word { span, value: Checksum { digest, number, .. } } = word;
    if number.is_none() {
        errors.add(
            span,
            "on a field with `for_each` a number of the items keeps the checksum of each value; name it: `checksum(Crc32, it.sum)`",
        );
    }
    Some(ItemSum { span, digest, number: number? })
}

/// The doc comment, lines joined.
pub(super) fn doc(attrs: &[Attribute]) -> String {
    let lines = attrs.iter().filter(|attr| attr.path().is_ident("doc")).filter_map(|attr| {
        let syn::Meta::NameValue(pair) = &attr.meta else { return None };
        let syn::Expr::Lit(lit) = &pair.value else { return None };
        let syn::Lit::Str(text) = &lit.lit else { return None };
        Some(text.value().trim().to_owned())
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}
