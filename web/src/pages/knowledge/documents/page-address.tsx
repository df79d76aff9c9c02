import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';

export function PageAddress({ kb, added }: { kb: string; added: () => void }) {
  const t = useTexts();
  const [url, setUrl] = useState('');
  const adding = useMutation({
    mutationFn: () =>
      told(
        api.POST('/api/v1/knowledge-bases/{kb_id}/documents/url', {
          params: { path: { kb_id: kb } },
          body: { url: url.trim() },
        }),
      ),
    onSuccess: () => {
      setUrl('');
      added();
    },
  });
  return (
    <form
      style={{ flex: '1 1 320px' }}
      onSubmit={(event) => {
        event.preventDefault();
        adding.mutate();
      }}
    >
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          label={t.knowledge.url}
          placeholder="https://"
          type="url"
          required
          withAsterisk={false}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          flex={1}
        />
        <Button type="submit" variant="default" loading={adding.isPending}>
          {t.knowledge.addUrl}
        </Button>
      </Group>
      {adding.isError && <FailureNotice error={adding.error} />}
    </form>
  );
}
