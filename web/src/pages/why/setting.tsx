import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { profileOf, tenantOf } from '../business/queries';
import { SettingContext } from '../business/setting';

/** Where a business is, for forms of its things that are opened away from its pages. */
export function BusinessSetting({ tenant, children }: { tenant: string; children: ReactNode }) {
  const profile = useQuery(profileOf(tenant)).data;
  const about = useQuery(tenantOf(tenant)).data;
  const locale = about?.locale;
  const timeZone = about?.time_zone;
  const currency = profile?.currency ?? undefined;
  const setting = useMemo(
    () => (locale && timeZone && currency ? { tenant, locale, timeZone, currency } : undefined),
    [tenant, locale, timeZone, currency],
  );
  return setting ? <SettingContext value={setting}>{children}</SettingContext> : null;
}
