//! Arguments and lengths of the functions that read and write fields.

use super::Gen;
use super::body::Body;
use super::model::Field;

impl Gen<'_> {
    /// Has a function read bytes of a known length, with a key where there is one.
    pub(super) fn sealed(&mut self, body: &Body, length: &str, field: &mut Field) {
        let alone = field.words.len() == 1 && field.words[0].starts_with("len");
        if !alone || !self.on("by hand") || !self.hand.percent(35) {
            return;
        }
        let key = self.key(body);
        field.ty = "Vec<u8>".into();
        field.value = format!("{{ let len = {length}; g.bytes(len) }}");
        field.words.extend(["with = sealed".into(), format!("args({key})")]);
    }

    /// What is stored for a number, and the functions that convert it.
    pub(super) fn converted(
        &mut self,
        body: &Body,
    ) -> Option<(&'static str, String, &'static str)> {
        if !self.on("by hand") || !self.hand.percent(50) {
            return None;
        }
        let key = self.key(body);
        Some(("u16", format!("map(u16, opened, closed), args({key})"), "g.num()"))
    }

    /// A number that functions are given.
    fn key(&mut self, body: &Body) -> String {
        let unsigned = |ty: &str| ty.starts_with(['u', 'U']) || ty.starts_with("Leb");
        let vars: Vec<&str> = body
            .scope
            .iter()
            .filter(|var| unsigned(var.ty))
            .map(|var| var.both.lang.as_str())
            .collect();
        match self.hand.below(4) {
            0 => "0x5a".into(),
            _ if vars.is_empty() => "7 * 9".into(),
            1 => format!("{} >> 3", vars[self.hand.index(vars.len())]),
            _ => vars[self.hand.index(vars.len())].to_owned(),
        }
    }
}
