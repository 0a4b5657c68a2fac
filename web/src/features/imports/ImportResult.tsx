import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { employees, type Import } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ErrorFile } from './CheckNotices.tsx';
import { CountTiles } from './CountTiles.tsx';
import { UnchangedRows } from './UnchangedRows.tsx';
import { people, useImportKind } from './kinds.ts';
import { RowGrid } from './RowGrid.tsx';
import { idsMissingSignIn, missingSignIn } from './missing-sign-in.ts';
import { Steps } from './Steps.tsx';
import { Undo } from './Undo.tsx';
import { useImportSearch } from './use-import-search.ts';
import { tints } from '../../ui/alert-tints.ts';

const PasswordsDialog = lazyPart(
  () => import('../employees/passwords/PasswordsDialog.tsx'),
  'PasswordsDialog',
  'passwords',
);

const titles = {
  completed: 'completedTitle',
  undone: 'undoneTitle',
  partly_undone: 'partlyUndoneTitle',
  failed: 'failedTitle',
} as const;

/** The result of an import, with links to its people and its undo. */
export function ImportResult({ found }: { found: Import & { status: keyof typeof titles } }) {
  const t = useTranslations('imports');
  const kind = useImportKind();
  const { rows = 'all' } = useImportSearch().search;
  const { can } = useSession();
  const { id, status, counts, failure } = found;
  const mayInvite = status === 'completed' && kind === people && can('employees.reset_password');
  return (
    <>
      <PageHeader title={t(titles[status])} lead={<bdi>{found.file_name}</bdi>}>
        <WaysOn found={found} />
      </PageHeader>
      <Steps at="import" done={status === 'completed'} />
      <Stack gap={12} px="gutter" pb={14} fz={13.5}>
        {failure !== null && (
          <Alert color="red" styles={tints.danger} icon={<IconAlertTriangle size={18} />} role="alert">
            {failure}
          </Alert>
        )}
        <CountTiles found={found} view={rows} />
        <WhatNow found={found} />
        {mayInvite && <Invite id={id} />}
        <UnchangedRows found={found} />
        {status !== 'undone' && counts.failed > 0 && (
          <p>
            {t('notWritten', { count: counts.failed })} <ErrorFile id={id} />
          </p>
        )}
      </Stack>
      <RowGrid found={found} view={rows} />
    </>
  );
}

/** The follow-up actions: undo, another import, and the list of records. */
function WaysOn({ found }: { found: Import }) {
  const t = useTranslations('imports');
  const kind = useImportKind();
  const own = useTranslations(`imports.${kind.type}`);
  return (
    <>
      {kind.undo && found.allowed_actions.includes('undo') && <Undo found={found} api={kind.undo} />}
      <Button component={Link} to={kind.paths.new} variant="default">
        {t('another')}
      </Button>
      {found.status === 'completed' && (
        <Button
          renderRoot={(props) => (
            <Link {...props} to={kind.paths.results} search={kind === people ? { import_id: found.id } : {}} />
          )}
        >
          {own('seeResults')}
        </Button>
      )}
    </>
  );
}

function WhatNow({ found: { status, undone_at, undone_by, undo_until, allowed_actions } }: { found: Import }) {
  const t = useTranslations('imports');
  const wasUndone = (status === 'undone' || status === 'partly_undone') && undone_at;
  const mayUndo = undo_until && allowed_actions.includes('undo');
  if (!wasUndone && !mayUndo) return null;
  return (
    <p className="muted">
      {wasUndone && (
        <>
          {t('undoneBy', { name: undone_by?.name ?? '' })} <Moment value={undone_at} />{' '}
        </>
      )}
      {mayUndo && t.rich('undoUntil', { time: () => <Moment value={undo_until} /> })}
    </p>
  );
}

/** Invites the people of the import who never signed in. */
function Invite({ id }: { id: number }) {
  const t = useTranslations('imports');
  const [isOpen, setOpen] = useState(false);
  const lacking = useQuery(load(employees.list, { query: { ...missingSignIn(id), per_page: 1 } }));
  const count = lacking.data?.meta.total ?? 0;
  if (count === 0 && !isOpen) return null;
  return (
    <Group gap="xs">
      <p>{t('toInvite', { count })}</p>
      <Button variant="light" onClick={() => setOpen(true)}>
        {t('invite')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <PasswordsDialog
            purpose="invitation"
            name={`import ${id}`}
            load={(signal) => idsMissingSignIn(id, signal)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </Group>
  );
}
