//! Places that a value of another type tells: `set(at = start(body))` beside `at = header.at`.

use super::Gen;
use super::body::{Body, names};
use super::model::Field;

impl Gen<'_> {
    /// Puts numbers that nothing but one place names into a header of their own.
    pub(super) fn headers(&mut self, body: &mut Body, words: &[String]) {
        if !self.on("headers") {
            return;
        }
        for index in 0..body.located.len() {
            let Some((number, told)) = told(body, index, words) else { continue };
            if !self.tells.percent(60) {
                continue;
            }
            let Field { name, ty, value, .. } = &mut body.fields[number];
            let header = if ty == "u32" { "Header32" } else { "Header16" };
            *value = format!("{header} {{ before: g.num(), at: {value} }}");
            *ty = header.to_owned();
            // Some count in units.
            let unit = [1, 2, 4][index % 3];
            let (at, told) = match unit {
                1 => (format!("at = {name}.at"), told),
                _ if told.starts_with("if ") => (format!("at = {name}.at"), told),
                _ => (format!("at = {name}.at * {unit}"), format!("({told}) / {unit}")),
            };
            body.fields[number].words.push(format!("set(at = {told})"));
            let own = body.located[index].words.iter_mut().find(|word| word.starts_with("at = "));
            own.into_iter().for_each(|word| word.clone_from(&at));
        }
    }
}

/// The number that tells the place of a single value, and what it is told.
fn told(body: &Body, index: usize, words: &[String]) -> Option<(usize, String)> {
    let field = &body.located[index];
    let word = |word: &str| field.words.iter().find_map(|own| own.strip_prefix(word));
    let offset = word("at = ")?;
    let is_plain = |one: &Field| {
        one.name == offset
            && (one.ty == "u16" || one.ty == "u32")
            && one.words.is_empty()
            && one.presence.is_empty()
    };
    let number = body.fields.iter().position(is_plain)?;
    let uses = |one: &Field| {
        let words = one.words.iter().chain(&one.presence);
        words.filter(|word| names(word, offset)).count()
            + usize::from(names(&one.condition, offset))
    };
    let all = body.fields.iter().chain(&body.located);
    let used =
        all.map(uses).sum::<usize>() + words.iter().filter(|word| names(word, offset)).count();
    let single = field.words.iter().all(|word| !word.starts_with("for_each") && word != "view");
    if used != 1 || !single {
        return None;
    }
    let start = match word("base = ") {
        None => format!("start({})", field.name),
        Some(base) if base.starts_with('f') && base != "file" => {
            format!("start({}) - start({base})", field.name)
        }
        Some(_) => return None,
    };
    match field.presence.as_slice() {
        [] => Some((number, start)),
        [null] => {
            let null = null.strip_prefix("null = ")?;
            let told = format!("if {}.is_some() {{ {start} }} else {{ {null} }}", field.name);
            Some((number, told))
        }
        _ => None,
    }
}
