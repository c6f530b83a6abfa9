use super::*;
use binfmt_tool::driver::Options;

const OPTIONS: Options = Options { decode: true, max_decoded: 1 << 20 };

fn corpus(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/pte");
    std::fs::read(folder.join(name)).unwrap()
}

fn kinds(items: &[Item<'_>]) -> Vec<String> {
    let name = |item: &Item<'_>| item.shown_name().chars().take(8).collect::<String>();
    items.iter().map(|item| format!("{} {}", item.kind, name(item))).collect()
}

#[test]
fn items_come_in_the_order_of_the_tables() {
    let file = corpus("mlp_xnnpack.pte");
    let items = PteDriver.list(&file, "x", &OPTIONS);
    let expected = [
        "segment ",
        "segment ",
        "segment ",
        "segment ",
        "segment ",
        "segment ",
        "named 0bcc2637",
        "named 27db7425",
        "named 7a7a0c8d",
        "named ef66d06e",
        "method forward",
        "delegate XnnpackB",
        "constant 0bcc2637",
        "constant 27db7425",
        "constant 7a7a0c8d",
        "constant ef66d06e",
        "tensor ",
        "tensor ",
    ];
    assert_eq!(kinds(&items), expected);
    let delegate = &items[11];
    assert_eq!((delegate.offset, delegate.stored_size), (1536, 1184));
    assert_eq!(delegate.column("segment"), "1");
    assert_eq!((delegate.payload)().unwrap(), &file[1536..1536 + 1184]);
    let nodes = delegate.details.iter().find(|(key, _)| *key == "nodes").unwrap();
    assert_eq!(nodes.1.to_string(), r#"["FullyConnected","FullyConnected"]"#);
    assert_eq!(
        (items[12].column("dtype"), items[12].column("shape")),
        ("fp32".into(), "[8,4]".into())
    );
    assert_eq!((items[12].payload)().unwrap(), (items[6].payload)().unwrap());
    // What is computed has no bytes to extract.
    assert!(!items[16].is_file && !items[10].is_file);
    assert_eq!(
        (items[16].column("dtype"), items[16].column("shape")),
        ("f32".into(), "[1,4]".into())
    );
}

#[test]
fn sizes_add_up_to_the_file() {
    for (name, expected) in [
        (
            "mlp_xnnpack.pte",
            r#"{"program":1448,"constants":0,"delegate":1184,"named":268,"padding":312}"#,
        ),
        ("mlp_et021_inline.pte", r#"{"program":2132,"constants":268,"padding":0}"#),
    ] {
        let file = corpus(name);
        let [(key, sizes)] = &PteDriver.totals(&file, &OPTIONS)[..] else { panic!("one sum") };
        let sum: u64 = sizes.as_object().unwrap().values().map(|size| size.as_u64().unwrap()).sum();
        assert_eq!((*key, sum), ("sizes", wide(file.len())), "{sizes}");
        let expected: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(sizes, &expected, "{name}");
    }
}

#[test]
fn constants_lie_in_segments_or_tables() {
    for (name, inside) in [("mlp.pte", 2176..2444), ("mlp_et021_inline.pte", 0..2400)] {
        let file = corpus(name);
        let items = PteDriver.list(&file, "x", &OPTIONS);
        let constants: Vec<_> =
            items.iter().filter(|item| item.column("location") == "constant").collect();
        assert_eq!(constants.len(), 4, "{name}");
        for item in constants {
            let bytes = (item.payload)().unwrap();
            assert_eq!(wide(bytes.len()), item.stored_size);
            assert!(inside.contains(&item.offset), "{name}");
            assert_eq!(offset_in(&file, &bytes), item.offset, "the bytes are borrowed");
        }
    }
}

#[test]
fn methods_tell_what_they_take_and_return() {
    let file = corpus("multi_method.pte");
    let items = PteDriver.list(&file, "x", &OPTIONS);
    let version = items.iter().find(|item| item.shown_name() == "get_version").unwrap();
    let outputs = version.details.iter().find(|(key, _)| *key == "outputs").unwrap();
    assert_eq!(outputs.1[0]["kind"], "int");
    assert!(outputs.1[0]["value"].is_number());
}

#[test]
fn either_magic_is_enough_to_be_recognised() {
    let mut file = corpus("mlp.pte");
    assert!(PteDriver.detect(&file) && !BpteDriver.detect(&file));
    file[4..8].fill(0);
    assert!(PteDriver.detect(&file));
    file[8..12].fill(0);
    assert!(!PteDriver.detect(&file));
    assert!(BpteDriver.detect(&corpus("mlp_bundled.bpte")));
}

#[test]
fn a_bundle_has_one_item() {
    let file = corpus("mlp_bundled.bpte");
    let items = BpteDriver.list(&file, "mlp", &OPTIONS);
    let [item] = items.as_slice() else { panic!("one item") };
    assert_eq!((item.kind.as_str(), item.file_name.as_str()), ("program", "mlp.pte"));
    assert_eq!((item.payload)().unwrap(), corpus("mlp.pte"));
    assert_eq!(BpteDriver.rewrite(&file, &OPTIONS), Ok(file.clone()));
}
