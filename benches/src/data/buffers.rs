//! Files with `FlatBuffers` buffers in them, made with the builder of the crate `flatbuffers`.

use flatbuffers::{FlatBufferBuilder, TableFinishedWIPOffset, VOffsetT, WIPOffset};

use super::{Numbers, pad, u32_of, u64_of};

type Builder = FlatBufferBuilder<'static>;
type Table = WIPOffset<TableFinishedWIPOffset>;

/// Where the vtable has a slot.
fn slot(slot: VOffsetT) -> VOffsetT {
    4 + 2 * slot
}

/// A table of what `fill` puts into it.
fn table(builder: &mut Builder, fill: impl FnOnce(&mut Builder)) -> Table {
    let start = builder.start_table();
    fill(builder);
    builder.end_table(start)
}

/// Segments of 16 bytes each, one behind the other.
fn segments(builder: &mut Builder, count: usize) -> Vec<Table> {
    let of = |index: usize| {
        table(builder, |builder| {
            builder.push_slot_always(slot(0), 16 * index as u64);
            builder.push_slot_always(slot(1), 16_u64);
        })
    };
    (0..count).map(of).collect()
}

/// A buffer with `header` inserted behind its first eight bytes, and the segments behind it.
fn around(buffer: &[u8], header: &[u8], segments: usize) -> Vec<u8> {
    let root = u32::from_le_bytes(buffer[..4].try_into().expect("a buffer has a root"));
    let mut file = u32_of(root as usize + header.len()).to_vec();
    file.extend(&buffer[4..8]);
    file.extend(header);
    file.extend(&buffer[8..]);
    pad(&mut file);
    pad(&mut file);
    file.resize(file.len().next_multiple_of(16), 0);
    file.resize(file.len() + 16 * segments, 1);
    file
}

/// An `ExecuTorch` program of `count` named segments and as many operators.
pub fn pte(count: usize) -> Vec<u8> {
    let builder = &mut Builder::new();
    let segments = segments(builder, count);
    let segments = builder.create_vector(&segments);
    let mut named = Vec::new();
    let mut operators = Vec::new();
    for index in 0..count {
        let key = builder.create_string(&format!("backbone.layer{index}.weight"));
        named.push(table(builder, |builder| {
            builder.push_slot_always(slot(0), key);
            // Numbers that are 0 are stored by no writer, and are then not there.
            builder.push_slot(slot(1), u32::try_from(index).expect("few segments"), 0);
        }));
        let name =
            builder.create_string(["aten::add", "aten::convolution", "aten::mul"][index % 3]);
        let overload = builder.create_string("out");
        operators.push(table(builder, |builder| {
            builder.push_slot_always(slot(0), name);
            builder.push_slot_always(slot(1), overload);
        }));
    }
    let named = builder.create_vector(&named);
    let operators = builder.create_vector(&operators);
    let name = builder.create_string("forward");
    let empty = builder.create_vector::<Table>(&[]);
    let zero = builder.create_vector(&[0_i64]);
    let none = builder.create_vector::<i32>(&[]);
    let chain = table(builder, |builder| builder.push_slot_always(slot(2), empty));
    let chains = builder.create_vector(&[chain]);
    let plan = table(builder, |builder| {
        builder.push_slot_always(slot(0), name);
        builder.push_slot_always(slot(2), empty);
        builder.push_slot_always(slot(3), none);
        builder.push_slot_always(slot(4), none);
        builder.push_slot_always(slot(5), chains);
        builder.push_slot_always(slot(6), operators);
        builder.push_slot_always(slot(7), empty);
        builder.push_slot_always(slot(8), zero);
    });
    let plans = builder.create_vector(&[plan]);
    let root = table(builder, |builder| {
        builder.push_slot_always(slot(1), plans);
        builder.push_slot_always(slot(4), segments);
        builder.push_slot_always(slot(7), named);
    });
    builder.finish(root, Some("ET12"));
    let buffer = builder.finished_data();
    let size = 32 + buffer.len();
    let header = [
        &b"eh00"[..],
        &u32_of(32),
        &u64_of(size),
        &u64_of(size.next_multiple_of(16)),
        &u64_of(16 * count),
    ];
    around(buffer, &header.concat(), count)
}

/// `ExecuTorch` tensor data: `count` tensors of four floats.
pub fn ptd(count: usize) -> Vec<u8> {
    let builder = &mut Builder::new();
    let segments = segments(builder, count);
    let segments = builder.create_vector(&segments);
    let mut named = Vec::new();
    for index in 0..count {
        let key = builder.create_string(&format!("backbone.layer{index:05}.weight"));
        let sizes = builder.create_vector(&[2_i32, 2]);
        let order = builder.create_vector(&[0_u8, 1]);
        let layout = table(builder, |builder| {
            builder.push_slot_always(slot(0), 6_i8);
            builder.push_slot_always(slot(1), sizes);
            builder.push_slot_always(slot(2), order);
        });
        named.push(table(builder, |builder| {
            builder.push_slot_always(slot(0), key);
            builder.push_slot(slot(1), u32::try_from(index).expect("few segments"), 0);
            builder.push_slot_always(slot(2), layout);
        }));
    }
    let named = builder.create_vector(&named);
    let root = table(builder, |builder| {
        builder.push_slot_always(slot(0), 0_u32);
        builder.push_slot_always(slot(1), segments);
        builder.push_slot_always(slot(2), named);
    });
    builder.finish(root, Some("FT01"));
    let buffer = builder.finished_data();
    let size = buffer.len();
    let header = [
        &b"FH01"[..],
        &u32_of(40),
        &u64_of(40),
        &u64_of(size),
        &u64_of((40 + size).next_multiple_of(16)),
        &u64_of(16 * count),
    ];
    around(buffer, &header.concat(), count)
}

/// An `RTen` model of `count` nodes, a multiple of three: values, constants and operators by turns.
pub fn rten(count: usize) -> Vec<u8> {
    let builder = &mut Builder::new();
    let mut numbers = Numbers(5);
    let mut nodes = Vec::new();
    for index in 0..count {
        let (kind, data) = match index % 3 {
            0 => (3_u8, value(builder, &mut numbers)),
            1 => (2, constant(builder, index)),
            _ => (1, operator(builder, index)),
        };
        let name = builder.create_string(&format!("model/layer.{index}/output"));
        nodes.push(table(builder, |builder| {
            builder.push_slot_always(slot(0), name);
            builder.push_slot_always(slot(1), kind);
            builder.push_slot_always(slot(2), data);
        }));
    }
    let nodes = builder.create_vector(&nodes);
    let inputs = builder.create_vector(&[0_u32]);
    let outputs = builder.create_vector(&[3_u32]);
    let graph = table(builder, |builder| {
        builder.push_slot_always(slot(0), nodes);
        builder.push_slot_always(slot(1), inputs);
        builder.push_slot_always(slot(2), outputs);
    });
    let root = table(builder, |builder| {
        builder.push_slot_always(slot(0), 1_i32);
        builder.push_slot_always(slot(1), graph);
    });
    builder.finish_minimal(root);
    let model = builder.finished_data();
    let mut file = b"RTEN".to_vec();
    file.extend(u32_of(2));
    file.extend(u64_of(32));
    file.extend(u64_of(model.len()));
    file.extend(u64_of((32 + model.len()).next_multiple_of(64)));
    file.extend(model);
    file.resize(file.len().next_multiple_of(64), 0);
    file.resize(file.len() + 64 * (count / 3), 1);
    file
}

fn value(builder: &mut Builder, numbers: &mut Numbers) -> Table {
    let dims: Vec<Table> = (0..=numbers.below(4))
        .map(|_| {
            let size = u32::try_from(1 + numbers.below(512)).expect("small");
            table(builder, |builder| builder.push_slot_always(slot(0), size))
        })
        .collect();
    let shape = builder.create_vector(&dims);
    table(builder, |builder| {
        builder.push_slot_always(slot(0), shape);
        builder.push_slot_always(slot(1), 1_u8);
    })
}

fn constant(builder: &mut Builder, index: usize) -> Table {
    let shape = builder.create_vector(&[4_u32, 4]);
    table(builder, |builder| {
        builder.push_slot_always(slot(0), shape);
        builder.push_slot_always(slot(4), 64 * (index / 3) as u64);
        builder.push_slot_always(slot(3), 1_u16);
    })
}

fn operator(builder: &mut Builder, index: usize) -> Table {
    // The constant before it, and the value before that.
    let of = |index: usize| i32::try_from(index).expect("few nodes");
    let inputs = builder.create_vector(&[of(index - 1), of(index - 1)]);
    let outputs = builder.create_vector(&[of(index - 2)]);
    table(builder, |builder| {
        builder.push_slot_always(slot(0), 43_u8);
        builder.push_slot_always(slot(3), inputs);
        builder.push_slot_always(slot(4), outputs);
    })
}
