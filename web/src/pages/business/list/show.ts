import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTexts } from '../../../i18n';
import type { Show } from '../kinds/types';
import { choicesOf } from '../queries';
import { useSetting, writeMoney } from '../setting';

/** How things are written in the list of a tenant. */
export function useShow(): Show {
  const t = useTexts();
  const { tenant, locale } = useSetting();
  const branches = useQuery(choicesOf(tenant, 'branches')).data;
  return useMemo(() => {
    const names = new Map(branches?.map((branch) => [branch.id, branch.name]));
    return {
      t,
      money: (money) => writeMoney(money, locale),
      minutes: (minutes) => t.business.minutes(Math.floor(minutes / 60), minutes % 60),
      branch: (id) => names.get(id) ?? '…',
    };
  }, [t, locale, branches]);
}
