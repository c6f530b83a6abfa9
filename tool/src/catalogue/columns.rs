//! The columns of a catalogue.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder, UInt64Builder};
use arrow_array::{ArrayRef, ListArray, RecordBatch, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};

use super::row::{Problem, Row};

/// The columns: names, and whether they have a value in every row.
pub fn schema() -> SchemaRef {
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let number = |name: &str| Field::new(name, DataType::UInt64, true);
    let list = |name: &str, of: DataType, nullable: bool| {
        Field::new(name, DataType::List(Arc::new(Field::new("item", of, true))), nullable)
    };
    Arc::new(Schema::new(vec![
        Field::new("file", DataType::Utf8, false),
        text("member"),
        text("path"),
        text("format"),
        text("variant"),
        text("kind"),
        text("arch"),
        text("name"),
        text("name_hex"),
        text("dtype"),
        list("shape", DataType::UInt64, true),
        number("offset"),
        number("stored_size"),
        number("size"),
        text("sha256"),
        text("error"),
        text("details"),
        Field::new("verdict", DataType::Utf8, false),
        list("findings", DataType::Struct(finding()), false),
        Field::new("left_out", DataType::UInt64, false),
    ]))
}

/// What is said of each finding.
fn finding() -> Fields {
    let text = |name: &str| Field::new(name, DataType::Utf8, false);
    let number = |name: &str| Field::new(name, DataType::UInt64, false);
    let (start, end) = (number("start"), number("end"));
    vec![text("severity"), text("code"), text("path"), start, end, text("message")].into()
}

/// The rows that have come so far.
#[derive(Debug, Default)]
pub(super) struct Columns {
    len: usize,
    file: StringBuilder,
    member: StringBuilder,
    path: StringBuilder,
    format: StringBuilder,
    variant: StringBuilder,
    kind: StringBuilder,
    arch: StringBuilder,
    name: StringBuilder,
    name_hex: StringBuilder,
    dtype: StringBuilder,
    shape: ListBuilder<UInt64Builder>,
    offset: UInt64Builder,
    stored_size: UInt64Builder,
    size: UInt64Builder,
    sha256: StringBuilder,
    error: StringBuilder,
    details: StringBuilder,
    verdict: StringBuilder,
    findings: Findings,
    left_out: UInt64Builder,
}

impl Columns {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, row: &Row) {
        self.len += 1;
        self.file.append_value(&row.file);
        self.member.append_option(row.member.as_ref());
        self.path.append_option(row.path.as_ref());
        self.format.append_option(row.format);
        self.variant.append_option(row.variant.as_ref());
        self.kind.append_option(row.kind.as_ref());
        self.arch.append_option(row.arch.as_ref());
        self.name.append_option(row.name.as_ref());
        self.name_hex.append_option(row.name_hex.as_ref());
        self.dtype.append_option(row.dtype.as_ref());
        self.shape.append_option(row.shape.as_ref().map(|shape| shape.iter().copied().map(Some)));
        self.offset.append_option(row.offset);
        self.stored_size.append_option(row.stored_size);
        self.size.append_option(row.size);
        self.sha256.append_option(row.sha256.as_ref());
        self.error.append_option(row.error.as_ref());
        self.details.append_option(row.details.as_ref());
        self.verdict.append_value(row.verdict);
        self.findings.push(&row.problems);
        self.left_out.append_value(row.left_out);
    }

    /// All rows, after which there are none.
    pub(super) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        self.len = 0;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.file.finish()),
            Arc::new(self.member.finish()),
            Arc::new(self.path.finish()),
            Arc::new(self.format.finish()),
            Arc::new(self.variant.finish()),
            Arc::new(self.kind.finish()),
            Arc::new(self.arch.finish()),
            Arc::new(self.name.finish()),
            Arc::new(self.name_hex.finish()),
            Arc::new(self.dtype.finish()),
            Arc::new(self.shape.finish()),
            Arc::new(self.offset.finish()),
            Arc::new(self.stored_size.finish()),
            Arc::new(self.size.finish()),
            Arc::new(self.sha256.finish()),
            Arc::new(self.error.finish()),
            Arc::new(self.details.finish()),
            Arc::new(self.verdict.finish()),
            Arc::new(self.findings.finish()?),
            Arc::new(self.left_out.finish()),
        ];
        RecordBatch::try_new(schema(), columns)
    }
}

/// The findings of all rows, and how many each row has.
#[derive(Debug, Default)]
struct Findings {
    lens: Vec<usize>,
    severity: StringBuilder,
    code: StringBuilder,
    path: StringBuilder,
    start: UInt64Builder,
    end: UInt64Builder,
    message: StringBuilder,
}

impl Findings {
    fn push(&mut self, problems: &[Problem]) {
        self.lens.push(problems.len());
        for problem in problems {
            self.severity.append_value(problem.severity);
            self.code.append_value(&problem.code);
            self.path.append_value(&problem.path);
            self.start.append_value(problem.start);
            self.end.append_value(problem.end);
            self.message.append_value(&problem.message);
        }
    }

    fn finish(&mut self) -> Result<ListArray, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.severity.finish()),
            Arc::new(self.code.finish()),
            Arc::new(self.path.finish()),
            Arc::new(self.start.finish()),
            Arc::new(self.end.finish()),
            Arc::new(self.message.finish()),
        ];
        let values = StructArray::try_new(finding(), columns, None)?;
        let item = Arc::new(Field::new("item", DataType::Struct(finding()), true));
        let offsets = OffsetBuffer::from_lengths(std::mem::take(&mut self.lens));
        ListArray::try_new(item, offsets, Arc::new(values), None)
    }
}
