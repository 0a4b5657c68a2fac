import { Button, Group } from '@mantine/core';
import type { Import, RepeatedError } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { plainField } from './fields.ts';
import { people, useImportKind } from './kinds.ts';

type Props = { found: Import; repeated: readonly RepeatedError[] };

/** Offers to create missing departments, unless every missing name resembles an existing one, as typing errors do. */
export function MissingDepartments({ found: { id, revision, create_departments }, repeated }: Props) {
  const t = useTranslations('importProblems');
  const { can } = useSession();
  const kind = useImportKind();
  const send = useSend(kind.api.update);
  const isMissing = ({ field, value, suggestion }: RepeatedError) =>
    plainField(field) === 'department' && value !== '' && suggestion === null;
  if (kind !== people || create_departments || !repeated.some(isMissing) || !can('departments.create')) return null;
  return (
    <Notice>
      <Group gap="6px 14px" renderRoot={(props) => <section {...props} aria-label={t('missingDepartments')} />}>
        <span>{t('departmentsMissing')}</span>
        <Button
          size="compact-sm"
          variant="default"
          loading={send.isPending}
          onClick={() => send.mutate({ params: { id }, body: { create_departments: true, revision } })}
        >
          {t('createDepartments')}
        </Button>
      </Group>
      <ErrorNotice error={send.error} />
    </Notice>
  );
}
