//! What a file of scenarios says and is not put into the product.

use super::file::{Rest, Scenario};

impl Scenario {
    /// What the file says of the business and the customer that is not put into the product.
    pub(super) fn not_loaded(&self) -> Vec<String> {
        // What a reader is told besides, and the names of files and tenants, change nothing.
        const ONLY_TOLD: &[&str] = &["lang", "vertical", "notes", "tags"];
        let mut names = Vec::new();
        let mut note = |place: &str, rest: &Rest| {
            let unknown = rest.keys().filter(|key| match place {
                "" => !ONLY_TOLD.contains(&key.as_str()),
                "tenant." => key.as_str() != "id",
                _ => true,
            });
            names.extend(unknown.map(|key| format!("{place}{key}")));
        };
        let (tenant, customer) = (&self.tenant, &self.customer);
        note("", &self.rest);
        note("tenant.", &tenant.rest);
        tenant
            .branches
            .iter()
            .for_each(|it| note("tenant.branches.", &it.rest));
        tenant
            .staff
            .iter()
            .for_each(|it| note("tenant.staff.", &it.rest));
        tenant
            .services
            .iter()
            .for_each(|it| note("tenant.services.", &it.rest));
        tenant
            .menu
            .iter()
            .for_each(|it| note("tenant.menu.", &it.rest));
        tenant
            .faqs
            .iter()
            .for_each(|it| note("tenant.faqs.", &it.rest));
        if let Some(delivery) = &tenant.delivery {
            note("tenant.delivery.", &delivery.rest);
        }
        if let Some(loyalty) = &tenant.loyalty {
            note("tenant.loyalty.", &loyalty.rest);
            loyalty
                .rewards
                .iter()
                .for_each(|it| note("tenant.loyalty.rewards.", &it.rest));
        }
        note("customer.", &customer.rest);
        let booked = customer.appointments.iter();
        booked.for_each(|it| note("customer.appointments.", &it.rest));
        let placed = customer.orders.iter();
        placed.for_each(|it| note("customer.orders.", &it.rest));
        self.busy.iter().for_each(|it| note("busy.", &it.rest));
        names.sort();
        names.dedup();
        names
    }
}
