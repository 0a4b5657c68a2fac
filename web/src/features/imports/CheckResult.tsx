import { Button } from '@mantine/core';
import type { Import } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { CheckNotices } from './CheckNotices.tsx';
import { ConfirmImport } from './ConfirmImport.tsx';
import { CountTiles } from './CountTiles.tsx';
import { Discard } from './Discard.tsx';
import classes from './imports.module.css';
import { useImportKind } from './kinds.ts';
import { RowGrid } from './RowGrid.tsx';
import type { RowView } from './search.ts';
import { Steps } from './Steps.tsx';
import { useImportSearch } from './use-import-search.ts';

/** What the check found: the figures, the rows with their errors to mend, and the button that writes. */
export function CheckResult({ found }: { found: Import }) {
  const t = useTranslations('imports');
  const { id, counts } = found;
  const { api, type } = useImportKind();
  const own = useTranslations(`imports.${type}`);
  const { search, go } = useImportSearch();
  const { rows } = search;
  const queries = useQueryClient();
  // Errors come first; the view stays when the last of them is mended.
  const [first] = useState<RowView>(counts.failed > 0 ? 'failed' : 'all');
  const [asking, setAsking] = useState(false);
  const commit = useSend(api.commit);
  const may = (action: string) => found.allowed_actions.includes(action);
  const writable = counts.created + counts.updated;
  const confirm = () =>
    commit.mutate(
      { params: { id }, body: { plan_hash: found.plan_hash } },
      {
        onError: () => {
          setAsking(false);
          // The rows were checked again and may do something else now.
          void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
        },
      },
    );
  return (
    <>
      <PageHeader title={t('checkTitle')} lead={<bdi>{found.file_name}</bdi>}>
        {may('delete') && <Discard id={id} />}
        {may('update') && (
          <Button variant="default" onClick={() => go(() => ({ columns: true }))}>
            {t('changeColumns')}
          </Button>
        )}
        {may('update') && (
          <Button disabled={writable === 0 || !may('commit')} onClick={() => setAsking(true)}>
            {own('commit', { count: writable })}
          </Button>
        )}
      </PageHeader>
      <Steps at="check" />
      <div className={classes['summary']}>
        <ErrorNotice error={commit.error} fields={['rows', 'plan_hash']} />
        <CheckNotices found={found} />
        <CountTiles found={found} view={rows ?? first} />
      </div>
      <RowGrid found={found} view={rows ?? first} editable={may('update')} />
      <ConfirmImport
        found={found}
        opened={asking}
        busy={commit.isPending || commit.isSuccess}
        onClose={() => setAsking(false)}
        onConfirm={confirm}
      />
    </>
  );
}
