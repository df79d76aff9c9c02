import { Box } from '@mantine/core';
import { useTexts } from '../../i18n';
import { BoardColumn } from './column';
import styles from './customers.module.css';
import { type LeadFilter, TEMPERATURES } from './queries';
import { useWarming } from './temperature';

/** Customers by how close they are to buying. They move by drag, or by the menu that every card has. */
export function CustomerBoard({ tenant, filter }: { tenant: string; filter: LeadFilter }) {
  const t = useTexts();
  const warming = useWarming(tenant);
  return (
    <Box className={styles.columns} role="region" aria-label={t.customers.board} tabIndex={0}>
      {[...TEMPERATURES, 'none' as const].map((temperature) => (
        <BoardColumn
          key={temperature}
          tenant={tenant}
          filter={{ ...filter, temperature }}
          temperature={temperature}
          leaving={warming.isPending ? warming.variables.lead : undefined}
          receive={(lead) =>
            warming.mutate({ lead, temperature: temperature === 'none' ? null : temperature })
          }
        />
      ))}
    </Box>
  );
}
