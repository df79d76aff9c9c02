import { es as agenda } from './texts/es/agenda';
import { es as agents } from './texts/es/agents';
import { es as business } from './texts/es/business';
import { es as conversations } from './texts/es/conversations';
import { es as customers } from './texts/es/customers';
import { es as entry } from './texts/es/entry';
import { es as knowledge } from './texts/es/knowledge';
import { es as metrics } from './texts/es/metrics';
import { es as orders } from './texts/es/orders';
import { es as settings } from './texts/es/settings';
import { es as shell } from './texts/es/shell';
import type { Widened } from './widened';

/** Everything that is said, in Spanish. TypeScript refuses a key that English lacks. */
export const es = {
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

export type Texts = Widened<typeof es>;
