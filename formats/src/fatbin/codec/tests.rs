use std::format;
use std::io::Write;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use super::{Codec, decode, decode_to};

const LIMIT: u64 = 1 << 28;
const STREAMS: [Codec; 4] = [Codec::Zlib, Codec::Lz4, Codec::Lz4Frame, Codec::Zstd];

fn text(len: usize) -> Vec<u8> {
    (0_u32..).flat_map(|line| format!("add.s32 %r{line}, %r1;\n").into_bytes()).take(len).collect()
}

fn encode(codec: Codec, bytes: &[u8]) -> Vec<u8> {
    match codec {
        Codec::None => bytes.to_vec(),
        Codec::Zlib => {
            let mut encoder =
                flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        Codec::Lz4 => lz4_flex::block::compress(bytes),
        Codec::Lz4Frame => {
            let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        Codec::Zstd => zstd_frame(bytes, false),
    }
}

/// A zstd frame; one with a checksum has no content size, since the length is not known ahead.
fn zstd_frame(bytes: &[u8], checksum: bool) -> Vec<u8> {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(checksum).unwrap();
    if !checksum {
        encoder.set_pledged_src_size(Some(bytes.len().try_into().unwrap())).unwrap();
    }
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn refusal(codec: Codec, stored: &[u8], decoded_len: u64) -> String {
    let error = decode(codec, stored, decoded_len, LIMIT).unwrap_err();
    assert_eq!(decode_to(codec, stored, decoded_len, LIMIT, &mut |_| ()), Err(error.clone()));
    error.to_string()
}

#[test]
fn every_codec_gives_the_bytes_back() {
    for codec in [Codec::None, Codec::Zlib, Codec::Lz4, Codec::Lz4Frame, Codec::Zstd] {
        for len in [0, 1, 5360, 128 * 1024, 1_000_000] {
            let bytes = text(len);
            let stored = encode(codec, &bytes);
            let decoded_len = len.try_into().unwrap();
            let decoded = decode(codec, &stored, decoded_len, LIMIT).unwrap();
            assert!(decoded == bytes, "{codec} {len}");
            assert!(decoded.capacity() == len, "{codec} {len}: {}", decoded.capacity());
            let mut pieces = Vec::new();
            decode_to(codec, &stored, decoded_len, LIMIT, &mut |piece| {
                pieces.extend_from_slice(piece);
            })
            .unwrap();
            assert!(pieces == bytes, "{codec} {len}");
        }
    }
}

#[test]
fn the_length_must_be_exact() {
    for codec in STREAMS {
        let stored = encode(codec, &text(5000));
        assert_eq!(
            refusal(codec, &stored, 5001),
            format!("the {codec} stream decodes to 5000 bytes, the header says 5001")
        );
        assert_eq!(
            refusal(codec, &stored, 4999),
            format!("the {codec} stream decodes to more than the 4999 bytes that the header says")
        );
    }
}

#[test]
fn the_limit_comes_first() {
    for codec in STREAMS {
        let error = decode(codec, &encode(codec, b"text"), 1 << 40, LIMIT).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the header claims 1099511627776 decoded bytes, the limit is 268435456"
        );
        assert!(decode(codec, &encode(codec, b"text"), 4, 4).is_ok());
    }
}

#[test]
fn every_truncation_is_refused() {
    for codec in STREAMS {
        let stored = encode(codec, &text(5000));
        for len in 0..stored.len() {
            refusal(codec, &stored[..len], 5000);
        }
        let told = refusal(codec, &stored[..stored.len() - 1], 5000);
        assert_eq!(told, format!("the {codec} stream is cut short"));
    }
}

#[test]
fn nothing_may_be_left_over() {
    for codec in [Codec::Zlib, Codec::Lz4Frame, Codec::Zstd] {
        let mut stored = encode(codec, &text(5000));
        stored.push(0);
        assert_eq!(
            refusal(codec, &stored, 5000),
            format!("1 byte is left after the {codec} stream")
        );
        stored.extend([0x28; 16]);
        assert_eq!(
            refusal(codec, &stored, 5000),
            format!("17 bytes are left after the {codec} stream")
        );
    }
    // A block has no end of its own, so what follows is taken for more of it.
    for junk in [&[0][..], &[0; 17], &[0xFF; 17], &[1; 3]] {
        let stored = [encode(Codec::Lz4, &text(5000)), junk.to_vec()].concat();
        refusal(Codec::Lz4, &stored, 5000);
    }
}

#[test]
fn garbage_is_refused() {
    for codec in STREAMS {
        for byte in 0..=255 {
            refusal(codec, &[byte; 100], 5000);
        }
    }
    assert_eq!(
        refusal(Codec::Zstd, b"garbage", 5000),
        "the zstd stream is damaged: it does not start with a frame"
    );
}

#[test]
fn whole_and_in_pieces_are_judged_alike() {
    let bytes = text(300_000);
    for checksum in [false, true] {
        let stored = zstd_frame(&bytes, checksum);
        assert_eq!(decode(Codec::Zstd, &stored, 300_000, LIMIT).unwrap(), bytes);
        for (len, what) in [(299_999, "more than the 299999 bytes"), (300_001, "300000 bytes")] {
            assert!(refusal(Codec::Zstd, &stored, len).contains(what), "{len}");
        }
        for len in (0..stored.len()).step_by(97).chain([stored.len() - 1]) {
            refusal(Codec::Zstd, &stored[..len], 300_000);
        }
        for at in (0..stored.len()).step_by(97) {
            let mut damaged = stored.clone();
            damaged[at] ^= 0x55;
            let whole = decode(Codec::Zstd, &damaged, 300_000, LIMIT);
            let mut pieces = Vec::new();
            let result = decode_to(Codec::Zstd, &damaged, 300_000, LIMIT, &mut |piece| {
                pieces.extend_from_slice(piece);
            });
            assert_eq!(whole, result.map(|()| pieces), "{at}");
        }
        let told = refusal(Codec::Zstd, &[&stored[..], &[0]].concat(), 300_000);
        assert_eq!(told, "1 byte is left after the zstd stream");
    }
}

#[test]
fn checksums_are_checked() {
    let bytes = text(5000);
    for (codec, mut stored) in
        [(Codec::Zlib, encode(Codec::Zlib, &bytes)), (Codec::Zstd, zstd_frame(&bytes, true))]
    {
        assert_eq!(decode(codec, &stored, 5000, LIMIT).unwrap(), bytes);
        *stored.last_mut().unwrap() ^= 1;
        let told = refusal(codec, &stored, 5000);
        assert!(told.starts_with(&format!("the {codec} stream is damaged: ")), "{told}");
    }
}

#[test]
fn several_zstd_frames_are_one_stream() {
    let bytes = text(5000);
    let skippable = [0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3];
    let stored = [
        skippable.to_vec(),
        zstd_frame(&bytes[..3000], false),
        skippable.to_vec(),
        zstd_frame(&bytes[3000..], true),
        skippable.to_vec(),
    ]
    .concat();
    assert_eq!(decode(Codec::Zstd, &stored, 5000, LIMIT).unwrap(), bytes);
    assert_eq!(
        refusal(Codec::Zstd, &stored, 3000),
        "the zstd stream decodes to more than the 3000 bytes that the header says"
    );
    assert_eq!(
        refusal(Codec::Zstd, &stored[..stored.len() - 2], 5000),
        "the zstd stream is cut short"
    );
}

#[test]
fn a_large_window_is_refused() {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
    encoder.window_log(28).unwrap();
    encoder.write_all(b"text").unwrap();
    let told = refusal(Codec::Zstd, &encoder.finish().unwrap(), 4);
    assert!(told.starts_with("the zstd stream is damaged: "), "{told}");
}

#[test]
fn a_bomb_stops_at_the_claimed_length() {
    let zeros = vec![0; 10 << 20];
    for codec in STREAMS {
        let mut passed_on = 0;
        let stored = encode(codec, &zeros);
        let result = decode_to(codec, &stored, 100, LIMIT, &mut |piece| passed_on += piece.len());
        let told = result.unwrap_err().to_string();
        assert!(told.contains("more than the 100 bytes"), "{told}");
        assert!(passed_on <= 100);
    }
}

#[test]
fn a_block_cannot_claim_more_than_it_can_hold() {
    let stored = encode(Codec::Lz4, &text(100));
    let told = refusal(Codec::Lz4, &stored, 200 << 20);
    assert!(
        told.starts_with("the header claims 209715200 decoded bytes, an lz4 payload"),
        "{told}"
    );
}

#[test]
fn a_claim_may_be_far_more_than_what_is_stored() {
    let zeros = vec![0; 10 << 20];
    for codec in STREAMS {
        let stored = encode(codec, &zeros);
        assert!(decode(codec, &stored, 10 << 20, 10 << 20).unwrap() == zeros, "{codec}");
        refusal(codec, &stored, (10 << 20) + 1);
    }
}
