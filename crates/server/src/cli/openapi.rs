use std::io::Write;

pub(super) fn run() -> anyhow::Result<()> {
    let document = serde_json::to_string_pretty(&crate::http::document())?;
    // Written, not printed: a reader that closes early, such as `head`, is no reason to panic.
    Ok(writeln!(std::io::stdout(), "{document}")?)
}
