//! How quick the bundled encoder is with each set of instructions that this processor has:
//! `cargo run --release -p quipu-providers --example encoder_speed`. The names of some may be given.

use quipu_providers::EncoderEmbedder;

fn main() -> quipu_core::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for name in EncoderEmbedder::kernels() {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == name) {
            continue;
        }
        let Some(encoder) = EncoderEmbedder::with_kernel(name) else {
            continue;
        };
        let question = encoder.time_of_question(12, 100)?.as_secs_f64() * 1000.0;
        let passages = encoder.passages_per_second(128, 100)?;
        println!(
            "{name}: question {question:.2} ms, {passages:.0} passages of 128 tokens a second"
        );
    }
    Ok(())
}
