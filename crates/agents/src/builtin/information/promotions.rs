//! What is on offer now, asked of the business as a whole.

use super::super::folded::{begins, field, items};
use super::super::scene::{Draft, Scene};
use super::super::voice::MOST_TOLD;
use quipu_core::Result;
use serde_json::json;

const OFFERS: &[&str] = &[
    "promo", "oferta", "descuent", "rebaja", "cupon", "2x1", "deal", "discount", "offer",
    "special", "coupon", "sale",
];
/// The words that such a question is made of besides. With any other, it is about something else.
const BESIDE: &str = "hola oye buenas buenos dias tardes noches que cual cuales hay tienen tiene tienes manejan ahora \
    ahorita hoy esta este semana mes alguna algun algunas algunos una un la las los el de en con me nos das dan dime \
    saber quiero quisiera conocer ver y o por favor porfa tengan estan es son vigentes vigente actuales disponibles \
    actualmente aqui ustedes what which any do you have are there is the on now right today this week month currently \
    can i get please hi hello got s";
/// Nobody asks that in more words.
const LONGEST: usize = 12;

impl Scene<'_> {
    /// Tells what is on offer. `false` when nothing of the kind is asked.
    pub(in super::super) async fn tell_promotions(&self, draft: &mut Draft) -> Result<bool> {
        let words: Vec<&str> = self.words.split(' ').collect();
        let known = |word: &&str| {
            begins(word, OFFERS) || BESIDE.split_whitespace().any(|known| known == *word)
        };
        let asks = words.len() <= LONGEST && begins(&self.words, OFFERS);
        if !asks || !words.iter().all(known) {
            return Ok(false);
        }
        let told = self.office.call("get_service_catalog", json!({})).await;
        let told = told.unwrap_or_default();
        let services = items(&told, "categories").iter();
        let services = services.flat_map(|category| items(category, "services"));
        let offers = services.filter_map(|service| {
            let (name, text) = (field(service, "name")?, field(service, "promotion_text")?);
            let price = field(service, "promotion_price");
            let price = price.map_or_else(String::new, |price| format!(" ({price})"));
            Some(format!("{name}: {}{price}", text.trim_end_matches('.')))
        });
        let offers: Vec<String> = offers.take(MOST_TOLD).collect();
        if offers.is_empty() {
            // What no table says may stand in a document.
            if !self.tell_knowledge(draft).await? {
                self.say_with_contact(draft, "no_information", &[]).await;
            }
            return Ok(true);
        }
        let list = offers.join("; ");
        draft.say(self.voice, "promotion.list", &[("list", &list)]);
        self.invite(draft);
        Ok(true)
    }
}
