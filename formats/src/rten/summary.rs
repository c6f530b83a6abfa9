//! What makes a model big, and what it computes.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use binfmt_runtime::Error;
use hashbrown::HashMap;

use super::{
    ConstantDataType, DataType, Dim as Size, Graph, HEADER_LEN, Node, NodeData, OperatorNode, Rten,
    ValueNode,
};
use crate::shared::wide;
use crate::summary::{Claims, Counts, Dim, Facts, Method, Port, Purpose, Summary};

/// The operators that use each node of each graph, by the path of the node.
type Users = HashMap<String, Vec<String>>;

impl Rten<'_> {
    /// What makes the file big: constants by operator and type, the graph, padding; and the inputs,
    /// outputs and operators of the model, those of graphs inside operators too.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/rten/");
    /// use binfmt_formats::rten::Rten;
    /// use binfmt_runtime::BinFormat;
    ///
    /// let file = std::fs::read(format!("{folder}mlp_v2.rten"))?;
    /// let summary = Rten::parse(&file)?.summary()?;
    /// let [model] = &summary.methods[..] else { panic!("one graph") };
    /// assert_eq!(model.operators[0], ("Gemm".to_owned(), 2));
    /// assert_eq!(model.inputs[0].name.as_deref(), Some("x"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn summary(&self) -> Result<Summary, Error> {
        let model = self.model().root()?;
        let (users, operators) = self.users()?;
        let mut claims = Claims::default();
        self.claim_parts(&mut claims);
        for (constant, index) in self.constants().zip(0_u64..) {
            let constant = constant?;
            let (Some(bytes), Some(start)) = (constant.bytes, constant.offset) else { continue };
            let place = if constant.external { "tensors" } else { "model" };
            let name = constant.name.filter(|name| !name.is_empty());
            let name = name.map_or_else(|| format!("constant-{index}"), str::to_owned);
            let mut facts = Facts::of(Purpose::Constant).at(place).named(name);
            facts.dtype = constant.dtype.and_then(ConstantDataType::name);
            facts.shape = Some(constant.shape.iter().flatten().map(u64::from).collect());
            let node = constant.path.strip_suffix(".data").unwrap_or(&constant.path);
            facts.operators.extend(users.get(node).into_iter().flatten().cloned());
            claims.add(start..start.saturating_add(wide(bytes.len())), 2, facts);
        }
        let method = Method {
            inputs: ports(&model.graph, &model.graph.inputs),
            outputs: ports(&model.graph, &model.graph.outputs),
            operators,
            ..Method::default()
        };
        let len = self.file_len();
        let methods = Vec::from([method]);
        Ok(Summary { len, pieces: claims.settle(len), methods, ..Summary::default() })
    }

    fn file_len(&self) -> u64 {
        match self {
            Self::V2(file) => file.tensors_at().saturating_add(wide(file.tensors.len())),
            Self::V1(file) => wide(file.model.bytes().len()),
        }
    }

    fn claim_parts(&self, claims: &mut Claims) {
        let model = wide(self.model().bytes().len());
        let tables = Facts::of(Purpose::Tables).at("model");
        let Self::V2(file) = self else { return claims.add(0..model, 0, tables) };
        claims.add(0..HEADER_LEN, 0, Facts::of(Purpose::Header).at("header"));
        let start = HEADER_LEN.saturating_add(wide(file.before_model.len()));
        claims.add(start..start.saturating_add(model), 0, tables);
        let section = file.tensors_at();
        let end = section.saturating_add(wide(file.tensors.len()));
        claims.add(section..end, 0, Facts::of(Purpose::Padding).at("tensors"));
    }

    /// Who uses which node, and how many operators of each kind there are.
    fn users(&self) -> Result<(Users, Vec<(String, u64)>), Error> {
        let (mut users, mut counts) = (Users::new(), Counts::default());
        let mut nodes = self.nodes();
        // Lists of inputs may share their bytes.
        let mut left = self.model().bytes().len().saturating_add(4096);
        while let Some(node) = nodes.next() {
            let Some(NodeData::Operator(operator)) = node?.data else { continue };
            let name = operator.name();
            let inputs = usize::try_from(operator.inputs.count()).unwrap_or(usize::MAX);
            left = left.checked_sub(inputs).ok_or_else(super::constants::too_many)?;
            for input in operator.inputs.iter().flatten() {
                let known = users.entry(format!("{}.nodes[{input}]", nodes.graph())).or_default();
                if !known.contains(&name) {
                    known.push(name.clone());
                }
            }
            counts.add(name, 1);
        }
        Ok((users, counts.sorted()))
    }
}

impl OperatorNode<'_> {
    /// What is computed, as the schema calls it: `Gemm`.
    pub fn name(&self) -> String {
        format!("{:?}", self.op)
    }
}

impl DataType {
    /// The name of the type in lower case, if it is known: `f32`.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Int32 => Some("i32"),
            Self::Float => Some("f32"),
            Self::Int8 => Some("i8"),
            Self::UInt8 => Some("u8"),
            Self::Other(_) => None,
        }
    }
}

/// What is known about the nodes that a graph takes or gives.
fn ports(graph: &Graph<'_>, list: &binfmt_runtime::FbVec<'_, u32>) -> Vec<Port> {
    // There are no more of them than nodes, unless the file repeats some.
    let list = list.iter().flatten().zip(0..graph.nodes.count());
    let nodes = list.map(|(index, _)| graph.nodes.get(index.into())?.ok());
    nodes.map(|node| node.as_ref().map_or_else(Port::default, port)).collect()
}

fn port(node: &Node<'_>) -> Port {
    let mut port = Port {
        name: node.name.filter(|name| !name.is_empty()).map(str::to_owned),
        kind: "tensor".to_owned(),
        ..Port::default()
    };
    match &node.data {
        Some(NodeData::Value(ValueNode { shape, dtype })) => {
            port.dtype = dtype.and_then(DataType::name);
            let dims = shape.map(|shape| shape.iter().flatten().map(|size| dim(&size)).collect());
            port.is_dynamic = dims
                .as_ref()
                .is_none_or(|dims: &Vec<Dim>| dims.iter().any(|dim| matches!(dim, Dim::Named(_))));
            port.shape = dims;
        }
        Some(NodeData::Constant(constant)) => {
            port.dtype = constant.dtype.and_then(ConstantDataType::name);
            port.shape =
                Some(constant.shape.iter().flatten().map(|size| Dim::Size(size.into())).collect());
        }
        _ => {}
    }
    port
}

fn dim(size: &Size<'_>) -> Dim {
    match size.name {
        Some(name) => Dim::Named(name.to_owned()),
        None => Dim::Size(size.value.into()),
    }
}
