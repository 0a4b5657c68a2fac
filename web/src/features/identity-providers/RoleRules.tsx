import { Button, Group, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { RoleRules as Known } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { bodyOf, errorsOf, isSame, noRow, rowsOf, type Row, type RuleSource } from './role-rules.ts';
import { RuleReview } from './RuleReview.tsx';
import { RuleRow } from './RuleRow.tsx';

/** The rules by which groups assign roles. */
export function RoleRules({ source }: { source: RuleSource }) {
  const t = useTranslations('roleRules');
  const { id, endpoints, lead, about } = source;
  const query = useQuery(load(endpoints.get, { params: { id } }));
  return (
    <Stack gap={12} px="gutter" pb={32} maw="44rem" renderRoot={(props) => <section {...props} />}>
      <SectionTitle>{t('title')}</SectionTitle>
      <p className="muted">{lead}</p>
      {query.isPending && <LoadingLines lines={3} />}
      {failedWithoutData(query) && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && (
        <>
          <p className="muted">{about(query.data.data)}</p>
          <RulesForm key={query.data.data.revision} source={source} known={query.data.data} />
        </>
      )}
    </Stack>
  );
}

function RulesForm({ source, known }: { source: RuleSource; known: Known }) {
  const t = useTranslations('roleRules');
  const [rows, setRows] = useState(() => rowsOf(known));
  const [reviewing, setReviewing] = useState(false);
  const preview = useSend(source.endpoints.preview);
  const isDirty = !isSame(rows, rowsOf(known));
  const errorOf = errorsOf(rows, preview.error?.fieldErrors ?? {});
  const change = (at: number, patch: Partial<Row>) =>
    setRows(rows.map((row, index) => (index === at ? { ...row, ...patch } : row)));
  const review = (event: FormEvent) => {
    event.preventDefault();
    const input = { params: { id: source.id }, body: { rules: bodyOf(rows) } };
    preview.mutate(input, { onSuccess: () => setReviewing(true) });
  };
  return (
    <form noValidate aria-label={t('title')} onSubmit={review}>
      <Stack gap={14}>
        <ErrorNotice error={preview.error} fields={Object.keys(preview.error?.fieldErrors ?? {}).filter(isOfRow)} />
        {rows.length === 0 && <p>{t('none')}</p>}
        {rows.map((row, index) => (
          <RuleRow
            // oxlint-disable-next-line react/no-array-index-key -- rows have no other identity
            key={index}
            {...{ index, row, known, errorOf }}
            onChange={(patch) => change(index, patch)}
            onRemove={() => setRows(rows.filter((_, at) => at !== index))}
          />
        ))}
        <Group gap={8}>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setRows([...rows, noRow])}
          >
            {t('add')}
          </Button>
          {isDirty && (
            <>
              <Button type="submit" loading={preview.isPending}>
                {t('review')}
              </Button>
              <Button variant="default" onClick={() => setRows(rowsOf(known))}>
                {t('discard')}
              </Button>
            </>
          )}
        </Group>
      </Stack>
      <RuleReview
        source={source}
        revision={known.revision}
        rules={bodyOf(rows)}
        impact={preview.data?.data}
        opened={reviewing}
        onClose={() => setReviewing(false)}
      />
      <LeaveGuard when={isDirty && !reviewing} />
    </form>
  );
}

const isOfRow = (field: string) => /^rules\.\d+\.(value|role_id|entity_ids|department_ids)$/.test(field);
