//! Parses an expression into its tree, with JSONata's operator precedence.

mod text;

use super::functions;
use super::tree::{Node, Operator, Path, SortTerm, Step};
use serde_json::Value;

/// Maximum nesting of an expression.
const DEEPEST: usize = 60;
/// Maximum length of an expression, in bytes.
const LONGEST: usize = 20_000;

/// Binary operators: sign, precedence, operator.
const OPERATORS: [(&str, u8, Operator); 17] = [
    ("~>", 40, Operator::Apply),
    ("!=", 40, Operator::NotEqual),
    ("<=", 40, Operator::LessOrEqual),
    (">=", 40, Operator::GreaterOrEqual),
    ("??", 40, Operator::Coalesce),
    ("?:", 40, Operator::Otherwise),
    ("=", 40, Operator::Equal),
    ("<", 40, Operator::Less),
    (">", 40, Operator::Greater),
    ("+", 50, Operator::Add),
    ("-", 50, Operator::Subtract),
    ("&", 50, Operator::Concatenate),
    ("*", 60, Operator::Multiply),
    ("/", 60, Operator::Divide),
    ("%", 60, Operator::Remainder),
    ("and", 30, Operator::And),
    ("or", 25, Operator::Or),
];

/// Parses a whole text.
pub(super) fn read(text: &str) -> Result<Node, String> {
    if text.len() > LONGEST {
        return Err(format!("the expression has {} letters: expected {LONGEST} at most", text.len()));
    }
    let mut reader = Reader { text, at: 0, depth: 0 };
    let node = reader.expression(0)?;
    reader.space()?;
    if reader.rest().is_empty() { Ok(node) } else { Err(reader.wrong("an operator, or the end")) }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn wrong(&self, expected: &str) -> String {
        let place = self.text[..self.at].chars().count() + 1;
        let found: String = self.rest().chars().take(20).collect();
        let found = if found.is_empty() { "the end".to_owned() } else { format!("\"{found}\"") };
        format!("at character {place}: expected {expected}, found {found}")
    }

    /// Skips white space and comments.
    fn space(&mut self) -> Result<(), String> {
        loop {
            self.at += self.rest().len() - self.rest().trim_start().len();
            if !self.rest().starts_with("/*") {
                return Ok(());
            }
            let end = self.rest().find("*/").ok_or_else(|| self.wrong("the end of the comment"))?;
            self.at += end + 2;
        }
    }

    /// Consumes a sign if it is next.
    fn sign(&mut self, sign: &str) -> Result<bool, String> {
        self.space()?;
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.at += sign.len();
        }
        Ok(is_next)
    }

    fn need(&mut self, sign: &str) -> Result<(), String> {
        if self.sign(sign)? { Ok(()) } else { Err(self.wrong(sign)) }
    }

    /// The characters of the name at the current position.
    fn name(&self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        &rest[..end.unwrap_or(rest.len())]
    }

    /// An expression whose operators have a higher precedence than `least`.
    fn expression(&mut self, least: u8) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("the expression is nested deeper than {DEEPEST} levels"));
        }
        let mut left = self.value()?;
        loop {
            match self.after(left, least)? {
                After::More(node) => left = node,
                After::End(node) => {
                    self.depth -= 1;
                    return Ok(node);
                }
            }
        }
    }

    /// Parses an operator with a higher precedence than `least` after the value on its left, or returns the value unchanged.
    fn after(&mut self, left: Node, least: u8) -> Result<After, String> {
        self.space()?;
        let rest = self.rest();
        let more = |node| Ok(After::More(node));
        match rest.chars().next() {
            Some('.') if !rest.starts_with("..") && least < 75 => {
                self.at += 1;
                let right = self.expression(75)?;
                return more(join(left, right));
            }
            Some('[') if least < 80 => {
                self.at += 1;
                if self.sign("]")? {
                    return more(kept(left));
                }
                let condition = self.expression(0)?;
                self.need("]")?;
                return more(filtered(left, condition));
            }
            Some('{') if least < 70 => {
                self.at += 1;
                return more(Node::Grouped(Box::new(left), self.pairs()?));
            }
            Some('(') if least < 80 => {
                self.at += 1;
                let arguments = self.expressions(")")?;
                return more(Node::Call(Box::new(left), arguments));
            }
            Some('^') if least < 40 => {
                self.at += 1;
                self.need("(")?;
                return more(Node::Sorted(Box::new(left), self.sort_terms()?));
            }
            Some(sign @ ('@' | '#' | '|')) => {
                return Err(self.wrong(&format!("an operator (the operator {sign} is not carried out here)")));
            }
            _ => {}
        }
        if rest.starts_with(":=") && least < 10 {
            let Node::Variable(name) = left else {
                return Err(self.wrong("a variable such as $x before :="));
            };
            self.at += 2;
            let value = self.expression(9)?;
            return more(Node::Assigned(name, Box::new(value)));
        }
        if rest.starts_with('?') && !rest.starts_with("??") && !rest.starts_with("?:") && least < 20 {
            self.at += 1;
            let then = self.expression(0)?;
            let other = if self.sign(":")? { Some(Box::new(self.expression(0)?)) } else { None };
            return more(Node::Choice(Box::new(left), Box::new(then), other));
        }
        let name = self.name();
        if rest.starts_with("..") || name == "in" {
            let (precedence, operator) =
                if name == "in" { (40, Operator::In) } else { (20, Operator::Range) };
            if least >= precedence {
                return Ok(After::End(left));
            }
            self.at += 2;
            let right = self.expression(precedence)?;
            return more(Node::Binary(operator, Box::new(left), Box::new(right)));
        }
        let is_next = |sign: &str| {
            if sign.starts_with(|letter: char| letter.is_alphabetic()) {
                name == sign
            } else {
                rest.starts_with(sign)
            }
        };
        match OPERATORS.iter().find(|(sign, ..)| is_next(sign)) {
            Some((sign, precedence, operator)) if least < *precedence => {
                self.at += sign.len();
                let right = self.expression(*precedence)?;
                more(Node::Binary(*operator, Box::new(left), Box::new(right)))
            }
            _ => Ok(After::End(left)),
        }
    }

    /// A value at the beginning of an expression.
    fn value(&mut self) -> Result<Node, String> {
        self.space()?;
        let rest = self.rest();
        match rest.chars().next() {
            Some('(') => {
                self.at += 1;
                Ok(Node::Block(self.block()?))
            }
            Some('[') => {
                self.at += 1;
                self.expressions("]").map(Node::List)
            }
            Some('{') => {
                self.at += 1;
                self.pairs().map(Node::Object)
            }
            Some(quote @ ('"' | '\'')) => self.quoted(quote).map(|text| Node::Literal(text.into())),
            Some('`') => self.quoted('`').map(Node::Field),
            Some('0'..='9') => self.number(),
            Some('-') => {
                self.at += 1;
                Ok(Node::Negated(Box::new(self.expression(70)?)))
            }
            Some('/') => self.pattern(),
            Some('*') if rest.starts_with("**") => {
                self.at += 2;
                Ok(Node::Descendants)
            }
            Some('*') => {
                self.at += 1;
                Ok(Node::Wildcard)
            }
            Some('$') => self.dollar(),
            Some('λ') => self.word(),
            Some(letter) if letter == '_' || letter.is_alphabetic() => self.word(),
            _ => Err(self.wrong("a value")),
        }
    }

    fn word(&mut self) -> Result<Node, String> {
        let name = self.name();
        self.at += name.len();
        if matches!(name, "function" | "λ") && self.sign("(")? {
            return self.lambda();
        }
        Ok(match name {
            "true" => Node::Literal(true.into()),
            "false" => Node::Literal(false.into()),
            "null" => Node::Literal(Value::Null),
            name => Node::Field(name.to_owned()),
        })
    }

    /// Parses after `function(`.
    fn lambda(&mut self) -> Result<Node, String> {
        let mut parameters = Vec::new();
        if !self.sign(")")? {
            loop {
                self.need("$")?;
                let name = self.name();
                self.at += name.len();
                parameters.push(name.to_owned());
                if self.sign(")")? {
                    break;
                }
                self.need(",")?;
            }
        }
        // A signature such as <n-n:b> declares argument types; they are not checked.
        if self.sign("<")? {
            let end = self.rest().find('{').ok_or_else(|| self.wrong("{"))?;
            self.at += end;
        }
        self.need("{")?;
        let body = self.expression(0)?;
        self.need("}")?;
        Ok(Node::Lambda(parameters, Box::new(body)))
    }

    /// `$`, `$$`, a variable or a function.
    fn dollar(&mut self) -> Result<Node, String> {
        let start = self.at;
        self.at += 1;
        if self.rest().starts_with('$') {
            self.at += 1;
            return Ok(Node::Root);
        }
        let name = self.name();
        self.at += name.len();
        if name.is_empty() {
            return Ok(Node::Context);
        }
        if let Some(builtin) = functions::find(name) {
            return Ok(Node::Builtin(builtin));
        }
        if functions::MISSING.contains(&name) {
            self.at = start;
            return Err(self.wrong(&format!("another function (${name} is not carried out here)")));
        }
        Ok(Node::Variable(name.to_owned()))
    }

    /// Expressions separated by `;`, up to `)`.
    fn block(&mut self) -> Result<Vec<Node>, String> {
        let mut nodes = Vec::new();
        loop {
            if self.sign(")")? {
                return Ok(nodes);
            }
            nodes.push(self.expression(0)?);
            if !self.sign(";")? {
                self.need(")")?;
                return Ok(nodes);
            }
        }
    }

    /// Expressions separated by commas, up to a sign.
    fn expressions(&mut self, end: &str) -> Result<Vec<Node>, String> {
        let mut nodes = Vec::new();
        if self.sign(end)? {
            return Ok(nodes);
        }
        loop {
            self.space()?;
            if self.rest().starts_with('?') {
                return Err(self.wrong("a value (partial application is not carried out here)"));
            }
            nodes.push(self.expression(0)?);
            if self.sign(end)? {
                return Ok(nodes);
            }
            self.need(",")?;
        }
    }

    /// Keys with values, up to `}`.
    fn pairs(&mut self) -> Result<Vec<(Node, Node)>, String> {
        let mut pairs = Vec::new();
        if self.sign("}")? {
            return Ok(pairs);
        }
        loop {
            let key = self.expression(0)?;
            self.need(":")?;
            pairs.push((key, self.expression(0)?));
            if self.sign("}")? {
                return Ok(pairs);
            }
            self.need(",")?;
        }
    }

    fn sort_terms(&mut self) -> Result<Vec<SortTerm>, String> {
        let mut terms = Vec::new();
        loop {
            let is_descending = self.sign(">")?;
            if !is_descending {
                self.sign("<")?;
            }
            terms.push(SortTerm { node: self.expression(0)?, is_descending });
            if self.sign(")")? {
                return Ok(terms);
            }
            self.need(",")?;
        }
    }
}

enum After {
    More(Node),
    End(Node),
}

fn path(node: Node) -> Path {
    match node {
        Node::Path(path) => path,
        Node::Filtered(node, filters) => {
            Path { steps: vec![Step { node: *node, filters }], keeps_list: false }
        }
        node => Path { steps: vec![Step { node, filters: Vec::new() }], keeps_list: false },
    }
}

/// `left.right`. A text on the right is the name of a field.
fn join(left: Node, right: Node) -> Node {
    let mut whole = path(left);
    let mut right = path(right);
    if let Some(first) = right.steps.first_mut()
        && let Node::Literal(Value::String(name)) = &first.node
    {
        first.node = Node::Field(name.clone());
    }
    whole.steps.append(&mut right.steps);
    whole.keeps_list |= right.keeps_list;
    Node::Path(whole)
}

fn kept(node: Node) -> Node {
    Node::Path(Path { keeps_list: true, ..path(node) })
}

/// `left[condition]`: after a path, the condition belongs to its last step.
fn filtered(left: Node, condition: Node) -> Node {
    match left {
        Node::Path(mut path) => {
            if let Some(last) = path.steps.last_mut() {
                last.filters.push(condition);
            }
            Node::Path(path)
        }
        Node::Filtered(node, mut filters) => {
            filters.push(condition);
            Node::Filtered(node, filters)
        }
        field @ (Node::Field(_) | Node::Wildcard | Node::Descendants) => Node::Path(Path {
            steps: vec![Step { node: field, filters: vec![condition] }],
            keeps_list: false,
        }),
        node => Node::Filtered(Box::new(node), vec![condition]),
    }
}
