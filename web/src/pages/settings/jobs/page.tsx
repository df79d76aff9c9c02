import { Chip, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { ButtonLink } from '../../../parts/links';
import { EmptyState } from '../../../parts/page';
import { PagedList } from '../parts/paged-list';
import { RestrictedPage } from '../parts/refusal';
import { jobsOf } from '../queries';
import { JobRow } from './job';

type Status = Schemas['JobStatus'];

const STATUSES = ['dead', 'queued', 'running', 'succeeded', 'cancelled'] as const satisfies Status[];

export function JobsPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  return (
    <RestrictedPage
      tenant={tenant}
      needs="jobs:read"
      title={t.settings.sections.jobs}
      intro={t.settings.jobs.intro}
    >
      <JobList tenant={tenant} />
    </RestrictedPage>
  );
}

function JobList({ tenant }: { tenant: string }) {
  const t = useTexts();
  const navigate = useNavigate({ from: '/t/$tenant/settings/jobs' });
  const { status } = useSearch({ from: '/inside/t/$tenant/settings/jobs' });
  const list = useInfiniteQuery({
    ...jobsOf(tenant, status),
    // What waits or runs changes by itself.
    refetchInterval: (query) =>
      query.state.data?.pages.some((page) => page.data.some(isMoving)) ? 2_000 : false,
  });
  return (
    <>
      <Chip.Group
        value={status ?? 'all'}
        onChange={(value) =>
          navigate({
            search: { status: STATUSES.find((known) => known === value) },
            replace: true,
          })
        }
      >
        <Group gap="xs" role="radiogroup" aria-label={t.settings.jobs.filter}>
          <Chip value="all" size="sm">
            {t.settings.jobs.all}
          </Chip>
          {STATUSES.map((known) => (
            <Chip key={known} value={known} size="sm">
              {t.settings.jobs.statuses[known]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <PagedList
        label={t.settings.sections.jobs}
        list={list}
        keyOf={(job) => job.id}
        render={(job) => <JobRow tenant={tenant} job={job} />}
        empty={
          <EmptyState
            title={status === 'dead' ? t.settings.jobs.noneDead : t.settings.jobs.emptyTitle}
            text={status === 'dead' ? t.settings.jobs.noneDeadText : t.settings.jobs.emptyText}
            action={
              status ? (
                <ButtonLink to="/t/$tenant/settings/jobs" params={{ tenant }} search={{}} variant="default">
                  {t.settings.jobs.showAll}
                </ButtonLink>
              ) : (
                <ButtonLink to="/t/$tenant/knowledge" params={{ tenant }} variant="default">
                  {t.settings.jobs.toKnowledge}
                </ButtonLink>
              )
            }
          />
        }
      />
    </>
  );
}

/** Whether a job runs or is about to: a reminder for next week waits without being looked at. */
function isMoving(job: Schemas['Job']): boolean {
  const soon = Date.now() + 60_000;
  return job.status === 'running' || (job.status === 'queued' && Date.parse(job.run_at) < soon);
}
