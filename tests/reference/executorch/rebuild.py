"""Programs with other tables, made by the builder that the reference generates from its schema."""

import struct

import flatbuffers
from executorch.exir._serialize import _flatbuffer_program as reference
from executorch.exir._serialize.generated.executorch_flatbuffer.Program import ProgramT

HEADER = struct.Struct("<4sIQQQ")
ALIGN = 128


def rebuilt(path, change):
    """A program of the corpus after `change(program)`, in which None is absent."""
    with open(path, "rb") as file:
        data = file.read()
    segments = b""
    if data[8:12] == b"eh00":
        _, _, size, base, _ = HEADER.unpack_from(data, 8)
        root = struct.unpack_from("<I", data)[0] - 32
        buffer = struct.pack("<I", root) + data[4:8] + data[40:size]
        segments = data[base:]
    else:
        buffer = data
    reference._patch_generated_flatbuffer_aliases()
    reference._install_fast_packers()
    reference._set_pack_alignments(16, 16)
    program = ProgramT.InitFromPackedBuf(buffer, 0)
    change(program)
    builder = flatbuffers.Builder()
    # What lies in the buffer is aligned to 16 bytes, and the header keeps that.
    builder.minalign = 16
    builder.Finish(program.Pack(builder), file_identifier=b"ET12")
    buffer = bytes(builder.Output())
    if not segments:
        return buffer
    size = len(buffer) + 32
    base = -(-size // ALIGN) * ALIGN
    root = struct.unpack_from("<I", buffer)[0] + 32
    header = HEADER.pack(b"eh00", 32, size, base, len(segments))
    head = struct.pack("<I", root) + b"ET12" + header
    return head + buffer[8:] + bytes(base - size) + segments
