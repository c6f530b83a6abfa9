//! `check`, `error`, `warn`, `note`: one expression, one text, one code.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::{Ident, LitStr};

use super::{Emitter, Site, argument, local, text, unraw};
use crate::attr::{Rule, RuleKind};
use crate::model::{Field, Kind, Scalar, is_byte};
use crate::steps::{What, rule_codes};
use crate::tokens::respanned;

/// What the runtime calls such rules.
pub(super) fn function(kind: RuleKind) -> Ident {
    let name = match kind {
        RuleKind::Check => "check",
        RuleKind::Error => "error",
        RuleKind::Warn => "warn",
        RuleKind::Note => "note",
    };
    Ident::new(name, Span::call_site())
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
    /// The rules of the type.
    pub(crate) fn type_rules(&self) -> TokenStream {
        let steps = self.lowered.all().iter().filter(|step| step.field.is_none());
        let rules = steps.filter_map(|step| match &step.what {
            What::Rule(code, rule) => Some(self.read_rules(None, &[(code, rule)])),
            What::Computed(number) => Some(self.read_computed(*number)),
            _ => None,
        });
        rules.collect()
    }

    /// Rules of a field, once it has been read, or of the type, once all fields have: those that stop
    /// nobody are looked at by recorders alone.
    pub(crate) fn read_rules(
        &self,
        field: Option<(usize, &Field<'_>)>,
        rules: &[(&LitStr, &Rule)],
    ) -> TokenStream {
        let stops = |rule: &Rule| rule.kind == RuleKind::Check;
        let runs = rules.chunk_by(|(_, a), (_, b)| stops(a) == stops(b)).map(|run| {
            let each = run.iter().map(|(code, rule)| self.read_rule(field, rule, code));
            match run {
                [(_, rule), ..] if !stops(rule) => quote!(if __O::RECORD { #(#each)* }),
                _ => quote!(#(#each)*),
            }
        });
        runs.collect()
    }

    /// One of them.
    fn read_rule(
        &self,
        field: Option<(usize, &Field<'_>)>,
        rule: &Rule,
        code: &LitStr,
    ) -> TokenStream {
        let call = self.holds(field.map(|(_, field)| field), rule, Site::Walk);
        let rt = &self.rt;
        let what = self.message(rule, Site::Walk);
        // A text that shows the value itself need not be followed by it.
        let names_in_text = |field: &Field<'_>| rule.names_in_text().contains(&field.name);
        let found = match field {
            Some((_, field)) if !names_in_text(field) => self.show(field),
            _ => None,
        };
        let found =
            found.map_or_else(|| quote!(#rt::Found::Nothing), |shown| quote!(#rt::found(#shown)));
        let stops = rule.kind == RuleKind::Check;
        if let Some(place) = field.and_then(|(index, _)| self.place_of_rule(index, rule)) {
            let question = stops.then(|| quote!(?));
            if is_constant(rule) {
                let method = if stops { quote!(check) } else { quote!(weigh) };
                return quote! {
                    let __rule = #call;
                    __spans.#method(__obs, #place, __rule, #found) #question;
                };
            }
            let method = if stops { quote!(check_as) } else { quote!(weigh_as) };
            return quote! {
                let __rule = #call;
                let __text = #what;
                __spans.#method(__obs, #place, __rule, #found, __text) #question;
            };
        }
        let about = self.about(field.map(|(index, _)| index), rule);
        let severity = severity(rt, rule.kind);
        if stops {
            return quote!(#rt::walk::check(__obs, #call, #about, #code, #what, #found)?;);
        }
        quote!(#rt::walk::weigh(__obs, #call, #about, (#code, #severity), #what, #found);)
    }

    /// The field of a rule, and which of its rules it is, where the layout has it.
    fn place_of_rule(&self, field: usize, rule: &Rule) -> Option<TokenStream> {
        if self.model.is_transparent() {
            return None;
        }
        let steps = self.lowered.of(field).iter();
        let mut rules = steps.filter(|step| matches!(step.what, What::Rule(..) | What::Items(_)));
        let number = rules.position(
            |step| matches!(step.what, What::Rule(_, other) if std::ptr::eq(other, rule)),
        )?;
        let [field, number] = [field, number].map(Literal::usize_unsuffixed);
        Some(quote!((#field, #number)))
    }

    /// What a rule is about: its field, or the first that it names.
    fn about(&self, field: Option<usize>, rule: &Rule) -> TokenStream {
        let rt = &self.rt;
        let named = || {
            let names = rule.condition.names();
            names.into_iter().find_map(|name| self.model.field(name)).map(|(index, _)| index)
        };
        match field.or_else(named) {
            // A value around one other has no field to name.
            Some(about) if self.model.is_transparent() => quote!(__spans.only(#about)),
            Some(about) => quote!(__spans.about(#about)),
            None if self.model.is_table() => {
                quote!(#rt::walk::About::value(__table.range().0, __table.range().1))
            }
            None => quote!(#rt::walk::About::value(__start, __cur.pos())),
        }
    }

    /// The rules that stop a writer before it writes, all of them about what begins at `__start`.
    pub(crate) fn write_rules(&self, field: Option<&Field<'_>>, rules: &[Rule]) -> TokenStream {
        let all = 0..rules.len();
        all.map(|index| self.write_rule(field, rules, index, &quote!(__start))).collect()
    }

    /// A rule that stops a writer; what it speaks of is written at `at`.
    pub(crate) fn write_rule(
        &self,
        field: Option<&Field<'_>>,
        rules: &[Rule],
        number: usize,
        at: &TokenStream,
    ) -> TokenStream {
        let rt = &self.rt;
        let place = || {
            let (index, _) = self.model.field(&field?.name)?;
            self.place_of_rule(index, rules.get(number)?)
        };
        let Some(place) = place() else {
            return self.stopping_rule(
                field,
                rules,
                number,
                &|name, code, what| quote!(#rt::write::broken(__out, #name, #at, #code, #what)),
            );
        };
        let (Some((call, _, _, what)), Some(rule)) =
            (self.stops(field, rules, number), rules.get(number))
        else {
            return TokenStream::new();
        };
        // What a rule asks for is known where it is looked at.
        let is_known = |field: &&Field<'_>| {
            let name = &field.name;
            rule.condition.names().contains(&name) && !rule.names_in_text().contains(name)
        };
        let found = field.filter(is_known).and_then(|field| self.show(field));
        // A text with values is made where it is needed; one without is a constant.
        let write = match (is_constant(rule), &found) {
            (true, None) => quote!(#rt::write::rule(__out, __wire, #place, #at, __rule)?;),
            (true, Some(found)) => {
                quote!(#rt::write::shown_rule(__out, __wire, #place, #at, __rule, #found)?;)
            }
            (false, found) => {
                let found = found.clone().unwrap_or_else(|| quote!(()));
                return quote! {
                    if #call != __rt::Some(true) {
                        let __text = #what;
                        #rt::write::unless_left(__out, __wire, #place, #at, __text, #found)?;
                    }
                };
            }
        };
        quote!(let __rule = #call; #write)
    }

    /// A rule of a table that is built.
    pub(super) fn built_rule(
        &self,
        field: Option<&Field<'_>>,
        rules: &[Rule],
        number: usize,
    ) -> TokenStream {
        let rt = &self.rt;
        let place = || {
            let (index, _) = self.model.field(&field?.name)?;
            let rule = rules.get(number).filter(|rule| is_constant(rule))?;
            self.place_of_rule(index, rule)
        };
        match (place(), self.stops(field, rules, number)) {
            (Some(place), Some((call, ..))) => {
                quote!(let __rule = #call; __out.rule::<Self>(#place, __rule)?;)
            }
            _ => self.stopping_rule(
                field,
                rules,
                number,
                &|name, code, what| quote!(#rt::flat::broken_rule(#name, #code, #what)),
            ),
        }
    }

    /// Whether a rule that stops writers holds, with the name of its field, its code and its text.
    fn stops(
        &self,
        field: Option<&Field<'_>>,
        rules: &[Rule],
        index: usize,
    ) -> Option<(TokenStream, LitStr, LitStr, TokenStream)> {
        let rule = rules.get(index)?;
        if !rule.kind.stops_writers() {
            return None;
        }
        let code = rule_codes(self.model, field, rules).into_iter().nth(index)?;
        let call = self.holds(field, rule, Site::Write);
        let what = self.message(rule, Site::Write);
        let name = field.map_or_else(|| text(""), |field| text(&field.label));
        Some((call, name, code, what))
    }

    /// A rule that stops `__out`, a writer of any kind; `broken` makes the error of its field, code and
    /// text.
    pub(super) fn stopping_rule(
        &self,
        field: Option<&Field<'_>>,
        rules: &[Rule],
        index: usize,
        broken: &dyn Fn(&LitStr, &LitStr, &TokenStream) -> TokenStream,
    ) -> TokenStream {
        let Some((call, name, code, what)) = self.stops(field, rules, index) else {
            return TokenStream::new();
        };
        let broken = broken(&name, &code, &what);
        quote! {
            if #call != __rt::Some(true) && __out.checks() {
                return __rt::Err(#broken);
            }
        }
    }

    /// Whether a rule holds, as `Option<bool>`; a limit holds for a field that is not there.
    fn holds(&self, field: Option<&Field<'_>>, rule: &Rule, site: Site) -> TokenStream {
        let opened = field.filter(|field| rule.limit && field.is_optional());
        self.opened.replace(opened.map(|field| field.name.clone()));
        let call = self.condition("rule", &rule.condition, site);
        self.opened.take();
        let Some(field) = opened else { return call };
        let name = local(&field.name);
        let by_value = field.kind.scalar().map(|_| quote!(let #name = *#name;));
        quote! {
            (match #name.as_ref() {
                __rt::Some(#name) => { #by_value #call }
                __rt::None => __rt::Some(true),
            })
        }
    }

    fn message(&self, rule: &Rule, site: Site) -> TokenStream {
        let (text, names) = (&rule.text, rule.names_in_text());
        // What cannot be shown as the text says is told there.
        let span = Span::call_site().located_at(text.span());
        let values = names.iter().map(|name| {
            let value = match (self.model.computed(name), self.model.field(name)) {
                (Some(computed), _) => self.computed_text(computed, site),
                (None, Some((_, field))) => self.shown(field, rule, site),
                (None, None) => self.shown_argument(name, rule),
            };
            let (value, name) = (respanned(value, span), Ident::new(&unraw(name), name.span()));
            quote!(#name = #value)
        });
        quote!(::core::format_args!(#text #(, #values)*))
    }

    /// A field in a text, by reference where a writer has one, so that a mistake is the same for both.
    fn shown(&self, field: &Field<'_>, rule: &Rule, site: Site) -> TokenStream {
        let (rt, name) = (&self.rt, local(&field.name));
        let scalar = field.kind.scalar().is_some() && !field.is_optional();
        let value = if scalar || site == Site::Write { quote!(#name) } else { quote!(&#name) };
        // What a range ends with is a number, though it may have a name or be absent.
        match (rule.limit, field.is_optional(), field.kind) {
            (true, true, _) if field.integer_inside().is_some() => quote!(#rt::ops::Known(*#value)),
            (true, false, Kind::Nested) => quote!(#rt::ops::Widen::widen(#value)),
            _ => value,
        }
    }

    /// An argument in a text.
    fn shown_argument(&self, name: &Ident, rule: &Rule) -> TokenStream {
        let (rt, argument) = (&self.rt, argument(name));
        let mut parameters = self.model.parameters().iter();
        let kind = parameters.find(|one| one.name == *name).map(|one| Kind::of(&one.ty));
        match (rule.limit, kind) {
            (true, Some(Kind::Nested)) => quote!(#rt::ops::Widen::widen(&#argument)),
            _ => argument.into_token_stream(),
        }
    }

    /// A field's number, or its first bytes, as an error shows it.
    fn show(&self, field: &Field<'_>) -> Option<TokenStream> {
        let (rt, name) = (&self.rt, local(&field.name));
        let bytes = match field.kind {
            Kind::Bytes { .. } => true,
            Kind::Array(item) => is_byte(item),
            _ => false,
        };
        let number = is_number(field);
        Some(match field.is_optional() {
            false if bytes => quote!(::core::convert::AsRef::<[u8]>::as_ref(&#name)),
            false if number => quote!(#rt::Shown(#name)),
            true if number => quote!(#name.map(#rt::Shown)),
            _ => return None,
        })
    }
}

fn is_number(field: &Field<'_>) -> bool {
    field.kind.scalar().is_some_and(Scalar::is_int)
}

/// Whether the text of a rule is what the layout says, without values and braces.
fn is_constant(rule: &Rule) -> bool {
    rule.names_in_text().is_empty() && !rule.text.value().contains(['{', '}'])
}
