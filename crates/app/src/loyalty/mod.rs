//! The loyalty programme, and the tokens that customers collect and spend.
//!
//! Functions that end in `_in` are steps of a larger transaction, such as that of an order. They
//! lock the lead before they read the ledger, so that of two who spend at once one sees what the
//! other left.

mod lapsing;
mod ledger;
mod programme;
mod redemptions;

pub use lapsing::write_down_lapsed;
pub use ledger::{
    Adjustment, Award, LoyaltyBalance, RewardInReach, adjust, adjust_in, award_in, balance,
    balance_in, expire_in, transactions,
};
pub use programme::{programme, put_programme};
pub use redemptions::{RedeemReward, cancel, cancel_in, redeem, redeem_in, redemptions};

use quipu_commerce::business::LoyaltyProgramme;
use quipu_core::{Error, ErrorCode, Result};
use quipu_store::TenantTx;

/// What the settings call it.
const PROGRAMME: &str = "loyalty";

async fn stored_programme(tx: &TenantTx) -> Result<Option<LoyaltyProgramme>> {
    tx.settings().get(PROGRAMME).await
}

pub(crate) async fn store_programme(tx: &TenantTx, programme: &LoyaltyProgramme) -> Result<()> {
    tx.settings().put(PROGRAMME, programme).await
}

pub(crate) async fn active_programme(tx: &TenantTx) -> Result<LoyaltyProgramme> {
    stored_programme(tx)
        .await?
        .filter(|programme| programme.active)
        .ok_or_else(|| Error::new(ErrorCode::LoyaltyInactive))
}
