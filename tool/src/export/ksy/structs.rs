//! Structs: a sequence, perhaps with a body of its own, and what lies elsewhere.

use binfmt_runtime::{FieldLayout, Layout};
use serde_json::{Map, Value, json};

use super::super::constants::Order;
use super::super::expr::Expr;
use super::Ksy;
use super::fields::{At, items};
use super::located;
use super::say::{Known, Said, Scope, declared};
use super::types::{Ty, id, key, type_id};
use crate::words::{Words, parts};

/// A struct that is being described.
pub(super) struct Struct {
    pub(super) layout: &'static Layout,
    pub(super) said: Said,
    /// What names mean in the type, and in its body.
    pub(super) outer: Scope,
    pub(super) inner: Scope,
    seq: Vec<Value>,
    body: Option<Vec<Value>>,
    pub(super) instances: Map<String, Value>,
    /// Whether where the value begins is needed.
    pub(super) begin: bool,
    pub(super) order: Option<Order>,
    /// Whether the body is what has the byte order that the magic tells.
    is_ordered: bool,
    /// Whether nothing follows the field that is described.
    open: bool,
}

/// Describes a struct.
pub(super) fn declare(ksy: &mut Ksy, layout: &'static Layout) {
    let words = Words::of(layout.words);
    let mut strukt = Struct::new(layout, &words);
    strukt.magic(&words);
    let whole = strukt.sequence(ksy, &words);
    strukt.end(ksy, &words, whole);
}

impl Struct {
    fn new(layout: &'static Layout, words: &Words<'_>) -> Self {
        let args = words.get("args").map(declared).unwrap_or_default();
        let args = args.into_iter().map(|(name, (ty, _))| (name, ty)).collect();
        let abbreviation = |text: &str| {
            let (name, value) = text.split_once('=')?;
            Some((name.trim().to_owned(), Expr::parse(value)?))
        };
        let lets = parts(words.get("let").unwrap_or_default(), ',');
        let lets = lets.into_iter().filter_map(abbreviation).collect();
        // What is left is known where a region has an end: in a body, or in the whole file.
        let outer = Scope { args, lets, remaining: true, ..Scope::default() };
        let inner = Scope { around: "_parent.".to_owned(), ..outer.clone() };
        Self {
            layout,
            said: Said::default(),
            outer,
            inner,
            seq: Vec::new(),
            body: None,
            instances: Map::new(),
            begin: words.has("len") || words.has("align_after") || words.has("origin"),
            order: Order::of(words),
            is_ordered: false,
            open: false,
        }
    }

    fn magic(&mut self, words: &Words<'_>) {
        let kept = self
            .layout
            .fields
            .first()
            .is_some_and(|field| Words::of(field.words).get("magic") == Some(""));
        let magics: Vec<_> = self.layout.magics().collect();
        match magics.as_slice() {
            _ if kept => {}
            [] => {}
            [magic] => self.seq.push(json!({"id": "magic", "contents": magic.to_vec()})),
            several => {
                let size = several.first().map_or(0, |magic| magic.len());
                let any: Vec<_> =
                    several.iter().map(|magic| Value::from(format!("{magic:?}"))).collect();
                self.seq.push(json!({"id": "magic", "size": size, "valid": {"any-of": any}}));
            }
        }
        if words.get("endian") == Some("magic") && !kept {
            self.begin_ordered();
        }
    }

    /// Describes the fields one behind the other; whether all of them could be.
    fn sequence(&mut self, ksy: &mut Ksy, words: &Words<'_>) -> bool {
        let len = words.get("len");
        let in_sequence = |field: &&FieldLayout| !Words::of(field.words).has("at");
        let last = self.layout.fields.iter().rfind(in_sequence).map(|field| field.name);
        for field in self.layout.fields.iter().filter(in_sequence) {
            self.begin_body(ksy, len, false);
            self.open = last == Some(field.name);
            let own = Words::of(field.words);
            if let Err(why) = self.field(ksy, field) {
                let place = format!("{}.{}", self.layout.full_name(), field.name);
                ksy.leave_out(&place, &why);
                let scope = if self.body.is_some() { &self.inner } else { &self.outer };
                let is_plain = own
                    .first(&["if", "flag", "since", "before", "optional", "pad_to", "align_after"])
                    .is_none();
                let own_len = own.get("len").filter(|_| is_plain);
                let own_len = own_len.and_then(|len| self.said.say(ksy, scope, len, "s8").ok());
                match field.size.filter(|_| is_plain).map(Value::from).or(own_len.map(Value::from))
                {
                    Some(size) => {
                        // Its bytes are there, and what follows is where it is.
                        let item = json!({"id": id(field.name), "size": size, "doc": why});
                        self.push(item);
                    }
                    None => {
                        let all = self.layout.fields.iter();
                        let behind = all.skip_while(|other| other.name != field.name).skip(1);
                        let behind = behind.filter(|field| !Words::of(field.words).has("at"));
                        for field in behind {
                            let place = format!("{}.{}", self.layout.full_name(), field.name);
                            ksy.leave_out(&place, "it lies behind what cannot be said");
                        }
                        self.begin_body(ksy, len, true);
                        return false;
                    }
                }
            }
        }
        self.begin_body(ksy, len, true);
        true
    }

    fn push(&mut self, item: Value) {
        self.body.as_mut().unwrap_or(&mut self.seq).push(item);
    }

    fn field(&mut self, ksy: &mut Ksy, field: &'static FieldLayout) -> Result<(), String> {
        let in_body = self.body.is_some();
        let words = Words::of(field.words);
        let aligns = words.first(&["align_before", "align_after"]).is_some();
        self.begin |= aligns;
        let scope = if in_body { self.inner.clone() } else { self.outer.clone() };
        let position =
            if in_body { "(_io.pos + _parent.bin_body)" } else { "(_io.pos - bin_begin)" };
        let at = At {
            layout: self.layout,
            field,
            scope: &scope,
            position,
            order: self.order,
            open: self.open,
        };
        let list = if Words::of(field.words).has("for_each") {
            vec![located::beside(ksy, self, field, &scope)?]
        } else {
            items(ksy, &mut self.said, &at)?
        };
        let is_bounded = words.first(&["len", "prefix"]).is_some() || in_body && !self.is_ordered;
        if !is_bounded && field.nested.is_some_and(|nested| ksy.broken.contains(key(nested()))) {
            ksy.broken.insert(key(self.layout));
        }
        for item in list {
            self.push(item.into());
        }
        self.know(field, in_body);
        if words.get("magic") == Some("")
            && Words::of(self.layout.words).get("endian") == Some("magic")
        {
            self.begin_ordered();
        }
        Ok(())
    }

    /// Begins what has the byte order that the magic tells: a type of its own, for the order of a type
    /// must be known before the type begins.
    fn begin_ordered(&mut self) {
        let ty = format!("{}_body", type_id(self.layout));
        self.seq.push(json!({"id": "body", "type": ty}));
        self.body = Some(Vec::new());
        self.is_ordered = true;
    }

    /// Lets later expressions name a field.
    fn know(&mut self, field: &'static FieldLayout, in_body: bool) {
        let name = id(field.name);
        let nested = field.nested.map(|nested| nested());
        let ty = Ty::of(&self.layout.type_of(field));
        let known = |path: String| Known { path, ty: ty.clone(), nested };
        let (outer, inner) = if in_body {
            (format!("body.{name}"), name)
        } else {
            (name.clone(), format!("_parent.{name}"))
        };
        self.outer.fields.insert(field.name.to_owned(), known(outer));
        self.inner.fields.insert(field.name.to_owned(), known(inner));
    }

    /// Begins the body where the length of the value is known, or in any case.
    fn begin_body(&mut self, ksy: &mut Ksy, len: Option<&str>, anyhow: bool) {
        let Some(len) = len.filter(|_| self.body.is_none()) else { return };
        let names = Expr::parse(len)
            .map(|expr| expr.names().iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        let fields = |name: &String| {
            self.layout.fields.iter().all(|field| field.name != name)
                || self.outer.fields.contains_key(name)
        };
        let is_known = names.is_some_and(|names| names.iter().all(fields));
        if !is_known && !anyhow {
            return;
        }
        match self.said.say(ksy, &self.outer, len, "s8") {
            Ok(len) => {
                let ty = format!("{}_body", type_id(self.layout));
                self.instances
                    .insert("bin_body".to_owned(), json!({"value": "_io.pos - bin_begin"}));
                self.seq.push(json!({"id": "bin_body_begins", "size": 0, "if": "bin_body >= 0"}));
                self.seq
                    .push(json!({"id": "body", "type": ty, "size": format!("{len} - bin_body")}));
                self.body = Some(Vec::new());
            }
            Err(why) => {
                if anyhow {
                    ksy.leave_out(&self.layout.full_name(), &format!("its length: {why}"));
                    ksy.broken.insert(key(self.layout));
                }
            }
        }
    }

    fn end(mut self, ksy: &mut Ksy, words: &Words<'_>, whole: bool) {
        let behind = |field: &FieldLayout| {
            let own = Words::of(field.words);
            own.has("at") && !own.has("place") && own.get("base") != Some("file")
        };
        // What lies at an offset belongs to the value, which ends behind it.
        let has_places = self.layout.fields.iter().any(behind);
        if (has_places || !whole) && (self.body.is_none() || self.is_ordered) {
            ksy.broken.insert(key(self.layout));
        }
        if let Some(to) = words.get("align_after").filter(|_| whole || self.body.is_some()) {
            self.padding(ksy, to);
        }
        self.places(ksy);
        if let Some(computed) = words.get("computed") {
            let name = computed.split(':').next().unwrap_or_default();
            let place = format!("{}.{name}", self.layout.full_name());
            ksy.leave_out(&place, "what is computed is not in the file");
        }
        if self.begin {
            self.instances.insert("bin_begin".to_owned(), json!({"value": "_io.pos"}));
            self.seq.insert(0, json!({"id": "bin_begins", "size": 0, "if": "bin_begin >= 0"}));
        }
        let mut ty = Map::new();
        ty.insert("seq".to_owned(), self.seq.into());
        if !self.instances.is_empty() {
            ty.insert("instances".to_owned(), self.instances.into());
        }
        if let Some(body) = self.body {
            let magic = || Ksy::endian_of_magic(self.layout);
            let endian = if self.is_ordered { magic() } else { Ksy::endian(self.layout) };
            let mut inner = Map::new();
            if let Some(endian) = endian {
                inner.insert("meta".to_owned(), json!({"endian": endian}));
            }
            inner.insert("seq".to_owned(), body.into());
            ksy.types.insert(format!("{}_body", type_id(self.layout)), inner.into());
        }
        ksy.add(self.layout, ty, self.said.needs);
    }

    /// What fills the value up to a multiple.
    fn padding(&mut self, ksy: &mut Ksy, to: &str) {
        match self.said.say(ksy, &self.outer, to, "s8") {
            Ok(to) => {
                let size = format!("({to} - (_io.pos - bin_begin) % {to}) % {to}");
                self.seq.push(json!({"id": "padding", "size": size}));
            }
            Err(why) => {
                ksy.leave_out(&self.layout.full_name(), &why);
                ksy.broken.insert(key(self.layout));
            }
        }
    }

    /// The fields at offsets.
    fn places(&mut self, ksy: &mut Ksy) {
        for field in self.layout.fields.iter().filter(|it| Words::of(it.words).has("at")) {
            match located::located(ksy, self, field) {
                Ok(instance) => drop(self.instances.insert(id(field.name), instance.into())),
                Err(why) => {
                    ksy.leave_out(&format!("{}.{}", self.layout.full_name(), field.name), &why);
                }
            }
        }
    }
}
