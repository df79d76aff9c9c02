//! The people of a tenant.
//!
//! A person can belong to several tenants with one account. That makes two things dangerous in
//! the hands of a tenant's admin, because they would open a door into another tenant: adding an
//! account that exists already (whoever made it may not be who the address says), and resetting
//! the password of somebody who also works elsewhere. Both are the platform's to do.

use crate::auth::{self, ResetToken};
use crate::once::{self, Once};
use crate::{Actor, App, api_keys, limits, removal};
use quipu_core::access::{Member, Permission, Role, UserStatus};
use quipu_core::page::{Page, PageRequest};
use quipu_core::removal::RowCounts;
use quipu_core::tenancy::TenantScope;
use quipu_core::validate::Checks;
use quipu_core::{Error, ErrorCode, Result, UserId};
use quipu_store::platform::NewUser;
use quipu_store::{PlatformTx, TenantTx};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InviteMember {
    #[schema(format = Email, min_length = 3, max_length = 254, example = "ana@ejemplo.pe")]
    pub email: String,
    #[schema(min_length = 1, max_length = 100, example = "Ana")]
    pub name: String,
    pub role: Role,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct InvitedMember {
    #[serde(flatten)]
    pub member: Member,
    /// For a new account: hand the token to the person, who sets a password with it. `null` for
    /// an account that existed, when the request was repeated, and to an API key: whoever holds the
    /// token can become that person, which must not outlive the key. Somebody who signed in gets one
    /// for the person with `POST /api/v1/members/{user_id}/reset-token`.
    pub invitation: Option<ResetToken>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateMember {
    #[serde(default)]
    pub role: Option<Role>,
    #[serde(default)]
    pub status: Option<UserStatus>,
}

/// # Errors
/// `EMAIL_UNAVAILABLE` when the address has an account and the actor is not above tenants,
/// `ALREADY_EXISTS` when the person is a member, or the plan's limit.
pub async fn invite(app: &App, actor: &Actor, input: InviteMember) -> Result<InvitedMember> {
    actor.require(Permission::MembersWrite)?;
    may_grant(actor, input.role)?;
    let mut checks = Checks::new();
    let email = checks.email("email", &input.email);
    let name = checks.line("name", &input.name, 100);
    checks.finish()?;

    let counted = !actor.is_above_tenants();
    if counted {
        app.rate.probe(actor.tenant_id())?;
    }
    let done = match add(app, actor, &input, &email, &name).await {
        // Somebody else made the account between our look and our insert. Now it is there to be
        // found, and perhaps this very request made it.
        Err(error) if error.details().get("resource").is_some_and(|r| r == "user") => {
            add(app, actor, &input, &email, &name).await
        }
        done => done,
    };
    let is_elsewhere = matches!(&done, Err(error) if error.code() == ErrorCode::EmailUnavailable);
    if is_elsewhere {
        note_probe(app, actor).await?;
    } else if counted {
        app.rate.take_back_probe(actor.tenant_id());
    }
    done
}

/// That an address has an account elsewhere cannot be kept from whoever invites it: they hand the
/// token over by which a new one is opened. It is told a few times an hour, and written down.
async fn note_probe(app: &App, actor: &Actor) -> Result<()> {
    let tenant = actor.tenant_id();
    tracing::warn!(tenant.id = %tenant, actor = %actor.name(), "an address with an account elsewhere was invited to tenant {tenant}");
    let tx = app.store.begin(actor.scope()).await?;
    let target = format!("tenant:{tenant}");
    actor
        .audit(&tx, "member.invite_refused", target, json!({}))
        .await?;
    tx.commit().await
}

async fn add(
    app: &App,
    actor: &Actor,
    input: &InviteMember,
    email: &str,
    name: &str,
) -> Result<InvitedMember> {
    let platform = app.store.platform().await?;
    let existing = platform.users().find_by_email(email).await?;
    let (user, invitation) = if let Some(user) = existing {
        // A token that another tenant's admin may still hold must not open this one.
        platform.password_resets().delete_all(user.id).await?;
        (user.id, None)
    } else {
        let user = platform
            .users()
            .insert(&NewUser {
                email: email.to_owned(),
                name: name.to_owned(),
                password_hash: None,
                super_admin: false,
                must_change_password: false,
            })
            .await?;
        let invitation = auth::issue_reset(app, &platform, user.id).await?;
        (user.id, Some(invitation))
    };
    let tx = platform.enter_tenant(actor.scope()).await?;
    let tx = match once::resume(tx, actor, "member.invite", input).await? {
        Once::Again(invited) => return Ok(invited),
        Once::First(tx) => tx,
    };
    if invitation.is_none() {
        if tx.members().find(user).await?.is_some() {
            return Err(Error::already_exists("member", "email"));
        }
        if !actor.is_above_tenants() {
            return Err(Error::new(ErrorCode::EmailUnavailable));
        }
    }
    limits::room_for_member(&tx).await?;
    tx.members().insert(user, input.role).await?;
    let details = json!({ "role": input.role });
    actor
        .audit(&tx, "member.invite", format!("user:{user}"), details)
        .await?;
    let member = load(&tx, user).await?;
    tx.commit(&InvitedMember {
        member: member.clone(),
        invitation: None,
    })
    .await?;
    let invitation = invitation.filter(|_| actor.api_key_id().is_none());
    Ok(InvitedMember { member, invitation })
}

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list(app: &App, actor: &Actor, page: PageRequest) -> Result<Page<Member>> {
    actor.require(Permission::MembersRead)?;
    app.store
        .read(actor.scope())
        .await?
        .members()
        .list(page)
        .await
}

/// # Errors
/// `NOT_FOUND` when the person is not of this tenant.
pub async fn get(app: &App, actor: &Actor, user: UserId) -> Result<Member> {
    actor.require(Permission::MembersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    tx.members()
        .find(user)
        .await?
        .ok_or_else(|| Error::not_found("member"))
}

/// # Errors
/// `NOT_FOUND`, or `LAST_ADMIN` when nobody could administer the tenant any more.
pub async fn update(app: &App, actor: &Actor, user: UserId, input: UpdateMember) -> Result<Member> {
    actor.require(Permission::MembersWrite)?;
    if let Some(role) = input.role {
        // What somebody may do would outlive the key that let them.
        actor.require_person()?;
        may_grant(actor, role)?;
    }
    let before = load(&app.store.read(actor.scope()).await?, user).await?;
    if input.status.is_some_and(|status| status != before.status)
        && before.status != UserStatus::Active
    {
        // So would what they may do who are let in again.
        actor.require_person()?;
        may_grant(actor, before.role)?;
    }
    let goes = |before: &Member| {
        let role = input.role.unwrap_or(before.role);
        let status = input.status.unwrap_or(before.status);
        is_admin(before.role, before.status) && !is_admin(role, status)
    };
    let platform = app.store.platform().await?;
    if goes(&before) {
        end_invitations(&platform, actor).await?;
    }
    let tx = platform.enter_tenant(actor.scope()).await?;
    tx.profile().lock_plan().await?;
    if goes(&load(&tx, user).await?) {
        keep_an_admin(&tx).await?;
    }
    tx.members().update(user, input.role, input.status).await?;
    let details = serde_json::to_value(&input).map_err(Error::internal)?;
    actor
        .audit(&tx, "member.update", format!("user:{user}"), details)
        .await?;
    let member = load(&tx, user).await?;
    tx.commit().await?;
    Ok(member)
}

/// Takes the person out of the tenant, with what only they could see in it. The account stays: it
/// may belong to other tenants.
///
/// # Errors
/// `NOT_FOUND`, or `LAST_ADMIN` when nobody could administer the tenant any more.
pub async fn remove(app: &App, actor: &Actor, user: UserId) -> Result<()> {
    actor.require(Permission::MembersWrite)?;
    let before = load(&app.store.read(actor.scope()).await?, user).await?;
    let platform = app.store.platform().await?;
    platform.password_resets().delete_all(user).await?;
    if before.role == Role::Admin {
        end_invitations(&platform, actor).await?;
    }
    // What is theirs alone goes with them, unseen by whoever lets them go.
    let scope = TenantScope::of(actor.tenant_id());
    let tx = platform.enter_tenant(scope).await?;
    for kb in tx.knowledge_bases().personal_of(user).await? {
        removal::call_off(&tx, kb.id).await?;
    }
    tx.profile().lock_plan().await?;
    let before = load(&tx, user).await?;
    if is_admin(before.role, before.status) {
        keep_an_admin(&tx).await?;
    }
    api_keys::revoke_all_of(&tx, actor, user).await?;
    tx.members().delete(user).await?;
    // What only they could see has no reader left.
    let personal = tx.knowledge_bases().personal_of(user).await?;
    let prefixes: Vec<String> = personal.iter().map(|kb| kb.id.to_string()).collect();
    for kb in &personal {
        tx.knowledge_bases().delete(kb).await?;
    }
    if !prefixes.is_empty() {
        let order = removal::sweep(app, actor.tenant_id(), prefixes.clone(), Some(user));
        tx.jobs().enqueue(&order).await?;
    }
    let details = json!({ "personal_knowledge_bases": personal.len() });
    actor
        .audit(&tx, "member.remove", format!("user:{user}"), details)
        .await?;
    tx.commit().await?;
    removal::remove(app, scope, &prefixes, RowCounts::default()).await;
    Ok(())
}

/// Issues a one-time token with which a member sets a new password.
///
/// # Errors
/// `NOT_FOUND`, or `MEMBER_ELSEWHERE` when the person's account opens more than this tenant.
pub async fn reset_token(app: &App, actor: &Actor, user: UserId) -> Result<ResetToken> {
    actor.require(Permission::MembersWrite)?;
    let member = app
        .store
        .read(actor.scope())
        .await?
        .members()
        .find(user)
        .await?;
    member.ok_or_else(|| Error::not_found("member"))?;
    // A key must not turn itself into a person with more rights than its scopes.
    actor.require_person()?;
    let platform = app.store.platform().await?;
    let account = platform
        .users()
        .find(user)
        .await?
        .ok_or_else(|| Error::not_found("member"))?;
    let tenants = platform.tenants().count_of_user(user).await?;
    if !actor.is_above_tenants() && (account.super_admin || tenants != 1) {
        return Err(Error::new(ErrorCode::MemberElsewhere));
    }
    let reset = auth::issue_reset(app, &platform, user).await?;
    let tx = platform.enter_tenant(actor.scope()).await?;
    actor
        .audit(&tx, "member.reset_token", format!("user:{user}"), json!({}))
        .await?;
    tx.commit().await?;
    Ok(reset)
}

/// Whoever could invite may still hold the token of somebody they invited, and would come back with it.
/// Who has not used theirs is given another.
async fn end_invitations(platform: &PlatformTx, actor: &Actor) -> Result<()> {
    let resets = platform.password_resets();
    resets.delete_of_tenant(actor.tenant_id()).await
}

/// Nobody hands out more than they hold; a key with few scopes makes no admins.
fn may_grant(actor: &Actor, role: Role) -> Result<()> {
    role.permissions()
        .into_iter()
        .try_for_each(|permission| actor.require(permission))
}

fn is_admin(role: Role, status: UserStatus) -> bool {
    role == Role::Admin && status == UserStatus::Active
}

async fn keep_an_admin(tx: &TenantTx) -> Result<()> {
    if tx.members().count_admins().await? <= 1 {
        return Err(Error::new(ErrorCode::LastAdmin));
    }
    Ok(())
}

async fn load(tx: &TenantTx, user: UserId) -> Result<Member> {
    tx.members()
        .find(user)
        .await?
        .ok_or_else(|| Error::not_found("member"))
}
