use binfmt_runtime::{BinFormat, Codec, CodecError, Encoded, Output};

#[derive(Clone, Copy)]
struct Cipher(u8);

impl Codec for Cipher {
    const NAME: &'static str = "Cipher";

    fn decode(&self, _: &[u8], _: &mut Output<'_>) -> Result<usize, CodecError> {
        Ok(0)
    }

    fn encode(&self, _: &[u8], _: &mut Vec<u8>) -> Result<(), CodecError> {
        Ok(())
    }
}

#[derive(BinFormat)]
struct Demo {
    #[bin(until_end)]
    body: Encoded<Cipher, Body>,
}

#[derive(BinFormat)]
struct Body {
    a: u8,
}

fn main() {}
