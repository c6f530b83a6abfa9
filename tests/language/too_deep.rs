//! Values within values: what a reader does not go down to is not written either.

use binfmt_runtime::{Auto, BinFormat, DefaultArgs, Encoded, Seq, Xor};

/// A value that nests so deeply, and the bytes of it.
trait Nests: BinFormat<'static> + DefaultArgs<'static> {
    /// A value around another one, or around nothing.
    fn around(inner: Option<Self>) -> Self;

    /// The same as bytes.
    fn bytes_around(inner: Option<Vec<u8>>) -> Vec<u8>;
}

/// A writer takes what a reader takes, and no more, however it writes.
fn goes_as_deep_as_a_reader<T: Nests>() {
    let (mut value, mut bytes, mut refused) = (None, None, 0);
    for _ in 0..80 {
        let next = T::around(value.take());
        let own = T::bytes_around(bytes.take());
        let file: &'static [u8] = own.clone().leak();
        let readable = T::is_valid(file);
        let (mut streamed, mut slice) = (Vec::new(), vec![0; own.len() + 1]);
        match next.to_vec() {
            Ok(written) => {
                assert!(readable, "{} bytes are written and not read", own.len());
                assert_eq!(written, own);
                next.write_to(&mut streamed).unwrap();
                assert_eq!(streamed, own);
                assert_eq!(next.write_into(&mut slice).unwrap(), own.len());
                assert_eq!(next.encoded_len().unwrap(), written.len() as u64);
            }
            Err(error) => {
                assert!(!readable, "{} bytes are read and not written: {error}", own.len());
                assert_eq!(error.finding().code, "depth");
                assert!(next.write_to(&mut streamed).is_err());
                assert!(next.write_into(&mut slice).is_err());
                assert!(next.encoded_len().is_err());
                refused += 1;
            }
        }
        (value, bytes) = (Some(next), Some(own));
    }
    assert!(refused > 10, "{refused} of 80 are refused");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Counted {
    #[bin(prefix = u8)]
    kids: Vec<Self>,
}

impl Nests for Counted {
    fn around(inner: Option<Self>) -> Self {
        Self { kids: inner.into_iter().collect() }
    }

    fn bytes_around(inner: Option<Vec<u8>>) -> Vec<u8> {
        let mut all = vec![u8::from(inner.is_some())];
        all.extend(inner.unwrap_or_default());
        all
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Boxed {
    there: u8,
    #[bin(if = there != 0)]
    kid: Option<Box<Self>>,
}

impl Nests for Boxed {
    fn around(inner: Option<Self>) -> Self {
        Self { there: u8::from(inner.is_some()), kid: inner.map(Box::new) }
    }

    fn bytes_around(inner: Option<Vec<u8>>) -> Vec<u8> {
        Counted::bytes_around(inner)
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
enum Shape {
    #[bin(magic = b"\0")]
    Nothing,
    #[bin(magic = b"\x01")]
    Box(Box<Self>),
}

impl Nests for Shape {
    fn around(inner: Option<Self>) -> Self {
        inner.map_or(Self::Nothing, |inner| Self::Box(Box::new(inner)))
    }

    fn bytes_around(inner: Option<Vec<u8>>) -> Vec<u8> {
        Counted::bytes_around(inner)
    }
}

/// Items up to one that says so.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Until {
    last: u8,
    #[bin(prefix = u8)]
    kids: UntilLast,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct UntilLast {
    #[bin(until = last.last == 1 || remaining == 0)]
    kids: Vec<Until>,
}

fn prefixed(first: &[u8], inner: Option<Vec<u8>>) -> Vec<u8> {
    let inner = inner.unwrap_or_default();
    let mut all = first.to_vec();
    all.push(u8::try_from(inner.len()).unwrap());
    all.extend(inner);
    all
}

impl Nests for Until {
    fn around(inner: Option<Self>) -> Self {
        Self { last: 1, kids: UntilLast { kids: inner.into_iter().collect() } }
    }

    fn bytes_around(inner: Option<Vec<u8>>) -> Vec<u8> {
        prefixed(&[1], inner)
    }
}

/// Items in front of a constant.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(magic = b"(")]
struct Before {
    #[bin(until = peek(b")"))]
    kids: Vec<Self>,
    #[bin(magic = b")")]
    end: (),
}

impl Nests for Before {
    fn around(inner: Option<Self>) -> Self {
        Self { kids: inner.into_iter().collect(), end: () }
    }

    fn bytes_around(inner: Option<Vec<u8>>) -> Vec<u8> {
        let mut all = vec![b'('];
        all.extend(inner.unwrap_or_default());
        all.push(b')');
        all
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(before: u8))]
struct Linked {
    code: u8,
    count: Auto<u8>,
    #[bin(count = count, args(before = previous.code or before))]
    kids: Vec<Self>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Chain {
    #[bin(args(before = 7))]
    chain: Linked,
}

impl Nests for Chain {
    fn around(inner: Option<Self>) -> Self {
        let kids = inner.map(|inner| inner.chain).into_iter().collect();
        Self { chain: Linked { code: 9, count: Auto::new(), kids } }
    }

    fn bytes_around(inner: Option<Vec<u8>>) -> Vec<u8> {
        let mut all = vec![9];
        all.extend(Counted::bytes_around(inner));
        all
    }
}

/// Lazy items, which a validator goes down to.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Lazily<'a> {
    #[bin(prefix = u8)]
    kids: Seq<'a, Lazy>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Lazy {
    #[bin(prefix = u8)]
    kids: Vec<Self>,
}

/// Values in coded bytes.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Coded {
    there: u8,
    #[bin(if = there != 0, prefix = u8, codec = Xor(0))]
    kid: Option<Encoded<Xor, Box<Self>>>,
}

impl Nests for Coded {
    fn around(inner: Option<Self>) -> Self {
        let there = u8::from(inner.is_some());
        Self { there, kid: inner.map(|inner| Encoded::new(Box::new(inner))) }
    }

    fn bytes_around(inner: Option<Vec<u8>>) -> Vec<u8> {
        match inner {
            None => vec![0],
            inner => prefixed(&[1], inner),
        }
    }
}

/// Values beside the items of a table, and at their offsets.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Beside {
    count: Auto<u8>,
    #[bin(count = count)]
    sizes: Vec<u8>,
    #[bin(for_each = sizes, len = it)]
    kids: Vec<Self>,
}

impl Nests for Beside {
    fn around(inner: Option<Self>) -> Self {
        let kids: Vec<Self> = inner.into_iter().collect();
        Self { count: Auto::new(), sizes: vec![0; kids.len()], kids }
    }

    fn bytes_around(inner: Option<Vec<u8>>) -> Vec<u8> {
        match inner {
            None => vec![0],
            inner => prefixed(&[1], inner),
        }
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(origin)]
struct Located {
    count: Auto<u8>,
    #[bin(count = count)]
    places: Vec<u8>,
    #[bin(for_each = places, at = it)]
    kids: Vec<Self>,
}

impl Nests for Located {
    fn around(inner: Option<Self>) -> Self {
        let kids: Vec<Self> = inner.into_iter().collect();
        Self { count: Auto::new(), places: vec![0; kids.len()], kids }
    }

    fn bytes_around(inner: Option<Vec<u8>>) -> Vec<u8> {
        let Some(inner) = inner else { return vec![0] };
        let mut all = vec![1, 2];
        all.extend(inner);
        all
    }
}

/// Links that lie in a section around all of them.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Around {
    first_at: u16,
    #[bin(section = open, len = remaining)]
    data: Vec<u8>,
    #[bin(at = first_at, place = data)]
    first: Link,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Link {
    next_at: u16,
    #[bin(at = next_at, null = 0, place = around)]
    next: Option<Box<Self>>,
}

impl Nests for Around {
    fn around(inner: Option<Self>) -> Self {
        let next = inner.map(|inner| Box::new(inner.first));
        Self { first_at: 0, data: Vec::new(), first: Link { next_at: 0, next } }
    }

    fn bytes_around(inner: Option<Vec<u8>>) -> Vec<u8> {
        let links = inner.map_or(0, |inner| inner.len() / 2 - 1);
        let places = (0..links).map(|link| 2 * u16::try_from(link).unwrap() + 4);
        let all = [2].into_iter().chain(places).chain([0]);
        all.flat_map(u16::to_le_bytes).collect()
    }
}

#[test]
fn a_writer_goes_as_deep_as_a_reader() {
    goes_as_deep_as_a_reader::<Counted>();
    goes_as_deep_as_a_reader::<Boxed>();
    goes_as_deep_as_a_reader::<Shape>();
    goes_as_deep_as_a_reader::<Until>();
    goes_as_deep_as_a_reader::<Before>();
    goes_as_deep_as_a_reader::<Chain>();
    goes_as_deep_as_a_reader::<Coded>();
    goes_as_deep_as_a_reader::<Beside>();
    goes_as_deep_as_a_reader::<Located>();
    goes_as_deep_as_a_reader::<Around>();
}

#[test]
fn lazy_items_are_written_as_deep_as_a_validator_goes() {
    for depth in 0..80 {
        let lazy = |depth| {
            (0..depth).fold(Lazy { kids: Vec::new() }, |inner, _| Lazy { kids: vec![inner] })
        };
        let items: &'static [Lazy] = vec![lazy(depth)].leak();
        let value = Lazily { kids: Seq::from(items) };
        let mut own = vec![1; depth + 1];
        own.push(0);
        let readable = Lazily::is_valid(own.leak());
        assert_eq!(value.to_vec().is_ok(), readable, "{depth}");
    }
}

/// What only code nests does not overflow the stack: the writer stops where the reader would.
#[test]
fn what_nests_for_ever_is_refused() {
    let mut value = Counted { kids: Vec::new() };
    for _ in 0..20_000 {
        value = Counted { kids: vec![value] };
    }
    assert_eq!(value.to_vec().unwrap_err().finding().code, "depth");
    // A value that nests so deeply cannot be dropped as it is, either.
    while let Some(kid) = value.kids.pop() {
        value = kid;
    }
}
