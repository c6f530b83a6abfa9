//! The rules of programs that words cannot express.

binfmt_runtime::rule_table! {
    /// The rules of programs that are checked by hand.
    pub const RULES;
    "pte document, Headers" {
        SHORT: error "pte.pte.short", "the file is shorter than the 64 bytes that a runtime reads first";
        LEAD: warning "pte.extended.program.padding", "between the header and the tables are bytes that are not zero, as every tool writes them; no runtime looks at them";
        DATA_SIZE_CUT: error "pte.extended.data-size.cut", "the header promises more segment bytes than the file has: it is cut, and a runtime refuses it";
        DATA_SIZE_END: warning "pte.extended.data-size.end", "the segments end elsewhere than the header says; a file that is cut may not be noticed";
        BASE_ZERO: error "pte.extended.segment-base.zero", "the segments begin at 0: a runtime would read weights from the header, and compute with them";
        BASE_INSIDE: error "pte.extended.segment-base.inside", "the segments begin before the program ends: a runtime would read weights from its tables, and compute with them";
        BASE_ALIGN: error "pte.extended.segment-base.align", "the segments do not begin on 8 bytes: weights would be read from wrong addresses";
        BASE_ALIGN_16: warning "pte.extended.segment-base.align-16", "the segments do not begin on 16 bytes, as tools align them at least";
        TRAILING: warning "pte.extended.segments.trailing", "bytes follow the last segment";
        HEADER_VERSION: error "pte.bare.program.header-version", "the header has another version than `eh00`: a runtime takes the file for one without a header, reads weights from offset 0, and computes with them";
        HEADER_MISSING: error "pte.bare.program.header-missing", "there is no header, and there are segments: a runtime takes the file for one without a header, reads weights from offset 0, and computes with them";
    }
    "executorch program.fbs, Program" {
        CONSTANTS_TWICE: error "pte.program.constant-buffer.twice", "constants lie in the buffer and in a segment; a runtime refuses the program, for only one may be used";
        CONSTANTS_INLINE: warning "pte.program.constant-buffer.inline", "constants lie in the buffer itself, as before release 0.4; stock runtimes since 1.3 refuse the program";
        SPENT: error "budget", "offsets lead to the same lists again and again";
    }
    "executorch program.fbs, DataSegment" {
        OFFSET_ALIGN: error "pte.data-segment.offset.align", "the segment does not begin on 8 bytes: what is in it would be read from wrong addresses";
        OFFSET_ALIGN_16: warning "pte.data-segment.offset.align-16", "the segment does not begin on 16 bytes, as tools align segments at least";
        SEGMENT_ORDER: warning "pte.data-segment.offset.order", "the segment lies before the one in front of it in the table";
        SEGMENT_WRAP: error "pte.data-segment.offset.overflow", "offset and size of the segment do not fit into 64 bits; a runtime wraps around, reads other bytes of the file, and computes with them";
        SEGMENT_END: error "pte.data-segment.size.end", "the segment reaches behind the end of the file; a runtime refuses the method that uses it";
        SEGMENT_OVERLAP: error "pte.data-segment.offset.overlap", "the segment overlaps another one; a runtime would compute with bytes of that";
    }
    "executorch program.fbs, NamedData" {
        NAMED_SEGMENT: error "pte.named-data.segment-index.range", "there is no such segment; a runtime refuses the method that asks for this data";
        NAMED_REPEATED: warning "pte.named-data.key.repeated", "the key is there already, for the same bytes";
        NAMED_CONFLICT: error "pte.named-data.key.conflict", "the key is there already, for other bytes; a runtime finds one of the two, or refuses the method";
    }
    "executorch program.fbs, BackendDelegateDataReference" {
        BLOB_INLINE: error "pte.data-reference.index.inline", "there is no such blob in the tables for the delegate; a runtime refuses the method";
        XNNPACK_PAYLOAD: error "pte.data-reference.index.xnnpack", "the blob breaks a rule of payloads for XNNPACK, which `validate` of the extracted blob tells in full; a runtime refuses the method, or computes with other bytes";
        XNNPACK_CONSTANT: error "pte.named-data.segment-index.xnnpack", "the data has fewer bytes than a delegate for XNNPACK expects; a runtime refuses the method, or reads what follows it";
        BLOB_SEGMENT: error "pte.data-reference.index.segment", "there is no such segment for the delegate; a runtime refuses the method";
    }
    "executorch program.fbs, ExecutionPlan" {
        METHOD_REPEATED: warning "pte.plan.name.repeated", "there is a method with this name already; no runtime finds the second one";
        INPUT: error "pte.plan.inputs.range", "there is no such value; a caller gets an error or wild memory";
        OUTPUT: error "pte.plan.outputs.range", "there is no such value; a caller gets an error or wild memory";
    }
    "executorch program.fbs, KernelTypes" {
        INT_ITEM: error "pte.int-list.items.range", "there is no such value; a runtime refuses the method";
        TENSOR_ITEM: error "pte.tensor-list.items.range", "there is no such value; a runtime refuses the method";
        OPTIONAL_ITEM: error "pte.tensor-list.items.optional-range", "there is no such value, and -1 alone stands for none; a runtime refuses the method";
    }
    "executorch program.fbs, InstructionArguments" {
        KERNEL: error "pte.kernel-call.op-index.range", "there is no such operator; a runtime refuses the method";
        KERNEL_ARG: error "pte.kernel-call.args.range", "there is no such value; a runtime refuses the method";
        DELEGATE: error "pte.delegate-call.delegate-index.range", "there is no such delegate; a runtime refuses the method";
        DELEGATE_ARG: error "pte.delegate-call.args.range", "there is no such value; a runtime refuses the method";
        MOVE_FROM: error "pte.move-call.move-from.range", "there is no such value; the method fails while it runs";
        MOVE_TO: error "pte.move-call.move-to.range", "there is no such value; the method fails while it runs";
        CONDITION: error "pte.jump-false-call.cond-value-index.range", "there is no such value; the method fails while it runs";
        JUMP: error "pte.jump-false-call.destination-instruction.range", "the jump leads out of the chain; a runtime ends the method there, with outputs that nobody computed";
        FREE: error "pte.free-call.value-index.range", "there is no such value; the method fails while it runs";
    }
    "executorch program.fbs, Tensor" {
        DIM_ORDER_COUNT: error "pte.tensor.dim-order.count", "there are not as many dimensions as sizes; a runtime refuses the method";
        DIM_ORDER: error "pte.tensor.dim-order.permutation", "every dimension comes once; a runtime refuses the method, or mixes up the elements";
        BYTES: error "pte.tensor.sizes.overflow", "the tensor has more bytes than a runtime can count; it refuses the method";
        PLANNED: error "pte.allocation.memory-id.range", "there is no such planned buffer; a runtime refuses the method";
        PLANNED_END: error "pte.allocation.memory-offset-low.end", "the tensor leaves its planned buffer; a runtime refuses the method";
        INLINE_CONSTANT: error "pte.tensor.data-buffer-idx.inline-range", "there is no such constant in the tables; a runtime refuses the method";
        INLINE_SIZE: error "pte.tensor.data-buffer-idx.inline-size", "the constant has fewer bytes than the tensor; a runtime refuses the method";
        STORED_CONSTANT: error "pte.tensor.data-buffer-idx.range", "there is no such constant; a runtime refuses the method";
        MUTABLE_LIST: error "pte.extra-info.mutable-data-segments-idx.range", "there is no such segment of mutable data; a runtime refuses the method";
        MUTABLE_SEGMENT: error "pte.extra-info.mutable-data-segments-idx.segment", "there is no segment for its first state; a runtime refuses the method";
    }
    "executorch program.fbs, SubsegmentOffsets" {
        CONSTANTS: error "pte.subsegments.segment-index.range", "there is no such segment for the constants; a runtime refuses the program";
        CONSTANT_END: error "pte.subsegments.offsets.end", "the tensor reaches behind the end of its segment; a runtime refuses the method";
        SUBSEGMENT_ALIGN: error "pte.subsegments.offsets.align", "the tensor does not begin on a multiple of its element size: a runtime would compute with parts of neighbours";
        CONSTANT_OVERLAP: error "pte.subsegments.offsets.overlap", "the tensor shares bytes with one that has an offset of its own: one of both has the wrong numbers";
    }
}
