import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { Page } from '../../../parts/page';
import { isPermission, LEAST, type Permission, useRights } from '../rights';

/** Says which permission is missing and who has it. */
export function Refusal({ permission }: { permission?: Permission | undefined }) {
  const t = useTexts();
  return (
    <Alert color="ochre" title={t.settings.refused} role="alert">
      <Text size="sm">
        {permission
          ? t.settings.refusedText(t.settings.permissions[permission], t.settings.roles[LEAST[permission]])
          : t.settings.refusedPlatform}
      </Text>
    </Alert>
  );
}

/** What went wrong; that something is not allowed is no failure, and is said in other words. */
export function Trouble({ error, again }: { error: unknown; again?: () => void }) {
  if (error instanceof ApiError) {
    const missing = error.details?.permission;
    if (error.code === 'FORBIDDEN' && isPermission(missing)) return <Refusal permission={missing} />;
    if (error.code === 'SUPER_ADMIN_ONLY') return <Refusal />;
  }
  return <FailureNotice error={error} again={again} />;
}

/** A page of settings for whoever may see it. Everybody else learns why they do not. */
export function RestrictedPage({
  tenant,
  needs,
  title,
  intro,
  actions,
  children,
}: {
  tenant: string;
  needs: Permission | 'platform';
  title: string;
  intro?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { may, runs } = useRights(tenant);
  const allowed = needs === 'platform' ? runs : may(needs);
  if (!allowed)
    return (
      <Page title={title}>
        <Refusal permission={needs === 'platform' ? undefined : needs} />
      </Page>
    );
  return (
    <Page title={title} intro={intro} actions={actions}>
      {children}
    </Page>
  );
}
