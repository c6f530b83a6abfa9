//! The stable codes of rules.

use syn::LitStr;
use syn::ext::IdentExt as _;

use crate::attr::Rule;
use crate::model::{Field, Model};

/// The codes of some rules, in their order: their own, or the name of what they are about.
pub(crate) fn rule_codes(
    model: &Model<'_>,
    field: Option<&Field<'_>>,
    rules: &[Rule],
) -> Vec<LitStr> {
    let base = code_base(model, field);
    let mut unnamed = 0_usize;
    let code = |rule: &Rule| {
        rule.code.clone().unwrap_or_else(|| {
            unnamed = unnamed.saturating_add(1);
            let code = if unnamed == 1 { base.clone() } else { format!("{base}.{unnamed}") };
            LitStr::new(&code, proc_macro2::Span::call_site())
        })
    };
    rules.iter().map(code).collect()
}

/// `Type.field` or `Type`, which the codes of rules begin with.
pub(crate) fn code_base(model: &Model<'_>, field: Option<&Field<'_>>) -> String {
    let ty = model.name();
    match field.filter(|_| !model.is_transparent()) {
        Some(field) => format!("{ty}.{}", field.name.unraw()),
        None => ty,
    }
}
