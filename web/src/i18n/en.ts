import type { Texts } from './es';
import { en as agenda } from './texts/en/agenda';
import { en as agents } from './texts/en/agents';
import { en as business } from './texts/en/business';
import { en as conversations } from './texts/en/conversations';
import { en as customers } from './texts/en/customers';
import { en as entry } from './texts/en/entry';
import { en as knowledge } from './texts/en/knowledge';
import { en as metrics } from './texts/en/metrics';
import { en as orders } from './texts/en/orders';
import { en as settings } from './texts/en/settings';
import { en as shell } from './texts/en/shell';

export const en: Texts = {
  ...agenda,
  ...agents,
  ...business,
  ...conversations,
  ...customers,
  ...entry,
  ...knowledge,
  ...metrics,
  ...orders,
  ...settings,
  ...shell,
};
