use super::*;

/// `cargo test -p quipu-agents -- --ignored --nocapture what_prompts_take`
#[test]
#[ignore = "prints a table and checks nothing"]
fn what_prompts_take() {
    let instructions = full_instructions();
    let critical = critical(&instructions);
    println!("| language | section | fewest | mean | most |\n|---|---|---|---|---|");
    for language in [Language::Es, Language::En] {
        let agents = all().filter(|agent| agent.language == language);
        let prompts: Vec<CompiledPrompt> = agents
            .flat_map(|agent| {
                [
                    compile(&agent),
                    compile(&PromptInput {
                        critical: &critical,
                        ..agent
                    }),
                ]
            })
            .collect();
        let print = |name: &str, counts: Vec<usize>| {
            let mean = counts.iter().sum::<usize>() / counts.len().max(1);
            let (fewest, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
            println!(
                "| {} | {name} | {fewest} | {mean} | {most} |",
                language.as_str()
            );
        };
        for name in [
            "identity",
            "personality",
            "critical_instructions",
            "tools",
            "safety",
        ] {
            let counts = prompts.iter().map(|prompt| tokens(prompt, name));
            print(name, counts.filter(|count| *count > 0).collect());
        }
        let with = |critical: bool| {
            let wanted = prompts
                .iter()
                .filter(move |prompt| (prompt.sections.len() > 4) == critical);
            wanted.map(|prompt| prompt.tokens).collect()
        };
        print("whole, without critical instructions", with(false));
        print("whole, with 300 tokens of them", with(true));
    }
}
