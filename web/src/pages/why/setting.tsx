import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { profileOf, tenantOf } from '../business/queries';
import { SettingContext } from '../business/setting';
import { ComingEditor } from './coming';

type Props = { tenant: string; close: () => void; children: ReactNode };

/** Where a business is, for forms of its things that are opened away from its pages. */
export function BusinessSetting({ tenant, close, children }: Props) {
  const profile = useQuery(profileOf(tenant));
  const about = useQuery(tenantOf(tenant));
  const locale = about.data?.locale;
  const timeZone = about.data?.time_zone;
  const currency = profile.data?.currency ?? undefined;
  const setting = useMemo(
    () => (locale && timeZone && currency ? { tenant, locale, timeZone, currency } : undefined),
    [tenant, locale, timeZone, currency],
  );
  if (!setting) return <ComingEditor asked={[profile, about]} close={close} />;
  return <SettingContext value={setting}>{children}</SettingContext>;
}
