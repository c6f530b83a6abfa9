//! The time that a declaration takes to expand grows with its fields, and not with their square.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use syn::DeriveInput;

/// Declarations that grow: what stands in `«»` is there once for every number `N`.
const GROWING: &[&str] = &[
    "#[bin(little)] struct D { «aN: u16,» }",
    "#[bin(little)] struct D { «#[bin(check(aN > 3, \"no\"), align_after = 4, level(padding = note))] aN: u16,» }",
    "#[bin(little)] struct D { «nN: Auto<u8>, #[bin(len = nN)] bN: Vec<u8>,» }",
    "#[bin(little)] struct D { «hN: Head, #[bin(if = hN.kind == 2, args(kind = hN.kind))] bN: Option<Body>,» }",
    "#[bin(little)] struct D { «aN: Auto<u32>, #[bin(at = aN)] bN: Body,» }",
    "#[bin(little)] struct D { n: u8, #[bin(section, len = n)] s: Vec<u8>, «oN: Auto<u8>, #[bin(at = oN, place = s)] bN: Body,» }",
    "#[bin(little)] struct D { «#[bin(calc = len(bN) + 1)] cN: u16, #[bin(until = last == 0)] bN: Vec<u16>,» }",
    "#[bin(little)] struct D { «#[bin(prefix = u8)] tN: Vec<Entry>, #[bin(for_each = tN, at = it.at, set(it.kind = value.kind))] vN: Vec<Body>,» }",
    "#[bin(little)] struct D { «bN: Body,» #[bin(checksum(Crc32, over = b0..=b9))] s: u32 }",
    "#[bin(little)] struct D { «nN: u8, #[bin(set(count = nN))] bN: Body,» }",
    "#[bin(little)] struct D { «fN: u8, #[bin(flag = fN & 1)] bN: Option<Body>,» }",
    "#[bin(little, let(«lN = aN * 2,»))] struct D { «aN: u8, #[bin(count = lN)] bN: Vec<u16>,» }",
    "#[bin(little, «computed(cN: u32 = aN + 1),»)] struct D { «aN: u8,» }",
    "#[bin(little, «check(aN > 3, \"no\"),»)] struct D { «#[bin(one_of = [1, 2], range = 0..8)] aN: u8,» }",
    "#[bin(little, args(kind: u16 = 0), tag = kind)] enum D { «#[bin(id = N)] VN(Body),» }",
    "#[bin(little, args(kind: u16 = 0, v: u8 = 0), tag = kind)] enum D { «#[bin(id = N if v > N)] VN(Body),» #[bin(id = 999)] V(Body) }",
    "#[bin(little)] enum D { «#[bin(magic = Nu32)] VN(Body),» V(Body) }",
    "#[bin(little, probe)] enum D { «VN(BodyN),» }",
    "#[bin(little)] #[repr(u32)] enum D { «AN = N,» }",
    "#[bin(flatbuffer)] struct D { «#[bin(slot = N)] aN: u32,» }",
];

/// How long it takes to expand a declaration so many times that has so many of what grows.
fn time(text: &str, times: usize, count: usize) -> Duration {
    let part = |(place, part): (usize, &str)| match place % 2 {
        0 => part.to_owned(),
        _ => (0..count).map(|n| part.replace('N', &n.to_string()) + " ").collect(),
    };
    let input: String = text.split(['«', '»']).enumerate().map(part).collect();
    let input: DeriveInput = syn::parse_str(&input).expect(text);
    let start = clock();
    for _ in 0..times {
        let expansion = crate::expand::expand(&input).to_string();
        assert!(!expansion.contains("compile_error"), "{text}: {expansion:.500}");
    }
    clock().saturating_sub(start)
}

/// The time that this thread has run, so that others on the machine do not count; where the system
/// does not tell, the time that has passed.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = told.and_then(|text| text.split(' ').next()?.parse().ok());
    ran.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

#[test]
fn four_times_the_fields_take_hardly_more_than_four_times_as_long() {
    // The clock may go in steps of some milliseconds.
    let step = Duration::from_millis(12);
    for text in GROWING {
        // Others on the machine take caches away, but not three times just while there are many fields.
        let mut tries = (0..3).map(|_| (time(text, 8, 40), time(text, 2, 160)));
        let fits = tries.any(|(few, many)| many < few * 2 + step);
        assert!(fits, "{text}: 2 of 160 take more than twice as long as 8 of 40");
    }
}
