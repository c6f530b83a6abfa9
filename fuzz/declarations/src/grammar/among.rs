//! Several located values in one room: places that are stored or not, that count from one another, from the end of
//! a section and by tables, of values that may be absent, shared, filled up or aligned.

use super::Gen;
use super::body::Body;
use super::model::Field;

/// The room, and what places in it count from.
struct Room {
    /// Whether the section grows downwards.
    is_down: bool,
    section: Option<String>,
    /// What stands beside each place.
    words: Vec<String>,
    /// A number whose bits say which values are there.
    flags: String,
    /// Numbers that are places of values.
    places: Vec<String>,
}

impl Gen<'_> {
    /// Adds some values to a type; what is drawn here is drawn apart.
    pub(super) fn among(&mut self, body: &mut Body) {
        if !self.on("values among others") || body.asks_for_rest() {
            return;
        }
        if !self.rng.percent(20) {
            return;
        }
        let mut room = self.room(body);
        for _ in 0..2 + self.below(3) {
            self.value_in(body, &mut room);
        }
        if self.rng.percent(40) {
            self.table_in(body, &room);
        }
    }

    fn room(&mut self, body: &mut Body) -> Room {
        // By this name such declarations are found.
        let flags = "there".to_owned();
        body.push(Field::plain(&flags, "u8", "g.num()"));
        let (mut section, mut words, mut is_down) = (None, Vec::new(), false);
        if self.rng.percent(50) {
            let (len, name) = (body.name(), body.name());
            let auto = self.rng.percent(70);
            let (ty, value) =
                if auto { ("Auto<u16>", "Auto::new()") } else { ("u16", "Num::of(g.small(20))") };
            body.push(Field::plain(&len, ty, value));
            let mut own = vec!["section".into(), format!("len = {len}")];
            is_down = self.rng.percent(20);
            if is_down {
                own.push("grow = down".into());
            }
            let bytes = "{ let len = g.small(20); g.bytes(len) }";
            body.push(Field { words: own, ..Field::plain(&name, "Vec<u8>", bytes) });
            words.push(format!("place = {name}"));
            if self.rng.percent(60) {
                words.push(format!("base = {name}"));
            }
            section = Some(name);
        }
        Room { is_down, section, words, flags, places: Vec::new() }
    }

    /// A value with its place.
    fn value_in(&mut self, body: &mut Body, room: &mut Room) {
        let (at, alone) = self.place_in(body, room);
        let mut field = self.value_at(body, &at);
        let beside =
            room.words.iter().filter(|word| !at.contains("len(") || word.starts_with("pl"));
        field.words.extend(beside.cloned());
        if at.contains("len(") {
            field.words.extend(room.section.iter().map(|name| format!("base = {name}")));
        }
        let bytes = field.ty.starts_with("Vec");
        if self.rng.percent(25) {
            let (mask, flags) = (1 << self.below(3), &room.flags);
            field.presence.push(format!("if = {flags} & {mask} == {mask}"));
            field.condition = format!("and(n({flags}), {mask}) == {mask}");
        } else if alone && self.rng.percent(20) {
            field.presence.push("null = 0".into());
            field.condition = "g.percent(60)".into();
        }
        if bytes && self.rng.percent(25) {
            field.words.push("shared".into());
        }
        if self.rng.percent(20) {
            // What grows downwards is placed by its size alone.
            let words = ["align_before = 2", "align_before = 4", "align_after = 2"];
            let words = if room.is_down { &words[..2] } else { &words };
            field.words.push((*self.rng.pick(words)).into());
        }
        body.located.push(field);
    }

    /// Where a value lies, and whether that is one number.
    fn place_in(&mut self, body: &mut Body, room: &mut Room) -> (String, bool) {
        let number = body.name();
        let from_end = room.section.clone().filter(|_| self.rng.percent(20));
        if let Some(section) = from_end {
            let (ty, value) = self.number_in(false);
            body.push(Field::plain(&number, ty, value));
            return (format!("len({section}) - {number}"), false);
        }
        let leads = !room.places.is_empty() && self.rng.percent(45);
        let (ty, value) = self.number_in(leads);
        body.push(Field::plain(&number, ty, value));
        if leads {
            let place = &room.places[self.rng.index(room.places.len())];
            return (format!("{place} + {number}"), false);
        }
        room.places.push(number.clone());
        (number, true)
    }

    /// The number of a place: half of them are not in the struct.
    fn number_in(&mut self, distance: bool) -> (&'static str, &'static str) {
        let autos = ["Auto<u8>", "Auto<u16>", "Auto<Leb128<u16>>"];
        if self.rng.percent(50) {
            return (self.pick(&autos), "Auto::new()");
        }
        let ty = if distance { "u8" } else { self.pick(&["u8", "u16", "Leb128<u16>"]) };
        (ty, "if g.percent(50) { Num::of(0) } else { Num::of(g.small(40)) }")
    }

    fn value_at(&mut self, body: &mut Body, at: &str) -> Field {
        let (name, len) = (body.name(), body.name());
        let bytes = "{ let len = g.small(6); g.bytes(len) }";
        let mut words = vec![format!("at = {at}")];
        let (ty, value) = match self.below(6) {
            0 => ("u8", "g.num()"),
            1 => ("u16", "g.num()"),
            2 => {
                words.push("prefix = u8".into());
                ("Vec<u8>", bytes)
            }
            form => {
                let (ty, own) =
                    self.pick(&[("Auto<u8>", "Auto::new()"), ("u8", "g.small(9) as u8")]);
                // What is filled up keeps its length.
                let trims = form == 3;
                let (ty, own) = if trims { ("u8", "g.small(12) as u8") } else { (ty, own) };
                body.push(Field::plain(&len, ty, own));
                words.push(format!("len = {len}"));
                if trims {
                    words.push(format!("trim = {}", self.pick(&["0", "b' '"])));
                }
                ("Vec<u8>", bytes)
            }
        };
        Field { words, ..Field::plain(&name, ty, value) }
    }

    /// A table of places, and a value at each.
    fn table_in(&mut self, body: &mut Body, room: &Room) {
        let (table, values) = (body.name(), body.name());
        let offsets = "{ let len = g.small(4); g.vec(len, |g| if g.percent(60) { 0 } else { g.small(40) as u8 }) }";
        let words = vec!["prefix = u8".into()];
        body.push(Field { words, ..Field::plain(&table, "Vec<u8>", offsets) });
        let from = room.places.get(self.rng.index(room.places.len().max(1)));
        let led = from.filter(|_| self.rng.percent(50));
        let at = led.map_or("it".into(), |from| format!("{from} + it"));
        let mut words =
            vec![format!("for_each = {table}"), format!("at = {at}"), "prefix = u8".into()];
        words.extend(room.words.iter().cloned());
        if self.rng.percent(30) {
            words.push("shared".into());
        }
        let bytes = "{ let len = g.small(5); g.bytes(len) }";
        let (mut ty, mut one) = ("Vec<Vec<u8>>", bytes.to_owned());
        if led.is_none() && self.rng.percent(30) {
            words.push("null = 0".into());
            (ty, one) = (
                "Vec<Option<Vec<u8>>>",
                format!("if g.percent(60) {{ Some({bytes}) }} else {{ None }}"),
            );
        }
        let value = format!("g.each(&{table}, |g, _| {one})");
        body.located.push(Field { words, ..Field::plain(&values, ty, &value) });
    }
}
