import type { Schemas } from '../../api/client';
import type { KindName } from '../business/catalogue';

type Citation = Schemas['Citation'];
type Turn = Schemas['TurnDetails'];

/** Something that an answer was made of, and that somebody may have to correct. */
export type Origin =
  | { kind: 'passage'; key: string; name: string | undefined; citation: Citation }
  | {
      kind: 'item';
      key: string;
      item: KindName;
      /** Absent where a tool told only the name. */
      id: string | undefined;
      name: string;
      tool?: string;
      citation?: Citation;
    }
  | { kind: 'instruction'; key: string; id: string; inPrompt: boolean }
  | { kind: 'profile'; key: string; tool: string };

/** What the API calls the kinds of things of a business, and where they are. */
const KIND_OF: Record<string, KindName> = {
  branch: 'branches',
  staff: 'staff',
  table: 'tables',
  service: 'services',
  menu_category: 'menu-categories',
  menu_item: 'menu-items',
  delivery_zone: 'delivery-zones',
  policy: 'policies',
  faq: 'faqs',
  article: 'articles',
  response_template: 'response-templates',
  competitor: 'competitors',
  reward: 'rewards',
};

/** What the results of a tool are things of. */
const TOOL_KIND: Record<string, KindName> = {
  get_branch_info: 'branches',
  get_staff_info: 'staff',
  get_service_info: 'services',
  list_services: 'services',
  get_service_catalog: 'services',
  get_menu: 'menu-items',
  get_policy: 'policies',
  get_faq: 'faqs',
  get_response_template: 'response-templates',
  get_competitor_strategy: 'competitors',
};
/** Kinds that tools tell with their ids; anything else in their results is something else. */
const WITH_ID: KindName[] = ['branches', 'staff', 'services', 'menu-items'];
/** How many things are shown when an answer names none of them. */
const FEW = 3;

type Told = { id: string | undefined; name: string };

const textOf = (value: unknown) => (typeof value === 'string' && value ? value : undefined);

const folded = (text: string) =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase().replace(/\s+/g, ' ');

/** Everything with a name in a result, however deep. */
function toldIn(value: unknown, found: Told[] = []): Told[] {
  if (Array.isArray(value)) for (const one of value) toldIn(one, found);
  else if (typeof value === 'object' && value !== null) {
    const fields = value as Record<string, unknown>;
    const name = textOf(fields.name) ?? textOf(fields.question) ?? textOf(fields.title);
    if (name) found.push({ id: textOf(fields.id), name });
    for (const one of Object.values(fields)) toldIn(one, found);
  }
  return found;
}

/** The same for a result that was cut because it was long: its fields stand in the order of their names. */
function toldInText(text: string): Told[] {
  const quoted = (raw: string) => {
    try {
      return String(JSON.parse(`"${raw}"`));
    } catch {
      return raw;
    }
  };
  const named = /"id":"([0-9a-f-]{36})","?[^{}]*?"name":"((?:[^"\\]|\\.)*)"/g;
  const asked = /"(?:question|title)":"((?:[^"\\]|\\.)*)"/g;
  return [
    ...[...text.matchAll(named)].map(([, id, name = '']) => ({ id, name: quoted(name) })),
    ...[...text.matchAll(asked)].map(([, name = '']) => ({ id: undefined, name: quoted(name) })),
  ];
}

function ofCitation(citation: Citation): Origin {
  const { business } = citation;
  if (business?.kind === 'instruction')
    return { kind: 'instruction', key: `instruction ${business.id}`, id: business.id, inPrompt: false };
  const item = business ? KIND_OF[business.kind] : undefined;
  if (!business || !item)
    return { kind: 'passage', key: citation.chunk_id, name: citation.title ?? undefined, citation };
  const name = citation.title ?? '';
  return { kind: 'item', key: `${item} ${business.id}`, item, id: business.id, name, citation };
}

type ToldOrigin = { origin: Origin; named: boolean };

/** What a tool told, and whether the answer speaks of it. */
function ofTool(details: Record<string, unknown>, answer: string): ToldOrigin[] {
  const tool = String(details.tool ?? '');
  if (details.error) return [];
  if (tool === 'get_business_info')
    return [{ origin: { kind: 'profile', key: 'profile', tool }, named: true }];
  const item = TOOL_KIND[tool];
  if (!item) return [];
  const { result } = details;
  const all = typeof result === 'string' ? toldInText(result) : toldIn(result);
  const told = WITH_ID.includes(item) ? all.filter(({ id }) => id) : all;
  const said = folded(answer);
  return told.map(({ id, name }) => ({
    origin: { kind: 'item', key: `${item} ${id ?? folded(name)}`, item, id, name, tool },
    named: told.length === 1 || said.includes(folded(name)),
  }));
}

/** What is behind an answer, each thing once, and how many more the tools told of. */
export function originsOf(turn: Turn): { origins: Origin[]; rest: number } {
  const { trace } = turn;
  const origins: Origin[] = (trace.citations ?? []).map(ofCitation);
  const told: ToldOrigin[] = [];
  for (const { name, details } of trace.steps) {
    const known = details as Record<string, unknown>;
    if (name === 'tool') told.push(...ofTool(known, turn.answer));
    if (name === 'search' && Array.isArray(known.instructions))
      for (const id of known.instructions)
        origins.push({ kind: 'instruction', key: `instruction ${id}`, id: String(id), inPrompt: false });
  }
  // Where the answer names nothing of what tools told, some of it is shown all the same.
  const named = told.filter((one) => one.named);
  const shown = named.length > 0 || origins.length > 0 ? named : told.slice(0, FEW);
  origins.push(...shown.map(({ origin }) => origin));
  const rest = told.length - shown.length;
  const seen = new Set<string>();
  const names = new Set<string>();
  const each = origins.filter((origin) => {
    // A frequent question is found by a search with its id, and told by a tool with its words alone.
    const name = origin.kind === 'item' ? `${origin.item} ${folded(origin.name)}` : origin.key;
    if (seen.has(origin.key) || names.has(name)) return false;
    seen.add(origin.key);
    names.add(name);
    return true;
  });
  return { origins: each, rest };
}
