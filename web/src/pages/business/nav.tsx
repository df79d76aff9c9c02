import { NativeSelect, NavLink, Stack, Text } from '@mantine/core';
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { useTexts } from '../../i18n';
import classes from './business.module.css';
import { GROUPS, isKind, kindTexts } from './kinds';

const PROFILE = '';
const LOYALTY = 'loyalty';

/** What a business has, in a column, or in one field where there is no room for it. */
export function BusinessNav({ tenant }: { tenant: string }) {
  const t = useTexts();
  const navigate = useNavigate();
  const { kind } = useParams({ strict: false });
  const path = useLocation({ select: (location) => location.pathname });
  const here = kind ?? (path.endsWith(`/business/${LOYALTY}`) ? LOYALTY : PROFILE);
  const groups = GROUPS.map(({ name, kinds }) => ({
    name,
    places: [
      ...(name === 'place' ? [{ value: PROFILE, label: t.business.profile }] : []),
      ...(name === 'loyalty' ? [{ value: LOYALTY, label: t.business.programme }] : []),
      ...kinds.map((one) => ({ value: one as string, label: kindTexts(t, one).title })),
    ],
  }));
  const go = (place: string) =>
    isKind(place)
      ? navigate({ to: '/t/$tenant/business/$kind', params: { tenant, kind: place } })
      : navigate({
          to: place === LOYALTY ? '/t/$tenant/business/loyalty' : '/t/$tenant/business',
          params: { tenant },
        });

  return (
    <nav aria-label={t.business.navLabel}>
      <NativeSelect
        className={classes.select}
        aria-label={t.business.navLabel}
        value={here}
        onChange={(event) => go(event.currentTarget.value)}
        data={groups.map(({ name, places }) => ({ group: t.business.groups[name], items: places }))}
      />
      <div className={classes.menu}>
        <Stack gap="md">
          {groups.map(({ name, places }) => (
            <div key={name}>
              <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
                {t.business.groups[name]}
              </Text>
              {places.map(({ value, label }) => (
                <PlaceLink key={value} tenant={tenant} place={value} label={label} active={value === here} />
              ))}
            </div>
          ))}
        </Stack>
      </div>
    </nav>
  );
}

function PlaceLink({
  tenant,
  place,
  label,
  active,
}: {
  tenant: string;
  place: string;
  label: string;
  active: boolean;
}) {
  const link = <NavLink component="span" label={label} active={active} variant="light" py={6} />;
  const current = active ? 'page' : undefined;
  if (isKind(place))
    return (
      <Link
        to="/t/$tenant/business/$kind"
        params={{ tenant, kind: place }}
        className={classes.link}
        aria-current={current}
      >
        {link}
      </Link>
    );
  return (
    <Link
      to={place === LOYALTY ? '/t/$tenant/business/loyalty' : '/t/$tenant/business'}
      params={{ tenant }}
      activeOptions={{ exact: true }}
      className={classes.link}
      aria-current={current}
    >
      {link}
    </Link>
  );
}
