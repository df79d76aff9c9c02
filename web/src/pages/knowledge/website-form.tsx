import {
  Alert,
  Button,
  Group,
  List,
  NumberInput,
  ScrollArea,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { patchBetween } from '../business/form/values';
import { useOnce } from '../settings/once';

type Website = Schemas['Website'];
type Way = Website['found_by'];
type Schedule = Website['refresh'];

const WAYS: Way[] = ['sitemap', 'links'];
const SCHEDULES: Schedule[] = ['never', 'daily', 'weekly', 'monthly'];
const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** A new website, or how one that is there is read. */
export function WebsiteForm({ kb, site, saved }: { kb: string; site?: Website; saved: () => void }) {
  const t = useTexts();
  const words = t.websites;
  const form = useForm({
    initialValues: {
      address: site?.address ?? '',
      found_by: (site?.found_by ?? 'sitemap') as Way,
      depth: site?.depth ?? 3,
      include: site?.include.join('\n') ?? '',
      exclude: site?.exclude.join('\n') ?? '',
      max_pages: site?.max_pages ?? 200,
      refresh: (site?.refresh ?? 'weekly') as Schedule,
    },
  });
  const letGo = useGuard(() => form.isDirty());
  const key = useOnce();
  // What was there when the form was opened, whatever is read of it later.
  const [began] = useState(form.values);
  const wanted = ({ include, exclude, ...rest }: typeof form.values) => ({
    ...rest,
    address: rest.address.trim(),
    include: lines(include),
    exclude: lines(exclude),
  });
  const saving = useMutation({
    mutationFn: (values: typeof form.values) => {
      const { address, ...settings } = wanted(values);
      if (site) {
        const params = { path: { website_id: site.id } };
        const body = patchBetween(wanted(began), wanted(values));
        return told(api.PATCH('/api/v1/websites/{website_id}', { params, body }));
      }
      const body = { address, ...settings };
      const params = { path: { kb_id: kb }, header: key.header(body) };
      return told(api.POST('/api/v1/knowledge-bases/{kb_id}/websites', { params, body }));
    },
    onSuccess: () => {
      letGo();
      saved();
    },
  });
  const looking = useMutation({
    mutationFn: (values: typeof form.values) => {
      const { refresh: _, ...body } = wanted(values);
      const params = { path: { kb_id: kb } };
      return told(api.POST('/api/v1/knowledge-bases/{kb_id}/websites/preview', { params, body }));
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        <TextInput
          label={words.address}
          description={words.addressHint}
          placeholder="https://"
          type="url"
          required
          maxLength={1024}
          disabled={site !== undefined}
          data-autofocus={site ? undefined : true}
          {...form.getInputProps('address')}
        />
        <Select
          label={words.foundBy}
          description={words.foundByHint}
          data={WAYS.map((way) => ({ value: way, label: words.ways[way] }))}
          allowDeselect={false}
          {...form.getInputProps('found_by')}
        />
        <NumberInput
          label={words.depth}
          description={words.depthHint}
          min={0}
          max={5}
          clampBehavior="strict"
          allowDecimal={false}
          required
          {...form.getInputProps('depth')}
        />
        <Textarea
          label={words.include}
          description={words.includeHint}
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('include')}
        />
        <Textarea
          label={words.exclude}
          description={words.excludeHint}
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('exclude')}
        />
        <NumberInput
          label={words.maxPages}
          description={words.maxPagesHint}
          min={1}
          max={2000}
          allowDecimal={false}
          required
          {...form.getInputProps('max_pages')}
        />
        <Select
          label={words.refresh}
          data={SCHEDULES.map((schedule) => ({ value: schedule, label: words.schedules[schedule] }))}
          allowDeselect={false}
          {...form.getInputProps('refresh')}
        />
        {looking.isError && <FailureNotice error={looking.error} />}
        {looking.isSuccess && <Preview seen={looking.data} />}
        {saving.isError && <FailureNotice error={saving.error} />}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {site ? t.common.save : words.add}
          </Button>
          <Button
            variant="default"
            loading={looking.isPending}
            disabled={!form.values.address.trim()}
            onClick={() => looking.mutate(form.values)}
          >
            {words.preview}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Preview({ seen }: { seen: Schemas['WebsitePreview'] }) {
  const words = useTexts().websites;
  const { addresses, found, more, skipped_by_robots: skipped } = seen;
  if (found === 0)
    return (
      <Alert color="ochre" role="status">
        <Text size="sm">{words.previewNothing}</Text>
        {skipped > 0 && <Text size="sm">{words.previewSkipped(skipped)}</Text>}
      </Alert>
    );
  return (
    <Alert color="teal" title={words.previewFound(found, more)} role="status">
      {skipped > 0 && <Text size="sm">{words.previewSkipped(skipped)}</Text>}
      {found > addresses.length && <Text size="sm">{words.previewShown(addresses.length)}</Text>}
      <ScrollArea.Autosize
        mah={200}
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': words.preview }}
      >
        <List size="xs" mt="xs">
          {addresses.map((address) => (
            <List.Item key={address} style={{ overflowWrap: 'anywhere' }}>
              {address}
            </List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
    </Alert>
  );
}
