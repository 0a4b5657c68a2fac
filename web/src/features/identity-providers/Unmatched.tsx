import { Button, Group } from '@mantine/core';
import { identityProviders, type UnmatchedPerson } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { load, useSend } from '../../api/query.ts';
import { hasStatus } from '../../api/api-error.ts';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { useDeferred } from '../../ui/deferred.ts';
import { LinkPerson } from '../../ui/LinkPerson.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useDismissal } from '../../ui/use-dismissal.ts';

export const keyOf = ({ id }: UnmatchedPerson) => `unmatched.${id}`;
export const calledOf = ({ name, email, subject }: UnmatchedPerson) => name ?? email ?? subject;

/** People known to the provider for whom no account was found; renders nothing for users who may not see them. */
export function Unmatched({ providerId }: { providerId: number }) {
  const t = useTranslations('identityProviders.unmatched');
  const [page, setPage] = useState(1);
  const [linking, setLinking] = useState<UnmatchedPerson>();
  const query = useQuery({
    ...load(identityProviders.unmatched, {
      params: { id: providerId },
      query: { page, per_page: 25, sort_by: 'last_try_at', sort_direction: 'desc' },
    }),
    placeholderData: keepPreviousData,
  });
  const dismiss = useDismiss();
  const columns = useColumns(providerId, setLinking, (row) => dismiss(row, providerId));
  const gone = useDeferred();
  if (hasStatus(query.error, 403) || hasStatus(query.error, 404)) return null;
  const shown = query.data && {
    ...query,
    data: { ...query.data, data: query.data.data.filter((row) => !gone.has(keyOf(row))) },
  };
  return (
    <section>
      <SectionTitle px="gutter" pb={4}>
        {t('title')}
      </SectionTitle>
      <p className="muted" style={{ padding: '0 var(--gutter) 12px', maxWidth: '46rem' }}>
        {t('lead')}
      </p>
      {query.data?.meta.total === 0 ? (
        <p style={{ padding: '0 var(--gutter) 32px' }}>{t('none')}</p>
      ) : (
        <ListView<UnmatchedPerson>
          query={shown ?? query}
          label={t('title')}
          columns={columns}
          rowKey={({ id }) => id}
          card={(row) => <CardOf columns={columns} row={row} />}
          onPage={setPage}
          empty={null}
        />
      )}
      <LinkDialog providerId={providerId} person={linking} onClose={() => setLinking(undefined)} />
    </section>
  );
}

/** Removes a person from the list once the time to undo is over. */
export function useDismiss() {
  const t = useTranslations('identityProviders.unmatched');
  const words = { dismissed: t('dismissed'), failed: t('notDismissed') };
  const dismiss = useDismissal(words, identityProviders.unmatched.path, identityProviders.waiting.path);
  return (row: UnmatchedPerson, providerId: number) =>
    dismiss(keyOf(row), (options) =>
      call(identityProviders.dismissUnmatched, { params: { id: providerId, unmatchedId: row.id } }, options),
    );
}

type Act = (row: UnmatchedPerson) => void;

function useColumns(providerId: number, onLink: Act, onDismiss: Act): Column<UnmatchedPerson>[] {
  const t = useTranslations('identityProviders.unmatched');
  const { can } = useSession();
  return [
    { id: 'name', header: t('name'), cell: (row) => <bdi>{calledOf(row)}</bdi> },
    { id: 'email', header: t('email'), cell: ({ email }) => <bdi>{email ?? '–'}</bdi> },
    {
      id: 'subject',
      header: t('subject'),
      cell: ({ subject }) => <bdi style={{ overflowWrap: 'anywhere' }}>{subject}</bdi>,
    },
    { id: 'groups', header: t('groups'), cell: ({ groups_count: count }) => count ?? '–' },
    { id: 'tries', header: t('tries'), cell: ({ tries }) => tries },
    { id: 'last', header: t('last'), cell: ({ last_try_at: last }) => <Moment value={last} /> },
    {
      id: 'actions',
      header: t('actions'),
      headerHidden: true,
      cell: (row) => (
        <Group gap={6} wrap="nowrap" justify="flex-end">
          <Act label={t('link')} row={row} onClick={onLink} />
          {can('employees.create') && <Add providerId={providerId} row={row} />}
          <Act label={t('dismiss')} row={row} onClick={onDismiss} />
        </Group>
      ),
    },
  ];
}

export const Act = ({ label, row, onClick }: { label: string; row: UnmatchedPerson; onClick: Act }) => (
  <Button variant="default" size="compact-sm" onClick={() => onClick(row)}>
    {label}
    <span className="visually-hidden"> {calledOf(row)}</span>
  </Button>
);

/** A link to the form of a new person, prefilled with the provider's claims. */
export const Add = ({ providerId, row }: { providerId: number; row: UnmatchedPerson }) => (
  <Button
    variant="default"
    size="compact-sm"
    renderRoot={(props) => <Link {...props} to={paths.newEmployee} search={{ provider: providerId, tried: row.id }} />}
  >
    {useTranslations('identityProviders.unmatched')('add')}
    <span className="visually-hidden"> {calledOf(row)}</span>
  </Button>
);

type DialogProps = { providerId: number; person: UnmatchedPerson | undefined; onClose: () => void };

/** Asks which employee a person at a provider is. */
export const LinkDialog = ({ person, ...props }: DialogProps) => (
  <LinkForm key={person?.id ?? 0} person={person} {...props} />
);

/** Selects the employee who is the person at the provider. */
function LinkForm({ providerId, person, onClose }: DialogProps) {
  const t = useTranslations('identityProviders.unmatched');
  const toast = useToast();
  const link = useSend(identityProviders.linkUnmatched);
  const who = person ? calledOf(person) : '';
  const save = (employee_id: number) =>
    person &&
    link.mutate(
      { params: { id: providerId, unmatchedId: person.id }, body: { employee_id } },
      {
        onSuccess: () => {
          onClose();
          toast({ text: t('linked', { name: who }) });
        },
      },
    );
  return (
    <LinkPerson
      title={t('linkTitle', { name: who })}
      opened={person !== undefined}
      error={link.error}
      isPending={link.isPending}
      onLink={save}
      onClose={onClose}
    >
      <p>{t('linkText', { email: person?.email ?? who })}</p>
    </LinkPerson>
  );
}
