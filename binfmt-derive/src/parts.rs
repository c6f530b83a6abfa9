//! Variants that hold fields of their own: each is read and written as a struct that nobody sees.
//!
//! `Text { #[bin(prefix = u8)] text: String }` becomes `Text(Part)`, where `Part` is a declared struct of
//! these fields. A reader moves them out of it; a writer lends them to a second struct, of references.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Fields, GenericParam, Generics, Ident, Index, Member, Type,
    Variant, WhereClause, WherePredicate, parse_quote,
};

use crate::attr::{self, Let, Parameter, Place, Rule, Words};
use crate::errors::Errors;
use crate::tokens::mention;

/// The fields of a variant, as the struct that they are read and written as.
pub(crate) struct Part {
    pub(crate) variant: Ident,
    pub(crate) input: DeriveInput,
    /// The struct of references to them.
    pub(crate) lent: Ident,
    /// The arguments of the enum that words of the fields name, and what the variant keeps if they name that.
    pub(crate) args: Vec<Ident>,
    /// The names of `let` of the enum that they use.
    pub(crate) lets: Vec<Ident>,
    /// How many values stand in front of them: the tag that the variant keeps.
    pub(crate) first: usize,
    /// What the fields are called in the variant, and in the struct.
    pub(crate) members: Vec<(Member, Member)>,
    /// The enum.
    pub(crate) of: Ident,
    /// Of which enum and variant it is, in one word.
    pub(crate) name: String,
}

/// Takes the fields out of the variants that hold some: gives the enum that is left of a declaration.
pub(crate) fn take(
    errors: &mut Errors,
    input: &DeriveInput,
    is_number: &dyn Fn(&Type) -> bool,
) -> Option<(DeriveInput, Vec<Part>)> {
    let Data::Enum(data) = &input.data else { return None };
    // Mistakes in these words are told by who reads them for good.
    let words = attr::read(&mut Errors::default(), Place::Type, &input.attrs);
    let has_numbers = input.attrs.iter().any(|attr| attr.path().is_ident("repr"));
    if has_numbers || words.flatbuffer.is_some() {
        return None;
    }
    let first = |variant: &Variant| own_fields(variant, &words, is_number);
    let firsts: Vec<_> = data.variants.iter().map(first).collect();
    if firsts.iter().all(Option::is_none) {
        return None;
    }
    let mut rest = input.clone();
    let Data::Enum(left) = &mut rest.data else { return None };
    let mut parts = Vec::new();
    for ((variant, left), first) in data.variants.iter().zip(&mut left.variants).zip(firsts) {
        let Some(first) = first else { continue };
        let part = Part::of(errors, input, &words, variant, first);
        let (ident, generics) = (&part.input.ident, &part.input.generics);
        let (_, generics, _) = generics.split_for_impl();
        let kept = variant.fields.iter().take(first).map(ToTokens::to_token_stream);
        let held = kept.chain([quote!(#ident #generics)]);
        left.fields = Fields::Unnamed(parse_quote!((#(#held),*)));
        parts.push(part);
    }
    Some((rest, parts))
}

/// Where the fields of a variant begin, behind the tag or the magic that it keeps; `None` if it has none
/// of its own: a unit, or a single value whose type says all.
fn own_fields(
    variant: &Variant,
    whole: &Words,
    is_number: &dyn Fn(&Type) -> bool,
) -> Option<usize> {
    let words = attr::read(&mut Errors::default(), Place::Variant, &variant.attrs);
    let keeps = words.keep_a_tag(whole);
    match &variant.fields {
        Fields::Unit => None,
        Fields::Named(fields) => (!keeps && !fields.named.is_empty()).then_some(0),
        Fields::Unnamed(fields) => {
            let first = usize::from(keeps);
            let own = fields.unnamed.iter().skip(first);
            let has_words = own.clone().any(|field| field.attrs.iter().any(is_word));
            // A variant of one number, or of an array of them, needs no struct.
            let of_values =
                |field: &syn::Field| matches!(field.ty, Type::Array(_)) && !is_number(&field.ty);
            (has_words || own.clone().any(of_values) || own.count() > 1).then_some(first)
        }
    }
}

fn is_word(attr: &Attribute) -> bool {
    attr.path().is_ident("bin")
}

impl Part {
    /// The fields of a variant from the `first` on.
    fn of(
        errors: &mut Errors,
        input: &DeriveInput,
        words: &Words,
        variant: &Variant,
        first: usize,
    ) -> Self {
        let name = format!("{}{}", input.ident.unraw(), variant.ident.unraw());
        let (mut fields, mut members) = (variant.fields.clone(), Vec::new());
        match &mut fields {
            Fields::Unnamed(list) => {
                list.unnamed = list.unnamed.iter().skip(first).cloned().collect();
                let places = (0..list.unnamed.len()).map(|own| (own + first, own));
                let index = |index: usize| Member::Unnamed(Index::from(index));
                members.extend(places.map(|(outer, own)| (index(outer), index(own))));
            }
            _ => {
                let names = fields.iter().filter_map(|field| field.ident.clone());
                members.extend(names.map(|name| (name.clone().into(), name.into())));
            }
        }
        let own = whose_self(input);
        for field in &mut fields {
            let ty = replace(field.ty.to_token_stream(), &own);
            if let Ok(ty) = syn::parse2(ty) {
                field.ty = ty;
            }
        }
        let mut spoken = words_of(&fields);
        let lets = used_lets(words, &spoken);
        spoken.extend(lets.iter().map(|one| one.written.clone()));
        let generics = used_generics(&input.generics, &fields, &spoken);
        let kept = kept_argument(variant, first, &spoken);
        let mut args = used_args(errors, input, words, (&fields, &spoken), &generics);
        args.extend(&kept);
        let ident = Ident::new(&format!("__{name}"), variant.ident.span());
        let mut attrs = attributes(words, variant, &args, &lets);
        attrs.extend(bound(words, &input.generics, &generics));
        let clause = &generics.where_clause;
        let own = match &fields {
            Fields::Unnamed(_) => quote!(struct #ident #generics #fields #clause;),
            _ => quote!(struct #ident #generics #clause #fields),
        };
        Self {
            variant: variant.ident.clone(),
            lent: format_ident!("__{name}Lent", span = Span::call_site()),
            args: args.into_iter().map(|one| one.name.clone()).collect(),
            lets: lets.into_iter().map(|one| one.name.clone()).collect(),
            first,
            members,
            of: input.ident.clone(),
            name,
            input: parse_quote!(#(#attrs)* #own),
        }
    }

    /// Both structs, without words.
    pub(crate) fn structs(&self) -> TokenStream {
        let Data::Struct(data) = &self.input.data else { return TokenStream::new() };
        let (ident, lent, generics) = (&self.input.ident, &self.lent, &self.input.generics);
        let mut lending = generics.clone();
        lending.params.insert(0, parse_quote!('__lent));
        let types: Vec<_> = data.fields.iter().map(|field| &field.ty).collect();
        let names: Option<Vec<_>> = data.fields.iter().map(|field| field.ident.as_ref()).collect();
        let clause = &generics.where_clause;
        let (own, lent) = match names {
            Some(names) => (
                quote!(struct #ident #generics #clause { #(#names: #types),* }),
                quote!(struct #lent #lending #clause { #(#names: &'__lent #types),* }),
            ),
            None => (
                quote!(struct #ident #generics (#(#types),*) #clause;),
                quote!(struct #lent #lending (#(&'__lent #types),*) #clause;),
            ),
        };
        let allowed = quote!(#[allow(dead_code, reason = "a number that is computed is not read")]);
        quote!(#allowed #own #allowed #lent)
    }
}

/// The type that `Self` is.
fn whose_self(input: &DeriveInput) -> TokenStream {
    let (ident, (_, generics, _)) = (&input.ident, input.generics.split_for_impl());
    quote!(#ident #generics)
}

/// Tokens in which `Self` is spelled out.
fn replace(tokens: TokenStream, own: &TokenStream) -> TokenStream {
    let each = tokens.into_iter().flat_map(|token| match token {
        TokenTree::Ident(name) if name == "Self" => own.clone(),
        TokenTree::Group(group) => {
            let mut inner =
                proc_macro2::Group::new(group.delimiter(), replace(group.stream(), own));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        other => other.into(),
    });
    each.collect()
}

/// The parameters of the enum that types of the fields name, and the constants that their words do, or what
/// names in these stand for.
fn used_generics(all: &Generics, fields: &Fields, words: &TokenStream) -> Generics {
    let types: TokenStream = fields.iter().map(|field| field.ty.to_token_stream()).collect();
    let is_used = |param: &&GenericParam| {
        mention(types.clone(), &name(param))
            || matches!(param, GenericParam::Const(_)) && mention(words.clone(), &name(param))
    };
    let mut generics = all.clone();
    generics.params = all.params.iter().filter(is_used).cloned().collect::<Punctuated<_, _>>();
    if let Some(clause) = &all.where_clause {
        let holds = clause.predicates.iter().filter(|one| is_about(one, all, &generics));
        let predicates = holds.cloned().collect();
        generics.where_clause = Some(WhereClause { predicates, ..clause.clone() });
    }
    generics
}

/// What the enum asks of the parameters that are left.
fn bound(words: &Words, all: &Generics, used: &Generics) -> Option<Attribute> {
    let bounds = &words.bound.as_ref()?.value;
    let bounds: Vec<_> = bounds.iter().filter(|bound| is_about(bound, all, used)).collect();
    (!bounds.is_empty()).then(|| parse_quote!(#[bin(bound(#(#bounds),*))]))
}

/// Whether a bound names no parameter but those that are used.
fn is_about(bound: &WherePredicate, all: &Generics, used: &Generics) -> bool {
    let is_unused = |param: &&GenericParam| !used.params.iter().any(|own| name(own) == name(param));
    !all.params.iter().filter(is_unused).any(|param| mention(bound.to_token_stream(), &name(param)))
}

fn name(param: &GenericParam) -> String {
    match param {
        GenericParam::Lifetime(param) => param.lifetime.ident.to_string(),
        GenericParam::Type(param) => param.ident.to_string(),
        GenericParam::Const(param) => param.ident.to_string(),
    }
}

/// The words of all fields, and the names that texts in them show.
fn words_of(fields: &Fields) -> TokenStream {
    let attrs = fields.iter().flat_map(|field| &field.attrs).filter(|attr| is_word(attr));
    let words = fields
        .iter()
        .map(|field| attr::read(&mut Errors::default(), Place::Field, &field.attrs))
        .collect::<Vec<_>>();
    let shown = words.iter().flat_map(|words| &words.rules).flat_map(Rule::names_in_text);
    let mut tokens: TokenStream = attrs.map(ToTokens::to_token_stream).collect();
    tokens.extend(shown.map(Ident::into_token_stream));
    tokens
}

/// The names of `let` of the enum that words of the fields use, or others of these do.
fn used_lets<'w>(words: &'w Words, tokens: &TokenStream) -> Vec<&'w Let> {
    let all: Vec<&Let> = words.lets.iter().flat_map(|word| &word.value).collect();
    let is_named = |one: &&Let| mention(tokens.clone(), &one.name.to_string());
    let mut used: Vec<_> = all.iter().map(is_named).collect();
    loop {
        let known = used.clone();
        for (one, _) in all.iter().zip(&known).filter(|(_, used)| **used) {
            for name in one.expr.names() {
                let named = all.iter().position(|other| other.name == *name);
                if let Some(used) = named.and_then(|index| used.get_mut(index)) {
                    *used = true;
                }
            }
        }
        if used == known {
            return all
                .into_iter()
                .zip(used)
                .filter_map(|(one, used)| used.then_some(one))
                .collect();
        }
    }
}

/// The arguments of the enum that words of the fields name, of which `generics` must have all lifetimes.
fn used_args<'w>(
    errors: &mut Errors,
    input: &DeriveInput,
    words: &'w Words,
    (fields, tokens): (&Fields, &TokenStream),
    generics: &Generics,
) -> Vec<&'w Parameter> {
    let all = words.args.iter().flat_map(|args| args.value.declared());
    let used: Vec<_> = all.filter(|one| mention(tokens.clone(), &one.name.to_string())).collect();
    let missing = input.generics.lifetimes().filter(|_| generics.lifetimes().next().is_none());
    for lifetime in missing {
        let lifetime = lifetime.lifetime.ident.to_string();
        for one in used.iter().filter(|one| mention(one.ty.to_token_stream(), &lifetime)) {
            let name = &one.name;
            errors.add_at(
                fields,
                format!("no field of this variant borrows from the input, as the argument `{name}` does; declare a struct for them, and put it into the variant"),
            );
        }
    }
    used
}

/// The tag or the magic that the variant keeps, as an argument of its fields, if their words name it.
fn kept_argument(variant: &Variant, first: usize, words: &TokenStream) -> Option<Parameter> {
    let kept = &variant.fields.iter().take(first).next()?.ty;
    let name = format_ident!("_0", span = variant.ident.span());
    let is_used = is_passed(kept) && mention(words.clone(), "_0");
    is_used.then(|| Parameter { name, ty: kept.clone(), default: None })
}

/// What a variant keeps can be passed on: a number or another value by itself, and bytes; no tuple, and nothing
/// that is borrowed.
pub(crate) fn is_passed(kept: &Type) -> bool {
    matches!(kept, Type::Path(_) | Type::Array(_))
}

/// The words of the struct: what holds for all types within the enum.
fn attributes(
    words: &Words,
    variant: &Variant,
    args: &[&Parameter],
    lets: &[&Let],
) -> Vec<Attribute> {
    let docs = variant.attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    let mut attrs: Vec<Attribute> = docs.cloned().collect();
    match (&words.order, &words.endian) {
        (Some(order), _) => {
            let order = match order.value {
                attr::Order::Little => quote!(little),
                attr::Order::Big => quote!(big),
            };
            attrs.push(parse_quote!(#[bin(#order)]));
        }
        (None, Some(_)) => attrs.push(parse_quote!(#[bin(endian = inherit)])),
        (None, None) => {}
    }
    if let Some(path) = &words.krate {
        let path = &path.value;
        attrs.push(parse_quote!(#[bin(crate = #path)]));
    }
    if !args.is_empty() {
        let list = args.iter().map(|Parameter { name, ty, .. }| quote!(#name: #ty));
        attrs.push(parse_quote!(#[bin(args(#(#list),*))]));
    }
    if !lets.is_empty() {
        let list = lets.iter().map(|one| &one.written);
        attrs.push(parse_quote!(#[bin(let(#(#list),*))]));
    }
    attrs
}
