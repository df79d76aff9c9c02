//! Where orders are brought, for how much, and from which amount on.

use super::super::folded::{begins, field, folded, items, says};
use super::super::scene::{Draft, Scene};
use super::super::voice::MOST_TOLD;
use super::money;
use quipu_core::Result;
use serde_json::{Value, json};

impl Scene<'_> {
    /// The minimum of an order, when it is asked for.
    pub(in super::super) async fn tell_minimum(&self, draft: &mut Draft) -> Result<bool> {
        let asked = begins(&self.words, &["minimo", "minima", "minimum"]);
        if !asked {
            return Ok(false);
        }
        let info = self.office.call("get_business_info", json!({})).await?;
        // A zone may ask for more than whoever fetches it.
        let named = self.zone_in(items(&info, "delivery_zones")).is_some();
        let of_all = money(&info["orders"]["minimum"]).filter(|_| !named);
        let of_all = of_all.map(|minimum| minimum.format(self.voice.language));
        match of_all.or_else(|| self.minimum_of_zones(&info)) {
            Some(minimum) => draft.say(self.voice, "order.minimum", &[("minimum", &minimum)]),
            None => draft.say(self.voice, "order.no_minimum", &[]),
        }
        Ok(true)
    }

    /// What zones ask for: one amount where it is the same in all or one is named, else each.
    fn minimum_of_zones(&self, info: &Value) -> Option<String> {
        let zones = items(info, "delivery_zones");
        if let Some(zone) = self.zone_in(zones) {
            return field(zone, "minimum").map(str::to_owned);
        }
        let first = field(zones.first()?, "minimum");
        if zones.iter().all(|zone| field(zone, "minimum") == first) {
            return first.map(str::to_owned);
        }
        let each: Vec<String> = zones
            .iter()
            .filter_map(|zone| {
                Some(format!(
                    "{} ({})",
                    field(zone, "minimum")?,
                    field(zone, "name")?
                ))
            })
            .take(MOST_TOLD)
            .collect();
        Some(self.voice.and(&each))
    }

    /// Where orders are brought and what that costs, when it is asked for and the business has
    /// zones.
    pub(in super::super) async fn tell_delivery(&self, draft: &mut Draft) -> Result<bool> {
        if !self.asks_delivery() {
            return Ok(false);
        }
        let info = self.office.call("get_business_info", json!({})).await?;
        let zones = items(&info, "delivery_zones");
        if zones.is_empty() {
            return Ok(false);
        }
        if let Some(zone) = self.zone_in(zones) {
            let minutes = zone["minutes"]
                .as_u64()
                .map_or_else(String::new, |minutes| minutes.to_string());
            let filling = [
                ("zone", field(zone, "name").unwrap_or_default()),
                ("fee", field(zone, "fee").unwrap_or_default()),
                ("minimum", field(zone, "minimum").unwrap_or_default()),
                ("minutes", &minutes),
            ];
            draft.say(self.voice, "delivery.zone", &filling);
            return Ok(true);
        }
        let each: Vec<String> = zones
            .iter()
            .take(MOST_TOLD)
            .filter_map(|zone| {
                Some(format!(
                    "{} ({})",
                    field(zone, "name")?,
                    field(zone, "fee")?
                ))
            })
            .collect();
        let list = self.voice.and(&each);
        draft.say(self.voice, "delivery.zones", &[("list", &list)]);
        Ok(true)
    }

    /// Whether the message asks about the bringing itself and not for something to be brought.
    fn asks_delivery(&self) -> bool {
        const BRINGING: &[&str] = &[
            "envio",
            "envios",
            "entrega",
            "entregas",
            "reparto",
            "domicilio",
            "delivery",
            "shipping",
        ];
        const ASKED: &[&str] = &[
            "cuanto", "cobr", "cost", "cuest", "precio", "vale", "tard", "demor", "zona", "hasta",
            "donde", "how", "where", "fee",
        ];
        const REACH: &[&str] = &[
            "llegan a",
            "llegan hasta",
            "llevan a",
            "entregan a",
            "entregan en",
            "reparten a",
            "reparten en",
            "envian a",
            "mandan a",
            "hasta donde llevan",
            "a donde llevan",
            "hasta donde mandan",
            "deliver to",
        ];
        let words = &self.words;
        let named = words.split(' ').any(|word| BRINGING.contains(&word));
        let asks = self.text.contains('?') && says(words, REACH);
        // Whoever counts things is ordering them.
        let counts = words.chars().any(|c| c.is_ascii_digit());
        !counts && (asks || (named && begins(words, ASKED)))
    }

    /// The zone that the message names.
    fn zone_in<'z>(&self, zones: &'z [Value]) -> Option<&'z Value> {
        let named = |zone: &&Value| {
            field(zone, "name").is_some_and(|name| says(&self.words, &[&folded(name)]))
        };
        zones.iter().find(named)
    }
}
