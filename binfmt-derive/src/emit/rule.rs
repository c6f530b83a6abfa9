//! `check`, `error`, `warn`, `note`: one expression, one text, one code.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, LitStr};

use super::expr::Wanted;
use super::{Emitter, Site, argument, local, text, unraw};
use crate::attr::{Rule, RuleKind};
use crate::model::{Field, Kind, Numeric, is_byte};

/// The names in the placeholders of a rule's text.
pub(crate) fn placeholders(text: &LitStr) -> Vec<Ident> {
    let value = text.value().replace("{{", "").replace("}}", "");
    let names = value
        .split('{')
        .skip(1)
        .filter_map(|part| part.split(['}', ':']).next().map(str::to_owned));
    let mut list: Vec<Ident> = Vec::new();
    for name in names {
        if let Ok(mut ident) = syn::parse_str::<Ident>(&name) {
            ident.set_span(text.span());
            if !list.contains(&ident) {
                list.push(ident);
            }
        }
    }
    list
}

/// The stable code of a rule: its own, or the name of what it is about.
pub(crate) fn code(
    emitter: &Emitter<'_>,
    field: Option<&Field<'_>>,
    rules: &[Rule],
    index: usize,
) -> LitStr {
    let Some(rule) = rules.get(index) else { return text("") };
    if let Some(code) = &rule.code {
        return code.clone();
    }
    let base = base(emitter, field);
    let earlier = rules.iter().take(index).filter(|rule| rule.code.is_none()).count();
    text(&if earlier == 0 { base } else { format!("{base}.{}", earlier.saturating_add(1)) })
}

/// `Type.field` or `Type`, which the codes of rules begin with.
pub(super) fn base(emitter: &Emitter<'_>, field: Option<&Field<'_>>) -> String {
    let ty = unraw(&emitter.model.input.ident);
    match field.filter(|_| !emitter.model.is_transparent()) {
        Some(field) => format!("{ty}.{}", unraw(&field.name)),
        None => ty,
    }
}

/// The severity that breaking a rule has.
pub(crate) fn severity(rt: &TokenStream, kind: RuleKind) -> TokenStream {
    match kind {
        RuleKind::Check | RuleKind::Error => quote!(#rt::Severity::Error),
        RuleKind::Warn => quote!(#rt::Severity::Warning),
        RuleKind::Note => quote!(#rt::Severity::Note),
    }
}

impl Emitter<'_> {
    /// The rules of a field, once it has been read, or of the type, once all fields have.
    pub(crate) fn read_rules(
        &self,
        field: Option<(usize, &Field<'_>)>,
        rules: &[Rule],
    ) -> TokenStream {
        let mut all = TokenStream::new();
        for (index, rule) in rules.iter().enumerate() {
            let call = self.holds(field.map(|(_, field)| field), rule, Site::Walk);
            let code = code(self, field.map(|(_, field)| field), rules, index);
            let rt = &self.rt;
            let what = self.message(rule);
            // A text that shows the value itself need not be followed by it.
            let shown = |field: &Field<'_>| placeholders(&rule.text).contains(&field.name);
            let found = match field {
                Some((_, field)) if !shown(field) => self.show(field),
                _ => quote!(#rt::Show::Nothing),
            };
            let about = field.map(|(index, _)| index).or_else(|| {
                let name =
                    *rule.condition.names().iter().find(|name| self.model.field(name).is_some())?;
                self.model.field(name).map(|(index, _)| index)
            });
            let (span, open) = match about {
                // A value around one other has no field to name.
                Some(about) if self.model.is_transparent() => {
                    (quote!(__spans.get(#about)), quote!())
                }
                Some(about) => {
                    (quote!(__spans.get(#about)), quote!(__obs.reopen(Self::WIRE, #about);))
                }
                None if self.model.is_table() => (quote!(__table.range()), quote!()),
                None => (quote!((__start, __cur.pos())), quote!()),
            };
            let problem = quote! {
                &#rt::Problem {
                    code: #code,
                    class: #rt::Class::Invalid,
                    start: __span.0,
                    end: __span.1,
                    what: #what,
                    expected: #rt::Show::Nothing,
                    found: #found,
                }
            };
            let severity = severity(rt, rule.kind);
            let stops = rule.kind == RuleKind::Check;
            let (guard, tell) = if stops {
                (quote!(true), quote!(__obs.broken(#problem)?;))
            } else {
                (quote!(__O::RECORD), quote!(__obs.note(#severity, #problem);))
            };
            all.extend(quote! {
                if #guard && #call != ::core::option::Option::Some(true) {
                    let __span = #span;
                    let __depth = __obs.depth();
                    #open
                    #tell
                    __obs.close(__depth);
                }
            });
        }
        all
    }

    /// The rules that stop a writer.
    pub(crate) fn write_rules(&self, field: Option<&Field<'_>>, rules: &[Rule]) -> TokenStream {
        let mut all = TokenStream::new();
        for (index, rule) in rules.iter().enumerate() {
            if !matches!(rule.kind, RuleKind::Check | RuleKind::Error) {
                continue;
            }
            let call = self.holds(field, rule, Site::Write);
            let code = code(self, field, rules, index);
            let what = self.message(rule);
            let rt = &self.rt;
            let name = field.map(|field| text(&unraw(&field.name)));
            let enter = name.map(|name| quote!(__out.enter(#name);));
            all.extend(quote! {
                if __out.rules() && #call != ::core::option::Option::Some(true) {
                    #enter
                    return ::core::result::Result::Err(__out.fail(
                        #code, #what, #rt::Show::Nothing, #rt::Show::Nothing,
                    ));
                }
            });
        }
        all
    }

    /// Whether a rule holds, as `Option<bool>`; a limit holds for a field that is not there.
    fn holds(&self, field: Option<&Field<'_>>, rule: &Rule, site: Site) -> TokenStream {
        let opened = field.filter(|field| rule.limit && field.is_optional());
        self.opened.replace(opened.map(|field| field.name.clone()));
        let function = self.function("rule", &rule.condition, Wanted::Truth);
        let call = self.call(&function, site);
        self.opened.take();
        let Some(field) = opened else { return call };
        let name = local(&field.name);
        let by_value = field.kind.scalar().map(|_| quote!(let #name = *#name;));
        quote! {
            (match #name.as_ref() {
                ::core::option::Option::Some(#name) => { #by_value #call }
                ::core::option::Option::None => ::core::option::Option::Some(true),
            })
        }
    }

    fn message(&self, rule: &Rule) -> TokenStream {
        let text = &rule.text;
        let names = placeholders(text);
        let values = names.iter().map(|name| {
            let value = if self.model.field(name).is_some() { local(name) } else { argument(name) };
            quote!(#name = #value)
        });
        quote!(::core::format_args!(#text #(, #values)*))
    }

    /// A field's number, or its first bytes, as an error shows it.
    fn show(&self, field: &Field<'_>) -> TokenStream {
        let rt = &self.rt;
        let bytes = match field.kind {
            Kind::Bytes { .. } => true,
            Kind::Array(item) => is_byte(item),
            _ => false,
        };
        if bytes && !field.is_optional() {
            let name = local(&field.name);
            return quote!(#rt::Show::bytes(::core::convert::AsRef::as_ref(&#name)));
        }
        let value = super::expr::wide(rt, field);
        let scalar = field.kind.scalar().filter(|_| !field.is_optional());
        match scalar.map(|scalar| scalar.numeric) {
            Some(Numeric::Unsigned) => quote!(#rt::Show::Uint(#value)),
            Some(Numeric::Signed) => quote!(#rt::Show::Int(#value)),
            _ => quote!(#rt::Show::Nothing),
        }
    }
}
