import { api, type Schemas, told } from '../../api/client';

/** What is sent and what comes back, by kind. The changes of a kind are untyped in the API and typed here. */
export type Catalogue = {
  branches: { data: Schemas['Branch']; item: Schemas['Item_Branch'] };
  staff: { data: Schemas['Staff']; item: Schemas['Item_Staff'] };
  tables: { data: Schemas['Table']; item: Schemas['Item_Table'] };
  services: { data: Schemas['Service']; item: Schemas['Item_Service'] };
  'menu-categories': { data: Schemas['MenuCategory']; item: Schemas['Item_MenuCategory'] };
  'menu-items': { data: Schemas['MenuItemData']; item: Schemas['Item_MenuItemData'] };
  'delivery-zones': { data: Schemas['DeliveryZone']; item: Schemas['Item_DeliveryZone'] };
  policies: { data: Schemas['Policy']; item: Schemas['Item_Policy'] };
  faqs: { data: Schemas['Faq']; item: Schemas['Item_Faq'] };
  articles: { data: Schemas['Article']; item: Schemas['Item_Article'] };
  'response-templates': { data: Schemas['ResponseTemplate']; item: Schemas['Item_ResponseTemplate'] };
  competitors: { data: Schemas['Competitor']; item: Schemas['Item_Competitor'] };
  rewards: { data: Schemas['LoyaltyReward']; item: Schemas['Item_LoyaltyReward'] };
};

export type KindName = keyof Catalogue;
export type DataOf<K extends KindName> = Catalogue[K]['data'];
export type ItemOf<K extends KindName> = Catalogue[K]['item'];
/** `null` takes a field back to what it is when left out. */
export type PatchOf<K extends KindName> = { [F in keyof DataOf<K>]?: DataOf<K>[F] | null };
export type PageOf<K extends KindName> = { data: ItemOf<K>[]; next_cursor?: string | null };

type Init = {
  params?: { query?: Record<string, unknown>; header?: Record<string, string> };
  body?: unknown;
};
type Call = (path: string, init?: Init) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
/** All kinds have the same operations; that the path is one of theirs is seen to below. */
const any = api as unknown as Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Call>;
const one = (kind: KindName, id: string) => `/api/v1/${kind}/${encodeURIComponent(id)}`;

export type ListFilter = { active?: boolean; limit?: number; cursor?: string };

export function listItems<K extends KindName>(kind: K, query: ListFilter): Promise<PageOf<K>> {
  return told(any.GET(`/api/v1/${kind}`, { params: { query } })) as Promise<PageOf<K>>;
}

export function getItem<K extends KindName>(kind: K, id: string): Promise<ItemOf<K>> {
  return told(any.GET(one(kind, id))) as Promise<ItemOf<K>>;
}

export function createItem<K extends KindName>(kind: K, body: DataOf<K>, header: Record<string, string>) {
  return told(any.POST(`/api/v1/${kind}`, { body, params: { header } })) as Promise<ItemOf<K>>;
}

export function changeItem<K extends KindName>(kind: K, id: string, body: PatchOf<K>): Promise<ItemOf<K>> {
  return told(any.PATCH(one(kind, id), { body })) as Promise<ItemOf<K>>;
}

export function deleteItem(kind: KindName, id: string): Promise<unknown> {
  return told(any.DELETE(one(kind, id)));
}
