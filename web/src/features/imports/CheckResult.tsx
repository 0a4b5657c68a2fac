import { Button, Stack } from '@mantine/core';
import type { Import } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { refetchRecords, useSend } from '../../api/query.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { CheckNotices } from './CheckNotices.tsx';
import { CountTiles } from './CountTiles.tsx';
import { Discard } from './Discard.tsx';
import { files, useImportKind } from './kinds.ts';
import { WithProblems } from './Problems.tsx';
import { RowGrid } from './RowGrid.tsx';
import type { RowView } from './search.ts';
import { Steps } from './Steps.tsx';
import { useImportSearch } from './use-import-search.ts';

// It is mounted closed, so that closing it returns the focus to its button.
const ConfirmImport = lazyPart(() => import('./ConfirmImport.tsx'), 'ConfirmImport');

/** The result of the check: counts, rows with editable errors, and the confirm button. */
export function CheckResult({ found }: { found: Import }) {
  const { counts } = found;
  const { rows } = useImportSearch().search;
  // Errors come first; the view stays after the last one is corrected.
  const [first] = useState<RowView>(counts.failed > 0 ? 'failed' : 'all');
  const [asking, setAsking] = useState(false);
  const { commit, confirm } = useCommit(found, () => setAsking(false));
  return (
    <>
      <Header found={found} onCommit={() => setAsking(true)} />
      <Steps at="check" />
      <Stack gap={12} px="gutter" pb={14} fz={13.5}>
        <ErrorNotice error={commit.error} fields={['rows', 'plan_hash']} />
        <CheckNotices found={found} />
        <CountTiles found={found} view={rows ?? first} />
      </Stack>
      <WithProblems found={found}>
        <RowGrid found={found} view={rows ?? first} editable={found.allowed_actions.includes('update')} />
      </WithProblems>
      <Suspense fallback={null}>
        <ConfirmImport
          found={found}
          opened={asking}
          busy={commit.isPending || commit.isSuccess}
          onClose={() => setAsking(false)}
          onConfirm={confirm}
        />
      </Suspense>
    </>
  );
}

/** Commits the import as it was checked. */
function useCommit({ id, plan_hash }: Import, onRefused: () => void) {
  const queries = useQueryClient();
  const commit = useSend(useImportKind().api.commit);
  const onError = () => {
    onRefused();
    // The rows were checked again and may have other results now.
    void refetchRecords(queries);
  };
  return { commit, confirm: () => commit.mutate({ params: { id }, body: { plan_hash } }, { onError }) };
}

function Header({ found, onCommit }: { found: Import; onCommit: () => void }) {
  const t = useTranslations('imports');
  const kind = useImportKind();
  const own = useTranslations(`imports.${kind.type}`);
  const { go } = useImportSearch();
  const { id, counts, allowed_actions: may } = found;
  const writable = counts.created + counts.updated;
  return (
    <PageHeader title={t('checkTitle')} lead={<bdi>{found.file_name}</bdi>}>
      {may.includes('delete') && <Discard id={id} />}
      {may.includes('update') && (
        <>
          <Button variant="default" onClick={() => go(() => ({ columns: true }))}>
            {t(kind === files ? 'attachments.changeSettings' : 'changeColumns')}
          </Button>
          <Button disabled={writable === 0 || !may.includes('commit')} onClick={onCommit}>
            {own('commit', { count: writable })}
          </Button>
        </>
      )}
    </PageHeader>
  );
}
