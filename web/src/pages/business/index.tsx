import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { FailureNotice } from '../../parts/failures';
import { PageSkeleton } from '../../parts/skeletons';
import classes from './business.module.css';
import { BusinessNav } from './nav';
import { profileOf, tenantOf } from './queries';
import { SettingContext } from './setting';

/** All of a business: what there is to see to on one side, and what is being seen to. */
export function BusinessPage() {
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const profile = useQuery(profileOf(tenant));
  const about = useQuery(tenantOf(tenant));
  const locale = about.data?.locale;
  const timeZone = about.data?.time_zone;
  const currency = profile.data?.currency ?? undefined;
  const setting = useMemo(
    () => (locale && timeZone && currency ? { tenant, locale, timeZone, currency } : undefined),
    [tenant, locale, timeZone, currency],
  );
  const failure = [profile, about].find((query) => query.isError && !query.data);
  return (
    <div className={classes.layout}>
      <BusinessNav tenant={tenant} />
      <Box miw={0}>
        {failure && <FailureNotice error={failure.error} again={failure.refetch} />}
        {!failure && !setting && <PageSkeleton />}
        {setting && (
          <SettingContext value={setting}>
            <Outlet />
          </SettingContext>
        )}
      </Box>
    </div>
  );
}
