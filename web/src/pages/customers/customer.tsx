import { Breadcrumbs, Group, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { TextLink } from '../../parts/links';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/skeletons';
import { CustomerAppointments } from './appointments';
import { CustomerThreads } from './conversations';
import { DeleteCustomer } from './delete';
import { CustomerDetails } from './details';
import { useFormats } from './formats';
import { TemperatureHistory } from './history';
import { CustomerIdentities } from './identities';
import { CustomerLoyalty } from './loyalty';
import { MergeCustomer } from './merge';
import { CustomerOrders } from './orders';
import { leadOf } from './queries';
import { TemperatureMenu } from './temperature';

const ROUTE = '/inside/t/$tenant/customers/$lead';
const TABS = ['details', 'channels', 'conversations', 'appointments', 'orders', 'loyalty'] as const;

export function CustomerPage() {
  const t = useTexts();
  const { tenant, lead: id } = useParams({ from: ROUTE });
  const { tab } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/t/$tenant/customers/$lead' });
  const formats = useFormats(tenant);
  const found = useQuery(leadOf(tenant, id));
  if (found.isPending) return <PageSkeleton />;
  // What is known stays, with whatever is being typed in it, when it cannot be read again.
  if (found.isLoadingError) return <FailureNotice error={found.error} again={found.refetch} />;
  const lead = found.data;
  const name = lead.name ?? t.customers.unnamed;
  return (
    <Page
      title={name}
      actions={
        <>
          <TemperatureMenu tenant={tenant} lead={lead.id} name={name} temperature={lead.temperature} />
          <MergeCustomer tenant={tenant} lead={lead} name={name} />
          <DeleteCustomer tenant={tenant} lead={lead} name={name} />
        </>
      }
    >
      <Group justify="space-between" gap="xs">
        <Breadcrumbs>
          <TextLink to="/t/$tenant/customers" params={{ tenant }} size="sm">
            {t.customers.title}
          </TextLink>
          <Text size="sm">{name}</Text>
        </Breadcrumbs>
        <Text size="sm" c="dimmed">
          {t.customers.since(formats.full(lead.created_at))}
        </Text>
      </Group>
      <Tabs
        value={TABS.find((one) => one === tab) ?? 'details'}
        onChange={(value) => navigate({ search: value && value !== 'details' ? { tab: value } : {} })}
        keepMounted={false}
      >
        <Tabs.List>
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t.customers.tabs[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="details" pt="md">
          <Group align="flex-start" gap="lg">
            <CustomerDetails key={lead.id} tenant={tenant} lead={lead} />
            <TemperatureHistory tenant={tenant} lead={lead} />
          </Group>
        </Tabs.Panel>
        <Tabs.Panel value="channels" pt="md">
          <CustomerIdentities tenant={tenant} lead={lead} />
        </Tabs.Panel>
        <Tabs.Panel value="conversations" pt="md">
          <CustomerThreads tenant={tenant} lead={id} />
        </Tabs.Panel>
        <Tabs.Panel value="appointments" pt="md">
          <CustomerAppointments tenant={tenant} lead={id} />
        </Tabs.Panel>
        <Tabs.Panel value="orders" pt="md">
          <CustomerOrders tenant={tenant} lead={id} />
        </Tabs.Panel>
        <Tabs.Panel value="loyalty" pt="md">
          <CustomerLoyalty tenant={tenant} lead={id} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
