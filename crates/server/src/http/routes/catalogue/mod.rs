//! What a business offers and has to say: the same five operations for every kind of thing, and a
//! table in and out for those that people keep in spreadsheets.

mod instruction_statistics;
mod operations;
mod tables;

use crate::http::AppState;
use operations::catalogue_routes;
use quipu_commerce::business::{
    Article, Branch, Competitor, DeliveryZone, Dish, Faq, Instruction, MenuCategory, Policy,
    ResponseTemplate, Reward, Service, Staff, Table,
};
use utoipa_axum::router::OpenApiRouter;

catalogue_routes! {
    branches: Branch, "branch_id", "/api/v1/branches", "/api/v1/branches/{branch_id}",
        "list_branches", "create_branch", "get_branch", "update_branch", "delete_branch";
    staff: Staff, "staff_id", "/api/v1/staff", "/api/v1/staff/{staff_id}",
        "list_staff", "create_staff", "get_staff", "update_staff", "delete_staff";
    dining_tables: Table, "table_id", "/api/v1/tables", "/api/v1/tables/{table_id}",
        "list_tables", "create_table", "get_table", "update_table", "delete_table";
    services: Service, "service_id", "/api/v1/services", "/api/v1/services/{service_id}",
        "list_services", "create_service", "get_service", "update_service", "delete_service";
    menu_categories: MenuCategory, "menu_category_id", "/api/v1/menu-categories",
        "/api/v1/menu-categories/{menu_category_id}", "list_menu_categories",
        "create_menu_category", "get_menu_category", "update_menu_category",
        "delete_menu_category";
    menu_items: Dish, "menu_item_id", "/api/v1/menu-items", "/api/v1/menu-items/{menu_item_id}",
        "list_menu_items", "create_menu_item", "get_menu_item", "update_menu_item",
        "delete_menu_item";
    delivery_zones: DeliveryZone, "delivery_zone_id", "/api/v1/delivery-zones",
        "/api/v1/delivery-zones/{delivery_zone_id}", "list_delivery_zones",
        "create_delivery_zone", "get_delivery_zone", "update_delivery_zone",
        "delete_delivery_zone";
    policies: Policy, "policy_id", "/api/v1/policies", "/api/v1/policies/{policy_id}",
        "list_policies", "create_policy", "get_policy", "update_policy", "delete_policy";
    faqs: Faq, "faq_id", "/api/v1/faqs", "/api/v1/faqs/{faq_id}",
        "list_faqs", "create_faq", "get_faq", "update_faq", "delete_faq";
    articles: Article, "article_id", "/api/v1/articles", "/api/v1/articles/{article_id}",
        "list_articles", "create_article", "get_article", "update_article", "delete_article";
    response_templates: ResponseTemplate, "response_template_id", "/api/v1/response-templates",
        "/api/v1/response-templates/{response_template_id}", "list_response_templates",
        "create_response_template", "get_response_template", "update_response_template",
        "delete_response_template";
    competitors: Competitor, "competitor_id", "/api/v1/competitors",
        "/api/v1/competitors/{competitor_id}", "list_competitors", "create_competitor",
        "get_competitor", "update_competitor", "delete_competitor";
    rewards: Reward, "reward_id", "/api/v1/rewards", "/api/v1/rewards/{reward_id}",
        "list_rewards", "create_reward", "get_reward", "update_reward", "delete_reward";
    instructions: Instruction, "instruction_id", "/api/v1/instructions",
        "/api/v1/instructions/{instruction_id}", "list_instructions", "create_instruction",
        "get_instruction", "update_instruction", "delete_instruction";
}

pub(super) fn router() -> OpenApiRouter<AppState> {
    kinds()
        .merge(tables::exports())
        .routes(utoipa_axum::routes!(instruction_statistics::handler))
}

/// What takes its time.
pub(super) fn imports() -> OpenApiRouter<AppState> {
    tables::imports()
}
