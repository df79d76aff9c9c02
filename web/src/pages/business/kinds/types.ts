import type { Schemas } from '../../../api/client';
import type { Texts } from '../../../i18n';
import type { DataOf, ItemOf, KindName } from '../catalogue';
import type { Currency } from '../setting';

/** Sets of words to choose from; their texts stand under the same names. */
export const CHOICES = {
  policyKinds: ['cancellation', 'rescheduling', 'payment', 'warranty', 'refunds', 'privacy', 'general'],
  bookedWith: ['staff', 'table', 'branch', 'nothing'],
  moments: ['greeting', 'farewell', 'confirmation', 'appointment_reminder', 'promotion'],
} as const satisfies {
  policyKinds: readonly Schemas['PolicyKind'][];
  bookedWith: readonly Schemas['BookedWith'][];
  moments: readonly Schemas['TemplateTrigger'][];
};

export type Editor =
  | { editor: 'line'; max: number; type?: 'tel' | 'email' | 'url' }
  | { editor: 'text'; max: number; rows?: number }
  | { editor: 'template'; max: number }
  | { editor: 'switch' }
  | { editor: 'number'; min: number; max: number }
  | { editor: 'money' }
  | { editor: 'duration'; min: number; max: number; step?: number }
  | { editor: 'durations'; min: number; max: number; most: number }
  | { editor: 'choice'; from: keyof typeof CHOICES }
  | { editor: 'currency' }
  | { editor: 'tags'; max: number; most: number }
  | { editor: 'lines'; max: number; most: number }
  | { editor: 'suggest'; max: number; kind: KindName; field: string }
  | { editor: 'reference'; kind: KindName }
  | { editor: 'references'; kind: KindName; most: number }
  | { editor: 'timeZone' }
  | { editor: 'hours'; own: boolean }
  | { editor: 'timeOff' }
  | { editor: 'options' }
  | { editor: 'promotion' }
  | { editor: 'discount' }
  | { editor: 'spend' };

/** What is asked for, and with what. The name may lead inside: `orders.pickup`. */
export type Field<N extends string = string> = Editor & { name: N; required?: boolean };

export type Section<N extends string = string> = {
  title: keyof Texts['business']['sections'];
  fields: Field<N>[];
};

/** How things are written in a list. */
export type Show = {
  t: Texts;
  money: (money: Schemas['Money']) => string;
  minutes: (minutes: number) => string;
  branch: (id: string) => string;
};

export type Fact<K extends KindName> = {
  label: keyof DataOf<K> & string;
  text: (item: ItemOf<K>, show: Show) => string | undefined;
  right?: boolean;
  /** How much of the row it takes: a sentence, or a number. */
  room?: 'long' | 'short';
};

/** Things of another kind that point at this one and are chosen here. */
export type Linked = { name: string; kind: KindName; by: string };

/** All that is different about a kind of thing. */
export type Kind<K extends KindName = KindName> = {
  name: K;
  /** The field that it is known by. */
  title: keyof DataOf<K> & string;
  blank: (currency: Currency) => Partial<DataOf<K>>;
  sections: Section<(keyof DataOf<K> & string) | 'services'>[];
  facts: Fact<K>[];
  /** What the list can be narrowed to, and how a value of it is written. */
  group?: { field: keyof DataOf<K> & string; text?: (value: string, show: Show) => string };
  /** Where it stands in the list; by its name otherwise. */
  place?: (item: ItemOf<K>) => number;
  /** What changes every day, switched in the list. */
  quick?: keyof DataOf<K> & string;
  linked?: Linked;
  /** Whether it can be read from a table and written into one. */
  table?: boolean;
};
