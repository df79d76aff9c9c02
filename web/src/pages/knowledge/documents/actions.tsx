import { ActionIcon, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTexts } from '../../../i18n';
import type { Document } from '../queries';
import type { DocumentActs } from './acts';
import { isMoving, nameOf } from './wanted';

export type { DocumentActs };

type MenuProps = {
  tenant: string;
  kb: string;
  document: Document;
  writes: boolean;
  acts: DocumentActs;
};

/** What can be done with one document. The menu is made for whoever opens it: there are many rows. */
export function DocumentMenu(props: MenuProps) {
  const t = useTexts();
  const [made, setMade] = useState(false);
  const label = t.documents.actions(nameOf(props.document));
  if (!made)
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        aria-haspopup="menu"
        onClick={() => setMade(true)}
      >
        ⋯
      </ActionIcon>
    );
  return <OpenedMenu {...props} label={label} />;
}

function OpenedMenu({ tenant, kb, document, writes, acts, label }: MenuProps & { label: string }) {
  const t = useTexts();
  const words = t.documents;
  const { source } = document;
  const navigate = useNavigate();
  const look = () =>
    void navigate({
      to: '/t/$tenant/knowledge/$kb/documents/$document',
      params: { tenant, kb, document: document.id },
    });
  const hasOriginal = source === 'manual' || document.storage_path != null;
  return (
    <Menu position="bottom-end" withinPortal defaultOpened>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label}>
          ⋯
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={look}>{t.knowledge.viewChunks}</Menu.Item>
        {hasOriginal && <Menu.Item onClick={() => acts.download(document)}>{words.download}</Menu.Item>}
        {writes && (
          <>
            {source === 'manual' && (
              <Menu.Item onClick={() => acts.edit(document)}>{words.editText}</Menu.Item>
            )}
            {source === 'file' && (
              <Menu.Item onClick={() => acts.replace(document)}>{words.replace}</Menu.Item>
            )}
            {isMoving(document) ? (
              <Menu.Item onClick={() => acts.stop(document)}>{words.stopReading}</Menu.Item>
            ) : (
              <Menu.Item onClick={() => acts.again(document)}>{words.readAgain}</Menu.Item>
            )}
            <Menu.Item onClick={() => acts.hide(document)}>
              {document.enabled ? words.hide : words.unhide}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => acts.remove(document)}>
              {t.common.delete}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
