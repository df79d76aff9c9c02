import { useRights } from '../settings/rights';
import type { KnowledgeBase } from './queries';

/** What whoever looks at a knowledge base may do there. */
export function useBaseRights(tenant: string, base: KnowledgeBase | undefined) {
  const { may } = useRights(tenant);
  // A personal one is shown to its owner alone.
  const manages = base !== undefined && may(base.scope === 'personal' ? 'chat' : 'knowledge:write');
  return {
    /** Change what it is called and how it works. */
    manages,
    /** Change what is in it: what the business tells about itself is written elsewhere. */
    writes: manages && base.scope !== 'business' && base.status === 'active',
    /** Those that come with an agent or the business go with that. */
    deletes: manages && (base.scope === 'global' || base.scope === 'personal'),
  };
}
