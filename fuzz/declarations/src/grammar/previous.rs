//! Arguments of items that follow from the item before.

use super::Gen;
use super::body::Body;

impl Gen<'_> {
    /// Gives the items of some sequences what the item before says.
    pub(super) fn previous(&mut self, body: &mut Body) {
        if !self.on("previous") {
            return;
        }
        let all = body.fields.iter().chain(&body.located);
        let tables: Vec<String> = all
            .flat_map(|field| &field.words)
            .filter_map(|word| word.strip_prefix("for_each = ").map(str::to_owned))
            .collect();
        for field in &mut body.fields {
            let lazy = field.ty.starts_with("Seq<'a, ");
            let item = match field.ty.strip_prefix("Seq<'a, ") {
                Some(item) => Some(item).filter(|_| self.on("linked")),
                None => field.ty.strip_prefix("Vec<"),
            };
            let item = item.and_then(|ty| ty.strip_suffix("@>"));
            let info = self.infos.iter().find(|info| Some(info.name.as_str()) == item);
            let sub = info.and_then(|info| info.subs.first().map(|(name, _)| name.clone()));
            let number = |(name, ty, _): &(String, &str, Option<String>)| {
                ty.starts_with('u').then(|| format!("{name} = "))
            };
            let arg = info.and_then(|info| info.args.iter().find_map(number));
            let (Some(sub), Some(arg)) = (sub, arg) else { continue };
            if tables.contains(&field.name) || self.rng.percent(40) {
                continue;
            }
            let given = arg.trim_end_matches(" = ");
            let next = match self.on("running sums") && self.keeps.percent(50) {
                true => format!("previous.{given} + previous.{sub}"),
                false => format!("previous.{sub}"),
            };
            let args = field.words.iter_mut().find(|word| word.starts_with("args("));
            if let Some(args) = args {
                *args = args.replacen(&arg, &format!("{arg}{next} or "), 1);
                if lazy {
                    field.ty = format!("Linked{}", field.ty);
                    field.value = field.value.replacen("Seq::from(", "LinkedSeq::from(", 1);
                }
            }
        }
    }
}
