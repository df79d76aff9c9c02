import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { Page } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import { SingleForm } from './form/single';
import type { Section } from './kinds/types';
import { profileOf } from './queries';
import { useSetting } from './setting';

const SECTIONS: Section[] = [
  {
    title: 'basics',
    fields: [
      { name: 'description', editor: 'text', max: 4000, rows: 4 },
      { name: 'slogan', editor: 'line', max: 300 },
      { name: 'payment_methods', editor: 'tags', max: 120, most: 20 },
      { name: 'currency', editor: 'currency', required: true },
    ],
  },
  {
    title: 'contact',
    fields: [
      { name: 'phone', editor: 'line', max: 40, type: 'tel' },
      { name: 'whatsapp', editor: 'line', max: 40, type: 'tel' },
      { name: 'email', editor: 'line', max: 254, type: 'email' },
      { name: 'website', editor: 'line', max: 500, type: 'url' },
      { name: 'social', editor: 'lines', max: 300, most: 10 },
    ],
  },
  {
    title: 'booking',
    fields: [
      { name: 'hold_minutes', editor: 'duration', min: 1, max: 1440, required: true },
      { name: 'booking_horizon_days', editor: 'number', min: 1, max: 730, required: true },
      { name: 'reminder_minutes', editor: 'durations', min: 5, max: 43_200, most: 5 },
    ],
  },
  {
    title: 'orders',
    fields: [
      { name: 'orders.pickup', editor: 'switch' },
      { name: 'orders.delivery', editor: 'switch' },
      { name: 'orders.preparation_minutes', editor: 'duration', min: 0, max: 1440, required: true },
      { name: 'orders.minimum', editor: 'money' },
    ],
  },
];

/** What a business says of itself, and how it takes bookings and orders. */
export function ProfilePage() {
  const t = useTexts();
  const { tenant } = useSetting();
  const queries = useQueryClient();
  const profile = useQuery(profileOf(tenant));
  const words = t.business.profileTexts;
  return (
    <Page title={t.business.profile} intro={words.intro}>
      {profile.data ? (
        <SingleForm
          key={tenant}
          initial={profile.data}
          sections={SECTIONS}
          labels={words.labels}
          help={words.help}
          read={() => queries.fetchQuery({ ...profileOf(tenant), staleTime: 0 })}
          save={(body) => told(api.PUT('/api/v1/business', { body }))}
          saved={(made) => queries.setQueryData(profileOf(tenant).queryKey, made)}
        />
      ) : (
        <ListSkeleton />
      )}
    </Page>
  );
}
