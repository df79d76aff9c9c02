import { CHOICES, type Kind, type Show } from './types';

const policyName = (kind: string, show: Show) => {
  const known = CHOICES.policyKinds.find((one) => one === kind);
  return known ? show.t.business.choices.policyKinds[known] : kind;
};

export const policies: Kind<'policies'> = {
  name: 'policies',
  title: 'title',
  group: { field: 'kind', text: policyName },
  blank: () => ({ kind: 'general', title: '', policy: '', active: true }),
  sections: [
    {
      title: 'basics',
      fields: [
        { name: 'title', editor: 'line', max: 120, required: true },
        { name: 'kind', editor: 'choice', from: 'policyKinds', required: true },
        { name: 'short_version', editor: 'text', max: 600 },
        { name: 'policy', editor: 'text', max: 20_000, rows: 8, required: true },
        { name: 'active', editor: 'switch' },
      ],
    },
  ],
  facts: [
    { label: 'kind', text: (item, show) => policyName(item.kind, show) },
    { label: 'short_version', text: (item) => item.short_version ?? item.policy, room: 'long' },
  ],
};

export const faqs: Kind<'faqs'> = {
  name: 'faqs',
  title: 'question',
  table: true,
  group: { field: 'category' },
  blank: () => ({ question: '', answer: '', tags: [], active: true }),
  sections: [
    {
      title: 'basics',
      fields: [
        { name: 'question', editor: 'line', max: 300, required: true },
        { name: 'answer', editor: 'text', max: 20_000, rows: 5, required: true },
        { name: 'category', editor: 'suggest', max: 100, kind: 'faqs', field: 'category' },
        { name: 'tags', editor: 'tags', max: 50, most: 20 },
        { name: 'active', editor: 'switch' },
      ],
    },
  ],
  facts: [
    { label: 'category', text: (item) => item.category ?? undefined },
    { label: 'answer', text: (item) => item.answer, room: 'long' },
  ],
};

export const articles: Kind<'articles'> = {
  name: 'articles',
  title: 'title',
  group: { field: 'category' },
  blank: () => ({ title: '', content: '', tags: [], active: true }),
  sections: [
    {
      title: 'basics',
      fields: [
        { name: 'title', editor: 'line', max: 120, required: true },
        { name: 'content', editor: 'text', max: 100_000, rows: 12, required: true },
        { name: 'category', editor: 'suggest', max: 100, kind: 'articles', field: 'category' },
        { name: 'tags', editor: 'tags', max: 50, most: 20 },
        { name: 'active', editor: 'switch' },
      ],
    },
  ],
  facts: [
    { label: 'category', text: (item) => item.category ?? undefined },
    { label: 'content', text: (item) => item.content.slice(0, 200), room: 'long' },
  ],
};

export const responseTemplates: Kind<'response-templates'> = {
  name: 'response-templates',
  title: 'name',
  group: { field: 'category' },
  blank: () => ({ name: '', text: '', triggers: [], active: true }),
  sections: [
    {
      title: 'basics',
      fields: [
        { name: 'name', editor: 'line', max: 120, required: true },
        { name: 'text', editor: 'template', max: 4000, required: true },
        { name: 'trigger_type', editor: 'choice', from: 'moments' },
        { name: 'triggers', editor: 'lines', max: 300, most: 50 },
        { name: 'category', editor: 'suggest', max: 100, kind: 'response-templates', field: 'category' },
        { name: 'active', editor: 'switch' },
      ],
    },
  ],
  facts: [
    { label: 'category', text: (item) => item.category ?? undefined },
    { label: 'text', text: (item) => item.text, room: 'long' },
  ],
};

export const competitors: Kind<'competitors'> = {
  name: 'competitors',
  title: 'name',
  blank: () => ({ name: '', aliases: [], strategy: '', strengths: [], active: true }),
  sections: [
    {
      title: 'basics',
      fields: [
        { name: 'name', editor: 'line', max: 120, required: true },
        { name: 'aliases', editor: 'tags', max: 120, most: 20 },
        { name: 'strategy', editor: 'text', max: 4000, rows: 4, required: true },
        { name: 'strengths', editor: 'lines', max: 300, most: 20 },
        { name: 'active', editor: 'switch' },
      ],
    },
  ],
  facts: [{ label: 'strategy', text: (item) => item.strategy, room: 'long' }],
};

function writeDiscount(
  discount: { kind: string; amount?: Parameters<Show['money']>[0]; percent?: number } | undefined,
  show: Show,
) {
  if (discount?.amount) return show.money(discount.amount);
  return discount?.percent ? `${discount.percent} %` : undefined;
}

export const rewards: Kind<'rewards'> = {
  name: 'rewards',
  title: 'name',
  place: (item) => item.tokens,
  blank: () => ({ name: '', tokens: 100, discount: { kind: 'none' }, active: true }),
  sections: [
    {
      title: 'basics',
      fields: [
        { name: 'name', editor: 'line', max: 120, required: true },
        { name: 'description', editor: 'text', max: 2000 },
        { name: 'tokens', editor: 'number', min: 1, max: 1_000_000_000, required: true },
        { name: 'discount', editor: 'discount' },
        { name: 'valid_days', editor: 'number', min: 1, max: 3650 },
        { name: 'active', editor: 'switch' },
      ],
    },
  ],
  facts: [
    { label: 'description', text: (item) => item.description ?? undefined, room: 'long' },
    { label: 'discount', text: (item, show) => writeDiscount(item.discount, show), right: true },
    { label: 'tokens', text: (item) => String(item.tokens), right: true, room: 'short' },
  ],
};
