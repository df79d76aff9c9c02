use anyhow::{Context, bail};
use clap::Args;
use quipu_simulator::Simulator;
use std::net::SocketAddr;

#[derive(Args)]
pub(super) struct Simulate {
    /// Where the stand-ins listen. Nobody signs in there, so this belongs on this machine alone.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7790")]
    bind: SocketAddr,
}

/// Serves stand-ins of the channels until it is interrupted.
pub(super) async fn run(simulate: &Simulate) -> anyhow::Result<()> {
    let address = simulate.bind;
    if !address.ip().is_loopback() {
        bail!(
            "anybody could write as a customer at {address}; give an address of this machine (--bind)"
        );
    }
    let simulator = Simulator::start(address)
        .await
        .with_context(|| format!("the stand-ins cannot listen on {address} (--bind)"))?;
    let url = simulator.url();
    println!("WhatsApp, Instagram, Messenger, TikTok, Vapi and n8n, as stand-ins: {url}");
    println!("Write as a customer: open {url} in a browser.");
    println!("Start the server with all channels here:");
    for key in ["GRAPH_URL", "INSTAGRAM_URL", "TIKTOK_URL", "VAPI_URL"] {
        println!("  export QUIPU_CHANNELS__{key}={url}");
    }
    println!("  quipu serve");
    tokio::signal::ctrl_c().await?;
    simulator.stop().await;
    Ok(())
}
