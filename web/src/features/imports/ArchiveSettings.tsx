import { Button, Stack } from '@mantine/core';
import type { Import } from '@tenure/contract';
import { useState, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useImportKind } from './kinds.ts';
import { settingsOf } from './settings.ts';
import { SettingsFields } from './SettingsFields.tsx';
import { Steps } from './Steps.tsx';
import { useImportSearch } from './use-import-search.ts';

/** Changes the settings of an archive and checks its files again, without another upload. */
export function ArchiveSettings({ found }: { found: Import }) {
  const t = useTranslations('imports');
  const kind = useImportKind();
  const { go } = useImportSearch();
  const send = useSend(kind.api.update);
  const [settings, setSettings] = useState(() => settingsOf(found));
  const save = (event: FormEvent) => {
    event.preventDefault();
    const body = { ...kind.sent(settings), revision: found.revision };
    send.mutate({ params: { id: found.id }, body }, { onSuccess: () => go(() => ({})) });
  };
  return (
    <form onSubmit={save}>
      <PageHeader title={t('attachments.settingsTitle')} lead={<bdi>{found.file_name}</bdi>}>
        <Button variant="default" onClick={() => go(() => ({}))}>
          {t('backToCheck')}
        </Button>
        <Button type="submit" loading={send.isPending || send.isSuccess}>
          {t('checkAgain')}
        </Button>
      </PageHeader>
      <Steps at="check" />
      <Stack gap={18} px="gutter" py={18} maw="37rem">
        <ErrorNotice error={send.error} />
        <SettingsFields settings={settings} onChange={(change) => setSettings((old) => ({ ...old, ...change }))} />
      </Stack>
    </form>
  );
}
