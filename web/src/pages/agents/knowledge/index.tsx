import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import { TextLink } from '../../../parts/links';
import type { DocumentSearch } from '../../../routes/knowledge';
import { DocumentList } from '../../knowledge/documents';
import { TextForm } from '../../knowledge/documents/text';
import { baseOf } from '../../knowledge/queries';
import { useBaseRights } from '../../knowledge/rights';
import type { SavedAgent } from '../queries';
import { FormSection } from '../section';

/** What an agent knows by itself: texts, files and pages that it alone reads. */
export function AgentKnowledge({
  tenant,
  agent,
  search,
}: {
  tenant: string;
  agent: SavedAgent;
  search: DocumentSearch;
}) {
  const t = useTexts();
  const kb = agent.knowledge_base_id;
  const { writes } = useBaseRights(tenant, useQuery(baseOf(tenant, kb)).data);
  return (
    <Stack>
      {writes && (
        <FormSection title={t.documents.teach} text={t.documents.teachText(agent.name)}>
          <TextForm tenant={tenant} kb={kb} />
        </FormSection>
      )}
      <DocumentList
        tenant={tenant}
        kb={kb}
        search={search}
        previews
        then={
          <TextLink
            to="/t/$tenant/agents/$agent"
            params={{ tenant, agent: agent.slug }}
            search={{ tab: 'talk' }}
            size="sm"
          >
            {t.documents.askNow(agent.name)}
          </TextLink>
        }
      />
      <TextLink to="/t/$tenant/knowledge" params={{ tenant }} size="sm">
        {t.documents.otherBases}
      </TextLink>
    </Stack>
  );
}
