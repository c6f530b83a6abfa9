//! Values at offsets in units of the value, values that lie behind others, and coded ones there.

use super::Gen;
use super::body::Body;
use super::model::Field;

impl Gen<'_> {
    /// Has the places of some single values be told in units, and others count from them.
    pub(super) fn led(&mut self, body: &mut Body) {
        if !self.on("led") {
            return;
        }
        for index in 0..body.located.len() {
            let Some(place) = Place::of(&body.located[index]) else { continue };
            let Some(offset) = body.fields.iter().find(|field| field.name == place.offset) else {
                continue;
            };
            // What is not in the struct does not stay as it is where the unit is 0.
            let plain = !offset.ty.starts_with("Auto");
            if place.is_alone && plain {
                self.items_behind(body, index, &place.offset);
            }
            if place.is_alone && plain && self.leads.percent(30) {
                self.in_units(body, index, &place.offset);
            }
            if self.leads.percent(20) {
                self.behind(body, index);
            }
            if self.leads.percent(50) {
                self.coded_there(&mut body.located[index]);
            }
        }
    }

    /// The values of a table count from the place of a single value beside them.
    fn items_behind(&mut self, body: &mut Body, from: usize, offset: &str) {
        if !self.on("behind lengths") || !self.makes.percent(50) {
            return;
        }
        let beside = |field: &Field| -> Vec<String> {
            let words = field.words.iter();
            words
                .filter(|word| word.starts_with("place") || word.starts_with("base"))
                .cloned()
                .collect()
        };
        let own = beside(&body.located[from]);
        let is_table = |field: &&mut Field| {
            field.words.iter().any(|word| word == "at = it.at")
                && !field.words.iter().any(|word| word.starts_with("null"))
                && beside(field) == own
        };
        let Some(table) = body.located.iter_mut().find(is_table) else { return };
        if let Some(at) = table.words.iter_mut().find(|word| *word == "at = it.at") {
            let units = self.on("units behind") && self.tells.percent(50);
            let forms = ["it.at * 3", "1 + it.at * 4", "(it.at - 1) * 2"];
            let own = if units { *self.tells.pick(&forms) } else { "it.at" };
            *at = format!("at = {offset} + {own}");
        }
    }

    /// The offset of a value counts in units that a field in front of it tells.
    fn in_units(&mut self, body: &mut Body, index: usize, offset: &str) {
        let unit = body.name();
        let forms = ["N * U", "(N - 1) * U", "N * (1 << U % 4)", "3 + U * N"];
        let form = self.leads.pick(&forms).replace('N', offset).replace('U', &unit);
        let own = body.fields.iter().position(|field| field.name == offset).unwrap_or_default();
        body.fields.insert(
            own,
            Field {
                name: unit,
                ty: "u8".into(),
                value: "g.small(9) as u8".into(),
                ..Field::default()
            },
        );
        if let Some(at) =
            body.located[index].words.iter_mut().find(|word| word.starts_with("at = "))
        {
            *at = format!("at = {form}");
        }
    }

    /// Another value lies so far behind the place of one.
    fn behind(&mut self, body: &mut Body, index: usize) {
        let words = body.located[index].words.clone();
        let Some(at) = words.iter().find_map(|word| word.strip_prefix("at = ")) else { return };
        let far = *self.leads.pick(&[2, 9, 30, 60]);
        let forms = [format!("{at} + {far}"), format!("align_up({at} + {far}, 4)")];
        let mut own = vec![format!("at = {}", self.leads.pick(&forms))];
        let is_name = |len: &&str| len.starts_with('f') && !len.contains(' ');
        let len = words.iter().find_map(|word| word.strip_prefix("len = ").filter(is_name));
        if let Some(len) = len.filter(|_| self.on("behind lengths"))
            && self.makes.percent(70)
        {
            own = vec![format!("at = {at} + {len}")];
        }
        if self.on("units behind") && self.tells.percent(40) {
            let number = body.name();
            let forms = [format!("{at} + {number} * 4"), format!("{at} + 2 + {number} * 3")];
            own = vec![format!("at = {}", self.tells.pick(&forms))];
            let value = "g.num()".into();
            body.fields.push(Field { name: number, ty: "u8".into(), value, ..Field::default() });
        }
        if let Some(at) = self.in_front(body, index) {
            own = vec![at];
        }
        let beside = |word: &&String| word.starts_with("place") || word.starts_with("base");
        own.extend(words.iter().filter(beside).cloned());
        let name = body.name();
        let ty = (*self.leads.pick(&["u8", "u16"])).to_owned();
        body.located.push(Field {
            name,
            ty,
            words: own,
            value: "g.num()".into(),
            ..Field::default()
        });
    }

    /// The place of a value at a distance that may be below 0, from one whose offset nothing else uses: that is a
    /// signed number then.
    fn in_front(&mut self, body: &mut Body, index: usize) -> Option<String> {
        let place = Place::of(&body.located[index]).filter(|place| place.is_alone)?;
        if !self.on("distances below zero") || !self.forms.percent(60) {
            return None;
        }
        let has = |word: &String| {
            word.split(|c: char| !c.is_ascii_alphanumeric()).any(|name| name == place.offset)
        };
        let uses = |field: &Field| field.words.iter().chain(&field.presence).any(has);
        let all = body.fields.iter().chain(&body.located);
        if all.filter(|field| uses(field)).count() != 1 {
            return None;
        }
        let number = body.name();
        let offset = body.fields.iter_mut().find(|field| field.name == place.offset)?;
        offset.ty = match &*offset.ty {
            "u8" | "u16" => "i16".into(),
            "u32" => "i32".into(),
            _ => return None,
        };
        let value = "g.small(40).min(40) as i16 - 20".into();
        let ty = "i16".into();
        body.fields.push(Field { name: number.clone(), ty, value, ..Field::default() });
        Some(format!("at = {} + {number}", place.offset))
    }

    /// Puts a value that owns what it holds into coded bytes.
    fn coded_there(&mut self, field: &mut Field) {
        let info = self.infos.iter().find(|info| field.ty == format!("{}@", info.name)).cloned();
        let known = ["args", "prefix", "len", "until", "set", "checksum", "codec", "shared"];
        let plain = |word: &String| known.iter().all(|known| !word.starts_with(known));
        if !info.is_some_and(|info| self.owns(&info)) || !field.words.iter().all(plain) {
            return;
        }
        field.words.extend(["prefix = u16".into(), "codec = Xor(0x21)".into()]);
        if self.leads.percent(50) {
            field.words.push("shared".into());
        }
        field.ty = format!("Encoded<Xor, {}>", field.ty);
        field.value = format!("Encoded::new({})", field.value);
    }
}

/// Where a single value lies that is always there.
struct Place {
    /// The field that tells its offset.
    offset: String,
    /// Whether that is the offset itself.
    is_alone: bool,
}

impl Place {
    fn of(field: &Field) -> Option<Self> {
        let single = field.words.iter().all(|word| !word.starts_with("for_each") && word != "view");
        let at = field.words.iter().find_map(|word| word.strip_prefix("at = "))?;
        let offset =
            at.split(|c: char| !c.is_ascii_alphanumeric()).find(|part| part.starts_with('f'))?;
        let (offset, is_alone) = (offset.to_owned(), offset == at);
        (single && field.presence.is_empty()).then_some(Self { offset, is_alone })
    }
}
