//! The rules of tensor data that words cannot express.

binfmt_runtime::rule_table! {
    /// The rules of tensor data that are checked by hand.
    pub const RULES;
    ".ptd file format, Headers" {
        SCHEMA: warning "ptd.ptd.tables.schema", "the tables have the schema of ExecuTorch 0.6: later runtimes load the file, list its keys and then fail at each of them";
        HEADER_PADDING: warning "ptd.ptd.tables.padding", "the padding of the header is not zero; no runtime looks at it";
        DATA_SIZE_WRAP: error "ptd.ptd.segment-data-size.overflow", "the segments end nowhere: the runtime loads the file and fails at every key";
        DATA_SIZE_MAX: error "ptd.ptd.segment-data-size.max", "the header promises more bytes of segments than the file has, and than its segments take: the runtime refuses the file";
        DATA_CUT: error "ptd.ptd.data.cut", "the file ends before its segments do, for it was cut or not copied whole: the runtime refuses it";
        DATA_SIZE_END: warning "ptd.ptd.segment-data-size.end", "the header does not say where the last segment ends; runtimes accept that";
        TRAILING: warning "ptd.ptd.data.trailing", "bytes follow the last segment; no runtime looks at them";
        BASE_ALIGN: error "ptd.ptd.segment-base-offset.align", "the segments do not begin on a multiple of 8: the runtime reads misaligned numbers";
        GAP: warning "ptd.ptd.data.gap", "between two segments lie more bytes than any alignment needs";
        PADDING: warning "ptd.ptd.data.padding", "the padding between two segments is not zero; no runtime looks at it";
    }
    ".ptd file format, Data segments" {
        SEGMENT_WRAP: error "ptd.data-segment.size.overflow", "the segment ends nowhere: the runtime fails at every key in it";
        SEGMENT_START: error "ptd.data-segment.offset.end", "the segment begins so far behind that the file ends sooner: the runtime fails at every key in it";
        SEGMENT_END: error "ptd.data-segment.size.end", "the segment ends behind the end of the file: the runtime fails at every key in it";
        UNUSED: warning "ptd.data-segment.offset.unused", "no key stands for the segment; writers leave such out";
        LESS_ALIGNED: warning "ptd.data-segment.offset.align-8", "the segment is less aligned than any that a writer makes";
        MISALIGNED: error "ptd.data-segment.offset.align", "the segment is not aligned for what it holds: the runtime reads other data, or crashes";
        ORDER: warning "ptd.data-segment.offset.order", "the segment lies before an earlier one; writers keep them in order";
        OVERLAP: error "ptd.data-segment.offset.overlap", "two segments share bytes and are not the same: the runtime reads a part of one as the other";
    }
    ".ptd file format, Named data access" {
        SEGMENT: error "ptd.named-data.segment-index.range", "there is no such segment: the runtime fails when it is asked for this key";
        KEY_REPEATED: warning "ptd.named-data.key.repeated", "the key has been given before, for the same bytes";
        KEY_CONFLICT: error "ptd.named-data.key.conflict", "the key has been given before, for other bytes: the C++ runtime takes the first, the Python tools the last";
    }
    ".ptd file format, Named data" {
        SHARED: error "ptd.tables.shared", "offsets lead to the same names and sizes again and again";
    }
    ".ptd file format, Tensor Layout" {
        NEGATIVE: error "ptd.tensor-layout.sizes.negative", "the size of a dimension is negative: the runtime refuses the tensor";
        BYTES: error "ptd.tensor-layout.sizes.overflow", "the sizes make more bytes than 64 bits count: the runtime refuses the tensor";
        DIM_ORDER_COUNT: error "ptd.tensor-layout.dim-order.count", "the order of dimensions has not as many items as there are sizes: the runtime reads beyond it";
        DIM_ORDER: error "ptd.tensor-layout.dim-order.permutation", "the order of dimensions does not have each of them once: the runtime computes wrong strides, or refuses the tensor";
        LAYOUT_MAX: error "ptd.tensor-layout.sizes.max", "the tensor has more bytes than its segment: the runtime reads those behind the segment as numbers";
        LAYOUT_MIN: warning "ptd.tensor-layout.sizes.min", "the tensor has fewer bytes than its segment; runtimes accept that";
    }
    "flat_tensor.fbs of ExecuTorch 0.6" {
        TENSOR_SEGMENT: error "ptd.tensor-metadata.segment-index.range", "there is no such segment: the runtime fails when it is asked for this key";
        BLOB_SEGMENT: error "ptd.named-data06.segment-index.range", "there is no such segment: the runtime fails when it is asked for this key";
        TENSOR_END: error "ptd.tensor-metadata.offset.end", "the tensor leaves its segment: the runtime reads what lies behind as numbers";
        TENSOR_ALIGN: error "ptd.tensor-metadata.offset.align", "the elements of the tensor are not aligned: the runtime reads other numbers or crashes";
    }
}
