//! The syntax tree of an expression.

use super::functions::Builtin;
use regex::Regex;
use serde_json::Value;

#[derive(Debug)]
pub(super) enum Node {
    Literal(Value),
    Pattern(Regex),
    /// A field of the context.
    Field(String),
    /// `*`: the values of all fields.
    Wildcard,
    /// `**`: all values, at any depth.
    Descendants,
    /// `$`
    Context,
    /// `$$`
    Root,
    Variable(String),
    Builtin(&'static Builtin),
    Path(Path),
    /// Not a path: the conditions apply to the whole value.
    Filtered(Box<Node>, Vec<Node>),
    /// `value{key: value}`
    Grouped(Box<Node>, Vec<(Node, Node)>),
    Sorted(Box<Node>, Vec<SortTerm>),
    Negated(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
    List(Vec<Node>),
    /// An object: equivalent to a grouping of the context.
    Object(Vec<(Node, Node)>),
    Block(Vec<Node>),
    Assigned(String, Box<Node>),
    Choice(Box<Node>, Box<Node>, Option<Box<Node>>),
    Lambda(Vec<String>, Box<Node>),
    Call(Box<Node>, Vec<Node>),
}

#[derive(Debug)]
pub(super) struct Path {
    pub steps: Vec<Step>,
    /// `[]`: the result is a list even for one value or none.
    pub keeps_list: bool,
}

#[derive(Debug)]
pub(super) struct Step {
    pub node: Node,
    /// Conditions on the results of the step for one context.
    pub filters: Vec<Node>,
}

#[derive(Debug)]
pub(super) struct SortTerm {
    pub node: Node,
    pub is_descending: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Concatenate,
    Range,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    And,
    Or,
    /// `~>`: the left side is the first argument of the right side.
    Apply,
    /// `??`: the right side if the left is undefined.
    Coalesce,
    /// `?:`: the right side if the left is not true.
    Otherwise,
}
