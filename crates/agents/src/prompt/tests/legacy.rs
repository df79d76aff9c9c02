use super::*;

fn pieces(text: &str, count: usize) -> Vec<String> {
    (1..=count)
        .map(|number| format!("{text} {number}"))
        .collect()
}

fn stuffed<'a>(services: &'a [String], articles: &'a [String]) -> LegacyInput<'a> {
    LegacyInput {
        agent: agent(),
        instructions: &[],
        services,
        branches: &[],
        staff: &[],
        policies: &[],
        faqs: &[],
        articles,
    }
}

#[test]
fn everything_is_in_the_legacy_prompt() {
    let all = [
        "Regla",
        "Limpieza",
        "Matriz",
        "Dra. Ruiz",
        "Cancelación",
        "¿Hay wifi?",
        "Artículo",
    ]
    .map(|text| pieces(text, 3));
    let [
        instructions,
        services,
        branches,
        staff,
        policies,
        faqs,
        articles,
    ] = &all;
    let prompt = legacy(&LegacyInput {
        agent: agent(),
        instructions,
        services,
        branches,
        staff,
        policies,
        faqs,
        articles,
    });
    assert_eq!(prompt.source.as_str(), "legacy");
    assert_eq!(compile(&agent()).source.as_str(), "minimal");
    for piece in all.iter().flatten() {
        assert!(prompt.stable.contains(&format!("- {piece}")), "{piece}");
    }
    assert!(prompt.stable.contains("# SERVICIOS") && prompt.stable.contains("# SEGURIDAD"));
    assert_eq!(prompt.left_out, LeftOut::default());
}

#[test]
fn a_changed_price_changes_the_legacy_prompt_alone() {
    let (before, after) = (
        ["Limpieza: S/ 120".to_owned()],
        ["Limpieza: S/ 130".to_owned()],
    );
    assert_ne!(
        legacy(&stuffed(&before, &[])).hash,
        legacy(&stuffed(&after, &[])).hash
    );
}

#[test]
fn what_has_no_room_is_left_out_from_the_end() {
    let services = pieces("Limpieza dental", 100);
    let articles = pieces(&"La garantía cubre un año. ".repeat(300), 30);
    let prompt = legacy(&stuffed(&services, &articles));
    assert!(prompt.tokens <= LEGACY_TOKENS, "{}", prompt.tokens);
    assert!(prompt.tokens > LEGACY_TOKENS / 2, "{}", prompt.tokens);
    assert!(prompt.left_out.pieces > 0 && prompt.left_out.pieces < 30);
    assert!(prompt.stable.contains("- Limpieza dental 100"));
}
