import { es as agenda } from './texts/es/agenda';
import { es as agentTrials } from './texts/es/agent-trials';
import { es as agents } from './texts/es/agents';
import { es as business } from './texts/es/business';
import { es as channels } from './texts/es/channels';
import { es as conversations } from './texts/es/conversations';
import { es as customers } from './texts/es/customers';
import { es as entry } from './texts/es/entry';
import { es as gaps } from './texts/es/gaps';
import { es as joining } from './texts/es/joining';
import { es as knowledge } from './texts/es/knowledge';
import { es as metrics } from './texts/es/metrics';
import { es as orders } from './texts/es/orders';
import { es as rehearsals } from './texts/es/rehearsals';
import { es as settings } from './texts/es/settings';
import { es as shell } from './texts/es/shell';
import { es as versions } from './texts/es/versions';
import { es as websites } from './texts/es/websites';
import { es as why } from './texts/es/why';
import type { Widened } from './widened';

/** Everything that is said, in Spanish. TypeScript refuses a key that English lacks. */
export const es = {
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

export type Texts = Widened<typeof es>;
