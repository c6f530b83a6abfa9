//! Locals of a writer that get their value somewhere in its body: each is declared where that is.
//!
//! A local that is set in a closure or a branch is declared in front of the body; one that is set in the
//! body itself is declared there, and what stands in front of that has its first value. What nobody reads
//! is left out.

use std::collections::HashMap;

use proc_macro2::{Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};

/// A local, and its value until it is set.
pub(super) type Local = (Ident, TokenStream);

/// What is known of a local.
#[expect(clippy::struct_excessive_bools, reason = "each says of its own what the code does")]
struct Seen {
    first: TokenStream,
    /// How often it is read in front of the place where the body sets it, and anywhere.
    read_before: usize,
    read: usize,
    /// Whether something else sets it in front of that place, and behind it.
    set_before: bool,
    set_behind: bool,
    /// Whether the body sets it.
    set: bool,
    /// Whether everything that it is set to is a place, which nobody misses.
    only_places: bool,
    /// Whether a rewrite has come to that place.
    passed: bool,
}

impl Seen {
    /// Whether it is declared where the body sets it.
    fn is_late(&self) -> bool {
        self.set && !self.set_before && (self.read_before == 0 || self.has_short_value())
    }

    fn has_short_value(&self) -> bool {
        self.first.clone().into_iter().count() == 1
    }

    fn is_unread(&self) -> bool {
        self.read == 0 && self.only_places
    }

    /// Whether its first value is its only one.
    fn is_constant(&self) -> bool {
        !self.set && !self.set_before && self.has_short_value()
    }
}

/// The body of a writer with the locals that it sets.
pub(super) fn declare(locals: Vec<Local>, body: TokenStream) -> TokenStream {
    let order: Vec<Ident> = locals.iter().map(|(name, _)| name.clone()).collect();
    let mut seen: HashMap<String, Seen> = locals
        .into_iter()
        .map(|(name, first)| {
            let seen = Seen {
                first,
                read_before: 0,
                read: 0,
                set_before: false,
                set_behind: false,
                set: false,
                only_places: true,
                passed: false,
            };
            (name.to_string(), seen)
        })
        .collect();
    look(body.clone(), true, &mut seen);
    let body = rewritten(body, true, &mut seen);
    let early = order.iter().filter_map(|name| {
        let seen = seen.get(&name.to_string())?;
        let (first, mentioned) = (&seen.first, seen.read > 0 || !seen.only_places);
        let declared = mentioned && !seen.is_late() && !seen.is_constant();
        declared.then(|| quote!(let mut #name = #first;))
    });
    quote!(#(#early)* #body)
}

/// How an identifier is used.
enum Use {
    Read,
    /// A statement sets it: `name = value;`.
    Statement,
    /// It is changed in another way.
    Changed,
}

fn use_of(before: Option<&TokenTree>, behind: &[TokenTree]) -> Use {
    let starts = match before {
        None | Some(TokenTree::Group(_)) => true,
        Some(TokenTree::Punct(punct)) => punct.as_char() == ';',
        Some(TokenTree::Ident(word)) if word == "mut" => return Use::Changed,
        Some(_) => false,
    };
    match behind {
        [TokenTree::Punct(sign), ..]
            if sign.as_char() == '=' && sign.spacing() == Spacing::Alone =>
        {
            if starts {
                Use::Statement
            } else {
                Use::Changed
            }
        }
        [TokenTree::Punct(operator), TokenTree::Punct(sign), ..]
            if operator.spacing() == Spacing::Joint
                && sign.as_char() == '='
                && !matches!(operator.as_char(), '=' | '!' | '<' | '>') =>
        {
            Use::Changed
        }
        _ => Use::Read,
    }
}

/// The value of a statement that begins with `name =`, and how many tokens it has.
fn value_of(behind: &[TokenTree]) -> &[TokenTree] {
    let end = behind
        .iter()
        .position(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';'));
    behind.get(1..end.unwrap_or(behind.len())).unwrap_or_default()
}

/// Whether a value is where the writer is, where a slot lies, or another local.
fn is_place(value: &[TokenTree]) -> bool {
    let text: String = value.iter().map(|token| token.to_token_stream().to_string()).collect();
    let text: String = text.split_whitespace().collect();
    text.starts_with("__out.pos()") || text.ends_with("].at") || value.len() == 1
}

/// Notes how the locals are used.
fn look(tokens: TokenStream, top: bool, seen: &mut HashMap<String, Seen>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    // What the value of a statement reads is read before that sets anything.
    let mut waiting: Option<(String, usize)> = None;
    for (index, token) in tokens.iter().enumerate() {
        if let Some((name, _)) = waiting.take_if(|(_, end)| index >= *end)
            && let Some(seen) = seen.get_mut(&name)
        {
            seen.set = true;
        }
        match token {
            TokenTree::Group(group) => look(group.stream(), false, seen),
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let Some(local) = seen.get_mut(&name) else { continue };
                let behind = tokens.get(index.saturating_add(1)..).unwrap_or_default();
                let before = index.checked_sub(1).and_then(|before| tokens.get(before));
                match use_of(before, behind) {
                    Use::Read => {
                        local.read = local.read.saturating_add(1);
                        if !local.set {
                            local.read_before = local.read_before.saturating_add(1);
                        }
                        continue;
                    }
                    Use::Statement => {
                        let value = value_of(behind);
                        local.only_places &= is_place(value);
                        if top && !local.set {
                            let end = index.saturating_add(value.len()).saturating_add(2);
                            waiting = Some((name, end));
                            continue;
                        }
                    }
                    Use::Changed => local.only_places = false,
                }
                if local.set {
                    local.set_behind = true;
                } else {
                    local.set_before = true;
                }
            }
            _ => {}
        }
    }
}

/// The code with the locals declared where they are set.
fn rewritten(tokens: TokenStream, top: bool, seen: &mut HashMap<String, Seen>) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut code: Vec<TokenTree> = Vec::new();
    let mut waiting: Option<(String, usize)> = None;
    let mut skipped = 0;
    for (index, token) in tokens.iter().enumerate() {
        if let Some((name, _)) = waiting.take_if(|(_, end)| index >= *end)
            && let Some(seen) = seen.get_mut(&name)
        {
            seen.passed = true;
        }
        if index < skipped {
            continue;
        }
        match token {
            TokenTree::Group(group) => {
                let mut changed =
                    Group::new(group.delimiter(), rewritten(group.stream(), false, seen));
                changed.set_span(group.span());
                code.push(changed.into());
            }
            TokenTree::Ident(name) if let Some(local) = seen.get(&name.to_string()) => {
                let behind = tokens.get(index.saturating_add(1)..).unwrap_or_default();
                let before = index.checked_sub(1).and_then(|before| tokens.get(before));
                let used = use_of(before, behind);
                let end = index.saturating_add(value_of(behind).len()).saturating_add(2);
                match used {
                    // The statement with its semicolon.
                    Use::Statement if local.is_unread() => skipped = end.saturating_add(1),
                    Use::Statement if top && local.is_late() && !local.passed => {
                        let mutable = local.set_behind.then(|| quote!(mut));
                        code.extend(quote!(let #mutable #name));
                        waiting = Some((name.to_string(), end));
                    }
                    Use::Read if !local.passed && (local.is_late() || local.is_constant()) => {
                        code.extend(local.first.clone());
                    }
                    _ => code.push(token.clone()),
                }
            }
            other => code.push(other.clone()),
        }
    }
    code.into_iter().collect()
}
