//! What an expression is made of.

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
    /// `**`: everything inside, at any depth.
    Descendants,
    /// `$`
    Context,
    /// `$$`
    Root,
    Variable(String),
    Builtin(&'static Builtin),
    Path(Path),
    /// Without a path: the conditions apply to the whole value.
    Filtered(Box<Node>, Vec<Node>),
    /// `value{key: value}`
    Grouped(Box<Node>, Vec<(Node, Node)>),
    Sorted(Box<Node>, Vec<SortTerm>),
    Negated(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
    List(Vec<Node>),
    /// An object: the same as a grouping of the context.
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
    /// `[]`: a list also where there is one thing or none.
    pub keeps_list: bool,
}

#[derive(Debug)]
pub(super) struct Step {
    pub node: Node,
    /// What is kept of what the step gives for one context.
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
    /// `??`: the right side where the left is nothing.
    Coalesce,
    /// `?:`: the right side where the left is not true.
    Otherwise,
}
