import { Box, Checkbox, UnstyledButton } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTexts } from '../../../i18n';
import type { DocumentSearch } from '../../../routes/knowledge';
import { useFormats } from '../../settings/formats';
import type { DocumentActs } from './actions';
import type { Choice } from './choice';
import classes from './documents.module.css';
import type { useDocumentPages } from './paging';
import { ComingRow, DocumentRow } from './row';

/** How much is drawn beyond what is in sight. */
const AROUND = 6;

type Props = {
  tenant: string;
  kb: string;
  pages: ReturnType<typeof useDocumentPages>;
  writes: boolean;
  previews: boolean;
  choice: Choice;
  search: DocumentSearch;
  change: (changed: DocumentSearch) => void;
  acts: DocumentActs;
};

/** The documents as a table of which only what is in sight is in the page. */
export function DocumentRows({ tenant, kb, pages, writes, previews, choice, search, change, acts }: Props) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  // What stands above the list comes and goes, and whatever holds both grows and shrinks with it.
  useLayoutEffect(() => {
    const rows = list.current;
    const around = rows?.closest('[data-around]');
    if (!rows || !around) return;
    const look = () => setMargin(Math.round(rows.getBoundingClientRect().top + window.scrollY));
    look();
    const watch = new ResizeObserver(look);
    watch.observe(around);
    return () => watch.disconnect();
  }, []);
  const rows = useWindowVirtualizer({
    count: pages.count,
    estimateSize: () => 45,
    overscan: AROUND,
    scrollMargin: margin,
    getItemKey: (row) => pages.at(row)?.id ?? row,
  });
  const shown = rows.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  const { look } = pages;
  useEffect(() => look(first, last), [look, first, last]);
  const sorted = (by: NonNullable<DocumentSearch['sort']>, name: string) => (
    <UnstyledButton
      className={classes.sort}
      onClick={() => change({ sort: by === 'newest' && search.sort !== 'oldest' ? 'oldest' : by })}
    >
      {name}
      {(search.sort ?? 'newest') === by && <span aria-hidden> ↓</span>}
      {by === 'newest' && search.sort === 'oldest' && <span aria-hidden> ↑</span>}
    </UnstyledButton>
  );
  const columns = t.knowledge.columns;
  return (
    <Box
      className={classes.table}
      role="table"
      aria-label={t.knowledge.tabDocuments}
      aria-rowcount={pages.count}
    >
      <Box role="rowgroup">
        <Box className={`${classes.row} ${classes.head}`} data-editable={writes} role="row">
          {writes && (
            <Box className={classes.check} role="columnheader">
              <Checkbox
                aria-label={t.documents.chooseAll}
                checked={choice.all}
                indeterminate={choice.chosen.size > 0 && !choice.all}
                disabled={choice.asking}
                onChange={() => (choice.chosen.size > 0 ? choice.clear() : choice.chooseAll())}
              />
            </Box>
          )}
          <Box className={classes.name} role="columnheader">
            {sorted('name', columns.name)}
          </Box>
          <Box className={classes.wide} role="columnheader">
            {t.documents.columns.type}
          </Box>
          <Box className={`${classes.wide} ${classes.number}`} role="columnheader">
            {sorted('largest', columns.size)}
          </Box>
          <Box className={classes.wide} role="columnheader">
            {columns.status}
          </Box>
          <Box className={`${classes.wide} ${classes.number}`} role="columnheader">
            {columns.chunks}
          </Box>
          <Box className={classes.wide} role="columnheader">
            {sorted('newest', columns.added)}
          </Box>
          <Box className={classes.wide} role="columnheader" aria-label={t.documents.menu} />
        </Box>
      </Box>
      <Box ref={list} role="rowgroup" pos="relative" h={rows.getTotalSize()}>
        {shown.map((item) => {
          const document = pages.at(item.index);
          return (
            <Box
              key={item.key}
              ref={rows.measureElement}
              role="presentation"
              data-index={item.index}
              pos="absolute"
              top={0}
              left={0}
              w="100%"
              style={{ transform: `translateY(${item.start - margin}px)` }}
            >
              {document ? (
                <DocumentRow
                  tenant={tenant}
                  kb={kb}
                  document={document}
                  writes={writes}
                  previews={previews}
                  chosen={choice.chosen.has(document.id)}
                  choose={choice.choose}
                  formats={formats}
                  acts={acts}
                />
              ) : (
                <ComingRow writes={writes} />
              )}
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}
