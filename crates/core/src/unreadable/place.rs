//! Which field stands where in a JSON text.

/// What is inside what: a field of an object, or the place in a list.
enum Inside {
    Field(String),
    Place(usize),
}

/// The field at a line and column, counted from one as serde counts them, such as `items[2].price`;
/// `None` when it is inside no field. The text is JSON as far as that.
pub(super) fn field_at(json: &[u8], line: usize, column: usize) -> Option<String> {
    let before: usize = json
        .split_inclusive(|byte| *byte == b'\n')
        .take(line.checked_sub(1)?)
        .map(<[u8]>::len)
        .sum();
    let text = json.get(..(before + column).min(json.len()))?;
    let mut inside: Vec<Inside> = Vec::new();
    let mut key = true;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'"' => {
                let length = length_of(&text[at..]);
                if let (true, Some(Inside::Field(name))) = (key, inside.last_mut()) {
                    *name = String::from_utf8_lossy(&text[at..at + length]).into_owned();
                }
                at += length + 1;
            }
            b'{' => {
                inside.push(Inside::Field(String::new()));
                key = true;
            }
            b'[' => inside.push(Inside::Place(0)),
            b'}' | b']' => {
                inside.pop();
            }
            b':' => key = false,
            b',' => match inside.last_mut() {
                Some(Inside::Place(place)) => *place += 1,
                _ => key = true,
            },
            _ => {}
        }
    }
    written(&inside)
}

/// How many bytes a text has before the quote that ends it.
fn length_of(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => break,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at.min(text.len())
}

fn written(inside: &[Inside]) -> Option<String> {
    let mut path = String::new();
    for part in inside {
        match part {
            Inside::Field(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            Inside::Place(place) => path.extend(["[", &place.to_string(), "]"]),
        }
    }
    let path: String = path.chars().take(100).collect();
    (!path.is_empty() && !path.ends_with('.')).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_is_found_by_its_place() {
        let json = "{\"a\": \"x,{\\\"y\",\n \"b\": [1, {\"c\": 2.5}], \"d\": 3}";
        let at = |sign: &str| {
            let end = json.find(sign).unwrap() + sign.len();
            let line = json[..end].matches('\n').count() + 1;
            let column = end - json[..end].rfind('\n').map_or(0, |at| at + 1);
            field_at(json.as_bytes(), line, column)
        };
        assert_eq!(at("y\"").as_deref(), Some("a"));
        assert_eq!(at("[1").as_deref(), Some("b[0]"));
        assert_eq!(at("2.5").as_deref(), Some("b[1].c"));
        assert_eq!(at("3").as_deref(), Some("d"));
        assert_eq!(field_at(b"[]", 0, 0), None);
        assert_eq!(field_at(b"3", 1, 1), None);
        assert_eq!(field_at(b"{\"a\":\"", 9, 9).as_deref(), Some("a"));
    }
}
