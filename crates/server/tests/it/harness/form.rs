/// A field of a form, as a browser sends it.
pub(crate) struct Field<'a> {
    pub(crate) name: &'a str,
    /// What makes it a file.
    pub(crate) filename: Option<&'a str>,
    pub(crate) value: &'a [u8],
}

impl<'a> Field<'a> {
    pub(crate) fn text(name: &'a str, value: &'a str) -> Self {
        Self {
            name,
            filename: None,
            value: value.as_bytes(),
        }
    }

    pub(crate) fn file(filename: &'a str, value: &'a [u8]) -> Self {
        Self {
            name: "file",
            filename: Some(filename),
            value,
        }
    }
}

/// The content type and the body of a form.
pub(crate) fn written(fields: &[Field<'_>]) -> (String, Vec<u8>) {
    let boundary = "----quipu-test-7MA4YWxkTrZu0gW";
    let mut body = Vec::new();
    for field in fields {
        let name = field.name;
        let file = field.filename.map_or_else(String::new, |filename| {
            format!("; filename=\"{filename}\"\r\nContent-Type: application/octet-stream")
        });
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(field.value);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={boundary}"), body)
}
