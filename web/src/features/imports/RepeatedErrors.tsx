import { Button, Group, Text, TextInput } from '@mantine/core';
import type { Import, RepeatedError } from '@tenure/contract';
import { Suspense, useState, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { useToast } from '../../ui/toasts.tsx';
import { ChoiceInput } from './ChoiceInput.tsx';
import { useHasChoices } from './has-choices.ts';
import { isImportField, plainField } from './fields.ts';
import classes from './RepeatedErrors.module.css';
import { useImportKind } from './kinds.ts';
import { useFieldName } from './use-field-name.ts';

const CompanyDialogs = lazyPart(() => import('../companies/CompanyDialogs.tsx'), 'CompanyDialogs', 'companies');

/** The groups that are shown without asking for more. */
const first = 3;

type Props = { found: Import; repeated: readonly RepeatedError[] };

/** Errors that several rows share, each with one correction for all of them. */
export function RepeatedErrors({ found, repeated }: Props) {
  const t = useTranslations('importProblems');
  const [all, setAll] = useState(false);
  if (repeated.length === 0) return null;
  const shown = all ? repeated : repeated.slice(0, first);
  return (
    <section className={classes['groups']} aria-label={t('repeated')}>
      <ul>
        {shown.map((group) => (
          <li key={`${group.field} ${group.value}`}>
            <OneGroup found={found} group={group} />
          </li>
        ))}
      </ul>
      {shown.length < repeated.length && (
        <Button size="compact-sm" variant="subtle" onClick={() => setAll(true)}>
          {t('more', { count: repeated.length - shown.length })}
        </Button>
      )}
    </section>
  );
}

type GroupProps = { found: Import; group: RepeatedError };

/** One wrong value and the number of its rows; its correction opens below. */
function OneGroup({ found, group }: GroupProps) {
  const t = useTranslations('importProblems');
  const names = useFieldName();
  const [isOpen, setOpen] = useState(false);
  const { field, value, rows, message } = group;
  const name = isImportField(field) ? names(field) : field;
  return (
    <>
      <Group gap="4px 12px" justify="space-between" wrap="nowrap" align="start">
        <span>
          <b>{t('rows', { count: rows })}</b> · {name}: {value ? <q dir="auto">{value}</q> : t('empty')}
          <Text span display="block" size="sm" c="var(--danger)">
            {message}
          </Text>
        </span>
        {!isOpen && (
          <Button size="compact-sm" variant="light" style={{ flexShrink: 0 }} onClick={() => setOpen(true)}>
            {t('fix')}
            <span className="visually-hidden"> {t('fixOf', { field: name, value: value || t('empty') })}</span>
          </Button>
        )}
      </Group>
      {isOpen && <Correction found={found} group={group} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The new value of a group: a choice, any text, or a company that is created first. */
function Correction({ found, group, name, onClose }: GroupProps & { name: string; onClose: () => void }) {
  const t = useTranslations('importProblems');
  const { can } = useSession();
  const hasChoices = useHasChoices()(group.field);
  const [text, setText] = useState(group.suggestion ?? group.value);
  const [isCreating, setCreating] = useState(false);
  const { replace, send } = useReplacement(found, group);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && text.trim() !== group.value) replace(text.trim());
  };
  const input = {
    label: t('replaceLabel', { field: name, count: group.rows }),
    value: text,
    size: 'sm',
    autoFocus: true,
    maxLength: 5_000,
    error: send.error?.fieldErrors['to'] ?? send.error?.fieldErrors['from'],
  } as const;
  return (
    <>
      <form className={classes['correction']} onSubmit={submit}>
        {hasChoices ? (
          <ChoiceInput {...input} field={group.field} unasked={group.value} onChange={setText} />
        ) : (
          <TextInput {...input} onChange={(event) => setText(event.currentTarget.value)} />
        )}
        <Button
          type="submit"
          size="sm"
          loading={send.isPending}
          disabled={text.trim() === '' || text.trim() === group.value}
        >
          {t('replace', { count: group.rows })}
        </Button>
        <Button size="sm" variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        {plainField(group.field) === 'entity' && can('entities.create') && (
          <Button size="sm" variant="subtle" onClick={() => setCreating(true)}>
            {t('createCompany')}
          </Button>
        )}
      </form>
      <ErrorNotice error={send.error} fields={['to', 'from']} />
      {isCreating && (
        <NewCompany
          onClose={() => setCreating(false)}
          onCreated={(company) => {
            setCreating(false);
            replace(company);
          }}
        />
      )}
    </>
  );
}

/** Replaces the value in all rows of a group; the confirmation undoes it. */
function useReplacement({ id }: Import, { field, value }: RepeatedError) {
  const t = useTranslations('importProblems');
  const toast = useToast();
  const api = useImportKind().corrections;
  const send = useSend(api.replace);
  const undo = useSend(api.undoReplacement);
  const replace = (to: string) =>
    send.mutate(
      { params: { id }, body: { field, from: value, to } },
      {
        onSuccess: ({ data }) =>
          toast({
            text: t('replaced', { count: data.rows }),
            undo: () =>
              void undo
                .mutateAsync({ params: { id, replacement: data.id } })
                .catch((error: Error) => toast({ text: error.message })),
          }),
      },
    );
  return { replace, send };
}

/** Creates the company that the rows name. */
const NewCompany = ({ onClose, onCreated }: { onClose: () => void; onCreated: (name: string) => void }) => (
  <Suspense fallback={null}>
    <CompanyDialogs
      dialog="add-company"
      company={undefined}
      onClose={onClose}
      onCreated={({ name }) => onCreated(name)}
      onDeleted={() => {}}
    />
  </Suspense>
);
