import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { ButtonLink } from '../../parts/links';
import { Page } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import { SingleForm } from './form/single';
import type { Section } from './kinds/types';
import { programmeOf } from './queries';
import { useSetting } from './setting';

type Programme = Schemas['LoyaltyProgramme'];

const SECTIONS: Section[] = [
  {
    title: 'basics',
    fields: [
      { name: 'name', editor: 'line', max: 120, required: true },
      { name: 'token_name', editor: 'line', max: 40, required: true },
      { name: 'active', editor: 'switch' },
    ],
  },
  {
    title: 'earning',
    fields: [
      { name: 'earning.spend', editor: 'spend' },
      { name: 'earning.per_appointment', editor: 'number', min: 0, max: 100_000, required: true },
      { name: 'earning.lasts_days', editor: 'number', min: 1, max: 3650 },
    ],
  },
];

/** How customers collect points. */
export function LoyaltyPage() {
  const t = useTexts();
  const { tenant } = useSetting();
  const queries = useQueryClient();
  const programme = useQuery(programmeOf(tenant));
  const words = t.business.programmeTexts;
  // Without a programme there is nothing to read, and one to make.
  const none = programme.data === null;
  const blank: Programme = {
    name: '',
    token_name: words.points,
    active: true,
    earning: { spend: null, per_appointment: 0, lasts_days: null },
  };
  const initial = programme.data ?? (none ? blank : undefined);
  return (
    <Page
      title={t.business.programme}
      intro={none ? words.none : words.intro}
      actions={
        <ButtonLink variant="default" to="/t/$tenant/business/$kind" params={{ tenant, kind: 'rewards' }}>
          {words.rewards}
        </ButtonLink>
      }
    >
      {programme.isLoadingError && <FailureNotice error={programme.error} again={programme.refetch} />}
      {programme.isPending && <ListSkeleton />}
      {initial && (
        <SingleForm
          key={tenant}
          initial={initial}
          fresh={none}
          sections={SECTIONS}
          labels={words.labels}
          help={words.help}
          read={async () => (await queries.fetchQuery({ ...programmeOf(tenant), staleTime: 0 })) ?? undefined}
          save={(body) => told(api.PUT('/api/v1/loyalty/programme', { body }))}
          saved={(made) => queries.setQueryData(programmeOf(tenant).queryKey, made)}
        />
      )}
    </Page>
  );
}
