use crate::config::Config;
use crate::setup;
use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use quipu_core::access::Principal;
use quipu_store::platform::NewUser;

#[derive(Args)]
pub(super) struct Admin {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Make another `super_admin` and print a token to set the password with.
    Create { email: String },
    /// Print a one-time token with which a person sets a new password.
    ResetToken { email: String },
}

pub(super) async fn run(config: &Config, admin: Admin) -> anyhow::Result<()> {
    if let Some(file) = config.sqlite_file()
        && !file.exists()
    {
        bail!(
            "there is no database at {}; give --data-dir or start the server once",
            file.display()
        );
    }
    let app = setup::build_unsearched_app(config).await?;
    app.store.migrate().await?;
    let id = match admin.what {
        What::Create { email } => {
            let mut checks = quipu_core::validate::Checks::new();
            let email = checks.email("email", &email);
            checks.finish()?;
            let tx = app.store.platform().await?;
            let user = tx
                .users()
                .insert(&NewUser {
                    name: email.clone(),
                    email,
                    password_hash: None,
                    super_admin: true,
                    must_change_password: false,
                })
                .await?;
            tx.commit().await?;
            user.id
        }
        What::ResetToken { email } => {
            let tx = app.store.platform_read().await?;
            let email = email.trim().to_lowercase();
            let user = tx.users().find_by_email(&email).await?;
            user.with_context(|| format!("nobody has the address {email}"))?
                .id
        }
    };
    let reset = quipu_app::users::reset_token(&app, &Principal::System, id).await?;
    println!("{}", reset.reset_token);
    eprintln!(
        "Use it until {} with POST /api/v1/auth/password/reset.",
        reset.expires_at
    );
    Ok(())
}
