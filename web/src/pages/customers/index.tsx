import { Button, SegmentedControl } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTexts } from '../../i18n';
import { Page } from '../../parts/page';
import type { CustomersSearch } from '../../routes/customers';
import { CustomerBoard } from './board';
import { ColumnsMenu, useColumns } from './columns';
import { NewCustomer } from './create';
import { CustomerFilters } from './filters';
import { CustomerList } from './list';

const ROUTE = '/inside/t/$tenant/customers';

export function CustomersPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: ROUTE });
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/t/$tenant/customers' });
  const [making, { open, close }] = useDisclosure();
  const { view, cols, ...filter } = search;
  const columns = useColumns(cols);
  const change = (changed: CustomersSearch) => {
    const known = Object.entries({ ...search, ...changed }).filter(([, value]) => value);
    void navigate({ search: Object.fromEntries(known) as CustomersSearch, replace: true });
  };
  return (
    <Page
      title={t.customers.title}
      intro={t.customers.intro}
      actions={
        <>
          <SegmentedControl
            aria-label={t.customers.view}
            value={view ?? 'list'}
            onChange={(value) => change({ view: value === 'board' ? 'board' : undefined })}
            data={[
              { value: 'list', label: t.customers.asList },
              { value: 'board', label: t.customers.asBoard },
            ]}
          />
          {view !== 'board' && (
            <ColumnsMenu
              columns={columns}
              choose={(chosen) => change({ cols: chosen.join('.') || 'none' })}
            />
          )}
          <Button onClick={open}>{t.customers.create}</Button>
        </>
      }
    >
      <CustomerFilters tenant={tenant} search={search} change={change} />
      {view === 'board' ? (
        <CustomerBoard tenant={tenant} filter={filter} />
      ) : (
        <CustomerList
          tenant={tenant}
          filter={filter}
          columns={columns}
          create={open}
          clear={() => navigate({ search: {}, replace: true })}
        />
      )}
      <NewCustomer tenant={tenant} opened={making} close={close} />
    </Page>
  );
}
