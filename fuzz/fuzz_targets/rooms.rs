#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let target = binfmt_fuzz::targets::named("rooms").expect("the target is there");
    if let Err(broken) = (target.check)(bytes) {
        panic!("{broken}");
    }
});
