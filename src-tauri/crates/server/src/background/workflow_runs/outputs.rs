//! Parses the output of programs for task results: text, JSON, and database rows.

use automation::commands::OutputFormat;
use automation::plan::TaskFailure;
use serde_json::{Map, Value};

fn unreadable(program: &str, reason: &str) -> TaskFailure {
    TaskFailure::new("Program", format!("what {program} wrote cannot be read: {reason}"))
}

/// Adds `data`, and `rows` if there are any, to the result. `is_cut`: the output exceeded the limit and is incomplete.
pub(super) fn read(
    format: OutputFormat,
    program: &str,
    data: String,
    is_cut: bool,
    answer: &mut Map<String, Value>,
) -> Result<(), TaskFailure> {
    if is_cut && format != OutputFormat::Text {
        return Err(unreadable(program, "it is larger than 256 KiB: ask for less, such as with LIMIT"));
    }
    let rows = match format {
        OutputFormat::Text => None,
        OutputFormat::Json => {
            let parsed = serde_json::from_str(&data)
                .map_err(|error| unreadable(program, &format!("it is no JSON: {error}")))?;
            answer.insert("data".to_owned(), parsed);
            return Ok(());
        }
        OutputFormat::Csv => Some(rows(program, &data, b',')?),
        OutputFormat::Tsv => Some(rows(program, &data, b'\t')?),
    };
    answer.insert("data".to_owned(), Value::String(data));
    if let Some(rows) = rows {
        answer.insert("rows".to_owned(), Value::Array(rows));
    }
    Ok(())
}

/// Objects keyed by the header line. All values are strings, as the program wrote them.
fn rows(program: &str, data: &str, between: u8) -> Result<Vec<Value>, TaskFailure> {
    let has_tabs = between == b'\t';
    let mut reader =
        csv::ReaderBuilder::new().delimiter(between).quoting(!has_tabs).from_reader(data.as_bytes());
    let failed = |error: csv::Error| unreadable(program, &error.to_string());
    let names = reader.headers().map_err(failed)?.clone();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(failed)?;
        let value = |text: &str| Value::String(if has_tabs { unescaped(text) } else { text.to_owned() });
        let fields = names.iter().zip(&record).map(|(name, text)| (name.to_owned(), value(text)));
        rows.push(Value::Object(fields.collect()));
    }
    Ok(rows)
}

/// Reverts the escapes of mysql, which writes tabs, line ends and backslashes inside values with a backslash.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            plain.push(letter);
            continue;
        }
        match letters.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('0') => plain.push('\0'),
            Some(other) => plain.push(other),
            None => plain.push('\\'),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::read;
    use automation::commands::OutputFormat;
    use serde_json::{Map, Value, json};

    fn given(format: OutputFormat, data: &str) -> Result<Value, String> {
        let mut answer = Map::new();
        read(format, "psql", data.to_owned(), false, &mut answer).map_err(|failure| failure.message)?;
        Ok(Value::Object(answer))
    }

    #[test]
    fn rows_of_databases_become_objects() {
        let found = given(OutputFormat::Csv, "id,name\n1,\"a, \"\"b\"\"\"\n2,\n").unwrap();
        assert_eq!(found["rows"], json!([{ "id": "1", "name": "a, \"b\"" }, { "id": "2", "name": "" }]));
        let found = given(OutputFormat::Tsv, "id\tname\n1\ta\\tb \"c\n").unwrap();
        assert_eq!(found["rows"], json!([{ "id": "1", "name": "a\tb \"c" }]));
        assert_eq!(given(OutputFormat::Csv, "").unwrap()["rows"], json!([]));
    }

    #[test]
    fn json_is_given_as_what_it_stands_for() {
        assert_eq!(given(OutputFormat::Json, "{\"a\": 1}\n"), Ok(json!({ "data": { "a": 1 } })));
        assert!(given(OutputFormat::Json, "hello").unwrap_err().contains("it is no JSON"));
        let cut = read(OutputFormat::Csv, "psql", "a\n1\n".to_owned(), true, &mut Map::new());
        assert!(cut.unwrap_err().message.contains("larger than 256 KiB"));
    }
}
