import type { Texts } from './es';
import { en as agenda } from './texts/en/agenda';
import { en as agentTrials } from './texts/en/agent-trials';
import { en as agents } from './texts/en/agents';
import { en as business } from './texts/en/business';
import { en as channels } from './texts/en/channels';
import { en as conversations } from './texts/en/conversations';
import { en as customers } from './texts/en/customers';
import { en as entry } from './texts/en/entry';
import { en as gaps } from './texts/en/gaps';
import { en as joining } from './texts/en/joining';
import { en as knowledge } from './texts/en/knowledge';
import { en as metrics } from './texts/en/metrics';
import { en as orders } from './texts/en/orders';
import { en as rehearsals } from './texts/en/rehearsals';
import { en as settings } from './texts/en/settings';
import { en as shell } from './texts/en/shell';
import { en as versions } from './texts/en/versions';
import { en as websites } from './texts/en/websites';
import { en as why } from './texts/en/why';

export const en: Texts = {
  ...agenda,
  ...agentTrials,
  ...agents,
  ...business,
  ...channels,
  ...conversations,
  ...customers,
  ...entry,
  ...gaps,
  ...joining,
  ...knowledge,
  ...metrics,
  ...orders,
  ...rehearsals,
  ...settings,
  ...shell,
  ...versions,
  ...websites,
  ...why,
};
