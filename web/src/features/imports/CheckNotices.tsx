import { Alert, Box } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import type { Import } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { address } from '../../api/call.ts';
import { useSession } from '../../api/session.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Notice } from '../../ui/Notice.tsx';
import { people, useImportKind } from './kinds.ts';
import { tints } from '../../ui/alert-tints.ts';

const KeepProfile = lazyPart(() => import('./KeepProfile.tsx'), 'KeepProfile', 'import-profiles');

/** Notices about the whole file, to read before confirming. */
export function CheckNotices({ found }: { found: Import }) {
  const t = useTranslations('imports');
  const { user, can } = useSession();
  const kind = useImportKind();
  return (
    <>
      <Stale rows={found.stale_rows} />
      {found.created_by.user_id !== user?.id && <Notice>{t('ofSomebodyElse', { name: found.created_by.name })}</Notice>}
      {found.header_row !== null && found.header_row > 1 && (
        <p className="muted">{t('headingsIn', { row: found.header_row })}</p>
      )}
      <LeftColumns found={found} />
      <FailedRows found={found} />
      {kind === people && can('entities.view') && found.allowed_actions.includes('update') && (
        <Suspense fallback={null}>
          <KeepProfile found={found} />
        </Suspense>
      )}
    </>
  );
}

/** Why a confirmed import has returned to the check. */
function Stale({ rows }: { rows: Import['stale_rows'] }) {
  const t = useTranslations('imports');
  const format = useFormatter();
  if (!rows || rows.length === 0) return null;
  const named = rows.slice(0, 12).map((row) => format.number(row, { useGrouping: false }));
  return (
    <Alert
      color="yellow"
      styles={tints.warning}
      icon={<IconAlertTriangle size={18} />}
      role="alert"
      title={t('staleTitle')}
    >
      {t('staleText', { count: rows.length })} <bdi>{named.join(', ')}</bdi>
      {rows.length > named.length && ' …'}
    </Alert>
  );
}

/** Unassigned columns of the file, with suggestions. */
function LeftColumns({ found: { id, columns, allowed_actions } }: { found: Import }) {
  const t = useTranslations('imports');
  const { paths } = useImportKind();
  const left = columns.filter(({ source }) => source === 'suggested' || source === 'ignored');
  if (left.length === 0) return null;
  const headers = left.map(({ header }) => header).join(', ');
  return (
    <p className="muted">
      {t('leftColumns', { count: left.length })} <bdi>{headers}</bdi>
      {allowed_actions.includes('update') && (
        <>
          {' · '}
          <Link to={paths.one} params={{ id: String(id) }} search={{ columns: true }}>
            {t('assignColumns')}
          </Link>
        </>
      )}
    </p>
  );
}

function FailedRows({ found: { id, mode, counts, allowed_actions } }: { found: Import }) {
  const t = useTranslations('imports');
  if (counts.failed === 0) return null;
  const stay = allowed_actions.includes('update') ? 'failedStay' : 'failedOfOther';
  const key = mode === 'atomic' ? 'atomicBlocked' : stay;
  return (
    <p>
      {t(key, { count: counts.failed })} <ErrorFile id={id} />
    </p>
  );
}

/** A link to the file of failed rows with their errors. */
export function ErrorFile({ id }: { id: number }) {
  const t = useTranslations('imports');
  const { api } = useImportKind();
  return (
    <Box
      component="a"
      fw={530}
      style={{ whiteSpace: 'nowrap' }}
      href={address(api.errors, { params: { id } })}
      download
    >
      <IconDownload size={15} style={{ marginInlineEnd: 4, verticalAlign: -2 }} aria-hidden />
      {t('errorFile')}
    </Box>
  );
}
