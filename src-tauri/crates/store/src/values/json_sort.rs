//! Sort keys for JSON, computed once per row, so that sorting compares bytes.

use crate::values::json_predicates::{by_key, is_empty_array};
use serde_json::{Number, Value};

/// Bytes that compare like [`crate::values::json_predicates::order`] compares the JSON, and are equal exactly if it is.
pub(crate) fn sort_key(json: &str) -> Vec<u8> {
    let mut key = Vec::with_capacity(json.len() + 8);
    match serde_json::from_str(json) {
        // The smallest of all values has an empty key.
        Ok(value) if is_empty_array(&value) => {}
        Ok(value) => write(&value, &mut key),
        Err(_) => key.extend_from_slice(json.as_bytes()),
    }
    key
}

/// No key is a prefix of another, therefore the elements after a value in a list do not affect its order.
fn write(value: &Value, key: &mut Vec<u8>) {
    match value {
        Value::Null => key.push(0),
        Value::String(text) => {
            key.push(1);
            write_text(text, key);
        }
        Value::Number(number) => {
            key.push(2);
            write_number(number, key);
        }
        Value::Bool(value) => key.extend([3, u8::from(*value)]),
        Value::Array(members) => {
            key.push(4);
            write_length(members.len(), key);
            for member in members {
                write(member, key);
            }
        }
        Value::Object(entries) => {
            key.push(5);
            write_length(entries.len(), key);
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by(|left, right| by_key(left.0, right.0));
            for (name, value) in entries {
                write_length(name.len(), key);
                key.extend_from_slice(name.as_bytes());
                write(value, key);
            }
        }
    }
}

fn write_length(length: usize, key: &mut Vec<u8>) {
    key.extend((length as u64).to_be_bytes());
}

/// Ends with two zero bytes, which occur nowhere else in it.
fn write_text(text: &str, key: &mut Vec<u8>) {
    for byte in text.bytes() {
        key.push(byte);
        if byte == 0 {
            key.push(u8::MAX);
        }
    }
    key.extend([0, 0]);
}

/// Sign, position of the point, digits. Works for any length, including numbers that no machine type can hold.
fn write_number(number: &Number, key: &mut Vec<u8>) {
    let text = number.to_string();
    let (is_negative, text) = text.strip_prefix('-').map_or((false, text.as_str()), |text| (true, text));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i64 =
        exponent.parse().unwrap_or(if exponent.starts_with('-') { i64::MIN } else { i64::MAX });
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        key.push(1);
        return;
    }
    let leading = digits.len() - significant.len();
    let places = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    let point = exponent.saturating_add(places(whole.len())).saturating_sub(places(leading));
    key.push(if is_negative { 0 } else { 2 });
    let from = key.len();
    key.extend((point.cast_unsigned() ^ (1 << 63)).to_be_bytes());
    key.extend_from_slice(significant.trim_end_matches('0').as_bytes());
    key.push(0);
    if is_negative {
        key[from..].iter_mut().for_each(|byte| *byte = !*byte);
    }
}

#[cfg(test)]
mod tests {
    use super::sort_key;
    use crate::values::json_predicates::order;

    #[test]
    fn keys_stand_as_their_json_does() {
        let all = [
            "null",
            "\"\"",
            "\"a\"",
            "\"a\\u0000\"",
            "\"a\\u0000b\"",
            "\"ab\"",
            "\"b\"",
            "-1e3",
            "-999.5",
            "-10",
            "-9.99",
            "-0.001",
            "0",
            "-0.0",
            "0.0009",
            "0.001",
            "1",
            "1.0",
            "1.5",
            "2",
            "9.99",
            "10",
            "100e-1",
            "1e2",
            "12345678901234567890123",
            "false",
            "true",
            "[]",
            "[null]",
            "[[]]",
            "[1]",
            "[1.0]",
            "[2]",
            "[1,2]",
            "[2,1]",
            "[\"a\",1]",
            "[\"ab\",0]",
            "{}",
            "{\"a\":1}",
            "{\"b\":0}",
            "{\"aa\":0}",
            "{\"a\":1,\"b\":2}",
            "{ \"b\": 2, \"a\": 1.0 }",
            "{\"a\":2,\"b\":0}",
        ];
        for left in all {
            for right in all {
                assert_eq!(sort_key(left).cmp(&sort_key(right)), order(left, right), "{left} {right}");
            }
        }
    }

    #[test]
    fn an_empty_array_is_the_least_unless_it_is_a_member() {
        assert!(sort_key("[]") < sort_key("null"));
        assert!(sort_key("[[]]") > sort_key("[null]"));
    }

    #[test]
    fn numbers_beyond_every_machine_have_an_order() {
        assert!(sort_key("1e400") < sort_key("1e401"));
        assert!(sort_key("-1e401") < sort_key("-1e400"));
    }
}
