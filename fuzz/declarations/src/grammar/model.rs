//! A declaration as data, from which words and fields can be taken, and its text.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A declared type and all in it; the last one is the outermost.
#[derive(Clone, Debug, Default)]
pub struct Declaration {
    pub seed: u64,
    pub types: Vec<Type>,
}

/// One type.
#[derive(Clone, Debug)]
pub struct Type {
    pub name: String,
    pub words: Vec<String>,
    pub kind: Kind,
    /// Parameters of the function that makes a value: the arguments of the type.
    pub params: Vec<(String, String)>,
    /// Values of arguments that nobody passes.
    pub lets: Vec<String>,
    /// What stands for parts of the fields' types.
    pub generics: Vec<Generic>,
}

/// A parameter of a type, which has one argument wherever the type is used.
#[derive(Clone, Debug)]
pub struct Generic {
    /// The field whose type has the parameter.
    pub field: String,
    /// The part of that type, and what stands there in the declaration.
    pub part: String,
    pub with: String,
    /// The parameter as it is declared, such as `const N: usize`.
    pub declared: String,
    /// What it stands for.
    pub argument: String,
}

/// What `make` compares with tags that are numbers.
pub const NUMBER: &str = "n(kind)";

#[derive(Clone, Debug)]
pub enum Kind {
    Struct(Vec<Field>),
    Union {
        variants: Vec<Variant>,
        /// What `make` compares with the tags of the variants, of an enum with `tag`.
        tag: Option<&'static str>,
    },
    Numbers {
        repr: &'static str,
        names: Vec<(String, u64)>,
        /// Whether numbers that follow from the one before are left out.
        implicit: bool,
        /// Whether one name stands for several numbers.
        several: bool,
        other: bool,
    },
}

/// A field, and how a value of it is made: `@` stands for the lifetime of a type that borrows.
#[derive(Clone, Debug, Default)]
pub struct Field {
    pub name: String,
    /// The type of the value, without the `Option` of a field that may be absent.
    pub ty: String,
    pub words: Vec<String>,
    /// Words that make the field an `Option`.
    pub presence: Vec<String>,
    /// When a value is there.
    pub condition: String,
    /// The value.
    pub value: String,
    /// Whether the writer computes the field, so that nonsense in it changes nothing.
    pub junk: bool,
}

impl Field {
    /// A field with a value and no words.
    pub fn plain(name: &str, ty: &str, value: &str) -> Self {
        Self { name: name.into(), ty: ty.into(), value: value.into(), ..Self::default() }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Variant {
    pub name: String,
    pub ty: Option<String>,
    /// The type of the tag that the variant keeps.
    pub kept: Option<String>,
    pub words: Vec<String>,
    pub value: String,
    /// The tags, as a pattern.
    pub tags: String,
    /// The struct whose fields the variant holds in place of it.
    pub own: Option<Own>,
}

#[derive(Clone, Debug)]
pub struct Own {
    pub of: String,
    /// Whether the fields have no names.
    pub nameless: bool,
    /// A word of one of them that names what the variant keeps.
    pub of_kept: Option<(usize, String)>,
}

impl Declaration {
    /// The name of the outermost type.
    pub fn root(&self) -> &str {
        &self.types.last().expect("a type").name
    }

    /// How many types there are to it.
    pub fn len(&self) -> usize {
        self.reached().len()
    }

    /// The types that borrow.
    fn borrows(&self) -> BTreeSet<&str> {
        borrowing(&self.types)
    }
}

/// Those of some types that borrow.
pub(super) fn borrowing(types: &[Type]) -> BTreeSet<&str> {
    let mut all = BTreeSet::new();
    loop {
        let before = all.len();
        for ty in types {
            let borrowed = ty.named_types().iter().any(|text| {
                text.contains("'a") || all.iter().any(|name| text.contains(&format!("{name}@")))
            });
            if borrowed {
                all.insert(ty.name.as_str());
            }
        }
        if all.len() == before {
            return all;
        }
    }
}

impl Declaration {
    /// The types that the outermost one consists of.
    fn reached(&self) -> Vec<&Type> {
        let mut reached = vec![self.types.last().expect("a type")];
        let mut next = 0;
        while let Some(ty) = reached.get(next).copied() {
            next += 1;
            for other in &self.types {
                let named = format!("{}@", other.name);
                if ty.named_types().iter().any(|text| text.contains(&named))
                    && reached.iter().all(|known| known.name != other.name)
                {
                    reached.push(other);
                }
            }
        }
        let order = |ty: &&Type| self.types.iter().position(|other| other.name == ty.name);
        reached.sort_by_key(order);
        reached
    }

    /// A module with the types, the functions that make values, and one that runs the laws.
    pub fn render(&self, module: &str) -> String {
        let borrows = self.borrows();
        let mut out = String::from("use super::*;\n\n");
        for ty in self.reached() {
            ty.render(&mut out, &self.types);
        }
        let (root, seed) = (self.root(), self.seed);
        let (lifetime, more) = match borrows.contains(root) {
            true => ("<'static>", "borrowed"),
            false => ("", "updates"),
        };
        let _ = write!(
            out,
            "pub fn run(run: &mut Run) {{\n    \
             run.case::<{root}{lifetime}>(\"{module}\", {seed}, {root}::make, {more});\n}}\n"
        );
        // An argument may name a type that stands before.
        for ty in self.types.iter().rev() {
            let borrows = borrows.contains(ty.name.as_str());
            let (name, own) = (&ty.name, borrows.then_some("'a"));
            let declared = ty.list(own, |generic| &generic.declared);
            let (used, of_program) =
                (ty.arguments(own), ty.arguments(borrows.then_some("'static")));
            out = out.replace(&format!("{name}!"), &format!("{name}{declared}"));
            out = out.replace(&format!("impl {name}#"), &format!("impl {name}{of_program}"));
            out = out.replace(&format!("{name}@"), &format!("{name}{used}"));
        }
        out
    }

    /// How many words and fields there are.
    pub fn weight(&self) -> usize {
        self.reached().iter().map(|ty| ty.weight()).sum()
    }
}

impl Type {
    fn named_types(&self) -> Vec<&str> {
        match &self.kind {
            Kind::Struct(fields) => fields.iter().map(|field| field.ty.as_str()).collect(),
            Kind::Union { variants, .. } => {
                let types = variants.iter().flat_map(|one| one.kept.iter().chain(&one.ty));
                types.map(String::as_str).collect()
            }
            Kind::Numbers { .. } => Vec::new(),
        }
    }

    fn weight(&self) -> usize {
        let parts = match &self.kind {
            Kind::Struct(fields) => {
                fields.iter().map(|field| 2 + field.words.len() + field.presence.len()).sum()
            }
            Kind::Union { variants, .. } => {
                variants.iter().map(|variant| 2 + variant.words.len()).sum()
            }
            Kind::Numbers { names, .. } => names.len(),
        };
        3 + self.words.len() + parts
    }

    /// Whether some field is an array of such values.
    fn fills_an_array(&self, types: &[Self]) -> bool {
        let array = format!("[{}@; ", self.name);
        types.iter().flat_map(Self::named_types).any(|ty| ty.contains(&array))
    }

    /// The type of a field with the parameters in it.
    fn declared_type(&self, field: &Field) -> String {
        let own = self.generics.iter().filter(|generic| generic.field == field.name);
        own.fold(field.ty.clone(), |ty, generic| ty.replacen(&generic.part, &generic.with, 1))
    }

    fn arguments(&self, lifetime: Option<&str>) -> String {
        self.list(lifetime, |generic| &generic.argument)
    }

    /// A list of generic arguments, or of the parameters that they stand for.
    fn list(&self, lifetime: Option<&str>, part: impl Fn(&Generic) -> &str) -> String {
        let parts = lifetime.into_iter().chain(self.generics.iter().map(part));
        let list = parts.collect::<Vec<_>>().join(", ");
        if list.is_empty() { list } else { format!("<{list}>") }
    }

    fn render(&self, out: &mut String, types: &[Self]) {
        // Arguments are copied; what fills an array has a value to begin with.
        let copy = match &self.kind {
            Kind::Numbers { .. } => ", Copy",
            _ if self.fills_an_array(types) => ", Default",
            _ => "",
        };
        let _ = writeln!(out, "#[derive(BinFormat, Debug, Clone, PartialEq{copy})]");
        if let Kind::Numbers { repr, .. } = &self.kind {
            let _ = writeln!(out, "#[repr({repr})]");
        }
        words(out, "", &self.words);
        match &self.kind {
            Kind::Struct(fields) => {
                let _ = writeln!(out, "pub struct {}! {{", self.name);
                for field in fields {
                    let all =
                        field.presence.iter().chain(&field.words).cloned().collect::<Vec<_>>();
                    words(out, "    ", &all);
                    let ty = self.declared_type(field);
                    let ty = if field.presence.is_empty() { ty } else { format!("Option<{ty}>") };
                    let _ = writeln!(out, "    pub {}: {ty},", field.name);
                }
            }
            Kind::Union { variants, .. } => {
                let _ = writeln!(out, "pub enum {}@ {{", self.name);
                for variant in variants {
                    words(out, "    ", &variant.words);
                    if let Some(own) = &variant.own {
                        variant.render(out, own, types);
                        continue;
                    }
                    let parts: Vec<&str> =
                        variant.kept.iter().chain(&variant.ty).map(String::as_str).collect();
                    let holds = if parts.is_empty() {
                        String::new()
                    } else {
                        format!("({})", parts.join(", "))
                    };
                    let _ = writeln!(out, "    {}{holds},", variant.name);
                }
            }
            Kind::Numbers { names, other, repr, implicit, several } => {
                let _ = writeln!(out, "pub enum {} {{", self.name);
                let mut next = Some(0);
                for (name, number) in names {
                    let told = if *implicit && next == Some(*number) { None } else { Some(number) };
                    let told = told.map(|number| format!(" = {number}")).unwrap_or_default();
                    let _ = writeln!(out, "    {name}{told},");
                    next = Some(number + 1);
                }
                if *several {
                    let _ = writeln!(out, "    #[bin(id = 9..=12 | 100..)]\n    Several({repr}),");
                }
                if *other {
                    let _ = writeln!(out, "    #[bin(other)]\n    Other({repr}),");
                }
            }
        }
        let _ = writeln!(out, "}}\n");
        if let Kind::Struct(fields) = &self.kind {
            super::looks::render(out, &self.name, &self.words, fields);
        }
        self.make(out, types);
    }

    fn make(&self, out: &mut String, types: &[Self]) {
        let params: Vec<String> =
            self.params.iter().map(|(name, ty)| format!(", {name}: {ty}")).collect();
        let _ = writeln!(
            out,
            "impl {}# {{\n    pub fn make(g: &mut Make{}) -> Self {{",
            self.name,
            params.concat()
        );
        for line in &self.lets {
            let _ = writeln!(out, "        {line}");
        }
        match &self.kind {
            Kind::Struct(fields) => make_struct(out, fields, &self.words),
            Kind::Union { variants, tag } => make_union(out, variants, *tag, types),
            Kind::Numbers { names, other, repr, several, .. } => {
                if *several {
                    let _ = writeln!(
                        out,
                        "        if g.percent(30) {{ return Self::Several(g.range::<{repr}>(9, 12)); }}"
                    );
                }
                let names: Vec<String> =
                    names.iter().map(|(name, _)| format!("Self::{name}")).collect();
                if *other {
                    let _ = writeln!(
                        out,
                        "        if g.percent(30) {{ return Self::Other(g.num::<{repr}>()); }}"
                    );
                }
                let _ = writeln!(out, "        g.pick(&[{}])", names.join(", "));
            }
        }
        let _ = writeln!(out, "    }}\n}}\n");
    }
}

fn make_struct(out: &mut String, fields: &[Field], words: &[String]) {
    for field in fields {
        let ty = field.ty.replace("'a", "'static").replace('@', "%");
        if field.presence.is_empty() {
            let _ = writeln!(out, "        let {}: {} = {};", field.name, made(&ty), field.value);
        } else {
            let _ = writeln!(
                out,
                "        let {}: Option<{}> = if {} {{ Some({}) }} else {{ None }};",
                field.name,
                made(&ty),
                field.condition,
                field.value
            );
        }
    }
    let _ = writeln!(out, "        Self {{");
    for Field { name, junk, presence, .. } in fields {
        let junk = *junk && !is_kept(name, fields, words);
        let value = match (junk, presence.is_empty()) {
            (true, true) => format!("g.junk({name})"),
            (true, false) => format!("{name}.map(|number| g.junk(number))"),
            _ => name.clone(),
        };
        let _ = writeln!(out, "            {name}: {value},");
    }
    let _ = writeln!(out, "        }}");
}

/// Whether a number stays as it is where the field whose size it tells is absent: the condition of
/// that field, another field, a limit of the number or a word of the type depends on it.
fn is_kept(number: &str, fields: &[Field], words: &[String]) -> bool {
    let names = |words: &[String]| {
        let words = words.iter().flat_map(|word| word.split(|c: char| !c.is_alphanumeric()));
        words.into_iter().any(|word| word == number)
    };
    let users: Vec<&Field> = fields
        .iter()
        .filter(|field| field.name != number)
        .filter(|field| names(&field.words) || names(&field.presence))
        .collect();
    let optional = users.iter().any(|user| !user.presence.is_empty() && names(&user.words));
    let limited = |word: &String| word.starts_with("range") || word.starts_with("one_of");
    let mut own = fields.iter().filter(|field| field.name == number);
    optional
        && (users.len() > 1
            || users.iter().any(|user| names(&user.presence))
            || own.any(|own| own.words.iter().any(limited))
            || names(words))
}

impl Variant {
    /// The fields of a struct, as those of the variant.
    fn render(&self, out: &mut String, own: &Own, types: &[Type]) {
        let (open, close) = if own.nameless { ("(", ")") } else { (" {", "}") };
        let _ = writeln!(out, "    {}{open}", self.name);
        if let Some(kept) = &self.kept {
            let _ = writeln!(out, "        {kept},");
        }
        for (index, field) in fields_of(types, &own.of).iter().enumerate() {
            let of_kept = own.of_kept.iter().filter(|(of, _)| *of == index).map(|(_, word)| word);
            let all = field.presence.iter().chain(&field.words).chain(of_kept);
            let all = all.cloned().collect::<Vec<_>>();
            words(out, "        ", &all);
            let name = if own.nameless { String::new() } else { format!("{}: ", field.name) };
            let ty = &field.ty;
            let ty = if field.presence.is_empty() { ty.clone() } else { format!("Option<{ty}>") };
            let _ = writeln!(out, "        {name}{ty},");
        }
        let _ = writeln!(out, "    {close},");
    }

    /// How a value is made: of the struct, whose fields become those of the variant.
    fn made(&self, types: &[Type]) -> String {
        let Some(own) = &self.own else { return self.value.clone() };
        let begin = self.value.find(&format!("{}::make", own.of)).expect("the struct");
        let (before, held) = self.value.split_at(begin);
        let held = held.strip_suffix(')').expect("a value in parentheses");
        let fields = fields_of(types, &own.of);
        if own.nameless {
            let all: Vec<String> =
                fields.iter().map(|field| format!("held.{}", field.name)).collect();
            return format!("{{ let held = {held}; {before}{}) }}", all.join(", "));
        }
        let all: Vec<String> =
            fields.iter().map(|Field { name, .. }| format!("{name}: held.{name}")).collect();
        format!("{{ let held = {held}; Self::{} {{ {} }} }}", self.name, all.join(", "))
    }
}

fn fields_of<'t>(types: &'t [Type], name: &str) -> &'t [Field] {
    match types.iter().find(|ty| ty.name == name).map(|ty| &ty.kind) {
        Some(Kind::Struct(fields)) => fields,
        _ => panic!("no struct"),
    }
}

/// The type of a local variable: that of a declared type is left to be inferred.
fn made(ty: &str) -> &str {
    if ty.contains('%') { "_" } else { ty }
}

fn make_union(out: &mut String, variants: &[Variant], tag: Option<&'static str>, types: &[Type]) {
    if let Some(tag) = tag {
        if tag == NUMBER {
            let other = "if g.percent(3) { g.num() } else { kind }";
            let _ = writeln!(out, "        let kind = {other};");
        }
        let _ = writeln!(out, "        match {tag} {{");
        for variant in variants {
            let _ = writeln!(out, "            {} => {},", variant.tags, variant.made(types));
        }
        let first = variants.first().map_or(String::new(), |variant| variant.made(types));
        let _ = writeln!(
            out,
            "            #[allow(unreachable_patterns, reason = \"ids may name every tag\")]\n            _ => {first},\n        }}"
        );
        return;
    }
    let _ = writeln!(out, "        match g.variant({}) {{", variants.len());
    for (index, variant) in variants.iter().enumerate() {
        let pattern = if index + 1 == variants.len() { "_".into() } else { index.to_string() };
        let _ = writeln!(out, "            {pattern} => {},", variant.made(types));
    }
    let _ = writeln!(out, "        }}");
}

fn words(out: &mut String, indent: &str, words: &[String]) {
    if !words.is_empty() {
        let _ = writeln!(out, "{indent}#[bin({})]", words.join(", "));
    }
}

impl Declaration {
    /// The names of the types that the outermost one consists of.
    pub fn reached_names(&self) -> BTreeSet<String> {
        self.reached().into_iter().map(|ty| ty.name.clone()).collect()
    }

    /// The fields of a struct.
    pub fn fields(&mut self, index: usize) -> &mut Vec<Field> {
        match &mut self.types[index].kind {
            Kind::Struct(fields) => fields,
            _ => panic!("no struct"),
        }
    }
}
