import { Badge, Group, Text, VisuallyHidden } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useLanguage, useTexts } from '../../../i18n';
import { TextLink } from '../../../parts/links';
import classes from '../business.module.css';
import type { ItemOf, KindName } from '../catalogue';
import { kindTexts } from '../kinds';
import type { Fact, Kind, Show } from '../kinds/types';
import { useSetting } from '../setting';
import { nameOf } from './match';
import { QuickSwitch } from './quick';

type Item = ItemOf<KindName>;
type Props = { kind: Kind; items: Item[]; show: Show };

const classOf = (fact: Fact<KindName>) =>
  [classes.fact, fact.right && classes.right, fact.room && classes[fact.room]].filter(Boolean).join(' ');

/** More than these are not all in the page at once. */
const MANY = 150;

export function ItemRows({ kind, items, show }: Props) {
  const t = useTexts();
  const { labels } = kindTexts(t, kind.name);
  const head = (
    <div className={classes.head} aria-hidden="true">
      <Text size="xs" c="dimmed" className={classes.name}>
        {labels[kind.title]}
      </Text>
      {kind.facts.map((fact) => (
        <Text key={fact.label} size="xs" c="dimmed" className={classOf(fact)}>
          {labels[fact.label]}
        </Text>
      ))}
      {kind.quick && (
        <Text size="xs" c="dimmed" className={classes.tools}>
          {labels[kind.quick]}
        </Text>
      )}
    </div>
  );
  const row = (item: Item) => <ItemRow kind={kind} item={item} show={show} labels={labels} />;
  return (
    <div className={classes.list}>
      {head}
      {items.length > MANY ? (
        <ManyRows items={items} row={row} />
      ) : (
        <ul className={classes.rows}>
          {items.map((item) => (
            <li key={item.id}>{row(item)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ManyRows({ items, row }: { items: Item[]; row: (item: Item) => ReactNode }) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, []);
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => 48,
    overscan: 15,
    scrollMargin: top,
    getItemKey: (at) => items[at]?.id ?? at,
  });
  return (
    <ul ref={list} className={classes.rows} style={{ position: 'relative', height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index, start }) => {
        const item = items[index];
        return (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{ position: 'absolute', insetInline: 0, top: start - top }}
          >
            {item && row(item)}
          </li>
        );
      })}
    </ul>
  );
}

function ItemRow({
  kind,
  item,
  show,
  labels,
}: {
  kind: Kind;
  item: Item;
  show: Show;
  labels: Record<string, string>;
}) {
  const t = useTexts();
  const language = useLanguage();
  const { tenant } = useSetting();
  const facts = kind.facts.map((fact) => ({ ...fact, said: fact.text(item, show) }));
  return (
    <div className={classes.row}>
      <div className={classes.name}>
        <Group gap="xs">
          <TextLink
            className={classes.cover}
            to="/t/$tenant/business/$kind"
            params={{ tenant, kind: kind.name }}
            search={(before) => ({ ...before, item: item.id })}
            size="sm"
            c="inherit"
            fw={600}
            underline="never"
          >
            {nameOf(item, kind)}
          </TextLink>
          {!item.active && (
            <Badge size="sm" variant="light" color="gray">
              {t.business.inactive}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" className={classes.under} lineClamp={2}>
          {facts
            .map((fact) => fact.said)
            .filter(Boolean)
            .join(' · ')}
        </Text>
        {item.warnings?.map((warning) => (
          <Text key={warning.code} size="xs" c="ochre">
            {warning[language]}
          </Text>
        ))}
      </div>
      {facts.map((fact) => (
        <Text key={fact.label} size="sm" className={classOf(fact)} title={fact.said}>
          <VisuallyHidden>{labels[fact.label]}: </VisuallyHidden>
          {fact.said || '—'}
        </Text>
      ))}
      {kind.quick && (
        <div className={classes.tools}>
          <QuickSwitch kind={kind} item={item} field={kind.quick} label={labels[kind.quick] ?? ''} />
        </div>
      )}
    </div>
  );
}
