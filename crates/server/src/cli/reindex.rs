use crate::config::Config;
use crate::setup;
use anyhow::Context;
use clap::Args;
use quipu_app::index;
use quipu_core::{KnowledgeBaseId, TenantId};

/// Whatever an index holds is in the database too, so it can be thrown away at any time.
#[derive(Args)]
pub(super) struct Reindex {
    /// Only the knowledge bases of this tenant, by its name in addresses.
    #[arg(long, value_name = "SLUG")]
    tenant: Option<String>,
    /// Only this knowledge base.
    #[arg(long, value_name = "ID")]
    knowledge_base: Option<String>,
}

pub(super) async fn run(config: &Config, reindex: Reindex) -> anyhow::Result<()> {
    let kb: Option<KnowledgeBaseId> = reindex
        .knowledge_base
        .as_deref()
        .map(str::parse)
        .transpose()
        .context("--knowledge-base is no id")?;
    let app = setup::build_indexing_app(config).await?;
    let tenant: Option<TenantId> = match &reindex.tenant {
        Some(slug) => {
            let tx = app.store.platform_read().await?;
            let found = tx.tenants().find_by_slug(slug).await?;
            Some(
                found
                    .with_context(|| format!("there is no tenant {slug}"))?
                    .id,
            )
        }
        None => None,
    };
    let told = |partition: quipu_core::engine::Partition, chunks: u64| {
        println!("{}: {chunks} chunks", partition.knowledge_base());
    };
    let done = index::reindex(&app, tenant, kb, &told).await?;
    println!(
        "{} knowledge bases with {} chunks were indexed anew ({})",
        done.knowledge_bases,
        done.chunks,
        app.engine.name()
    );
    Ok(())
}
