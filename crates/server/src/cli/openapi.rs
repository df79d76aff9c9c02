pub(super) fn run() -> anyhow::Result<()> {
    println!(
        "{}",
        serde_json::to_string_pretty(&crate::http::document())?
    );
    Ok(())
}
