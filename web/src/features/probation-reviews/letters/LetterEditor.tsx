import { Button, Textarea, TextInput } from '@mantine/core';
import { letterPlaceholders, letters, type LetterTemplate } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../../../api/call.ts';
import { load } from '../../../api/query.ts';
import { RecordConflict } from '../../../ui/RecordConflict.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import classes from '../../../ui/Panes.module.css';
import page from '../../../ui/RecordPage.module.css';
import { useToast } from '../../../ui/toasts.tsx';
import { useRecordForm } from '../../../ui/use-record-form.ts';
import { Preview } from './Preview.tsx';

type Props = { letter: LetterTemplate };

const versionOf = ({ title, body, revision }: LetterTemplate) => ({ texts: { title, body }, revision });

/** The editor of a letter template: form, placeholders and a preview. */
export function LetterEditor({ letter }: Props) {
  const t = useTranslations('letters');
  const mayChange = letter.allowed_actions.includes('update');
  const record = useLetterForm(letter);
  const { title = '', body = '' } = record.form.values;
  if (!mayChange)
    return (
      <div className={page['skeleton']}>
        <p className="muted">{t('readOnly')}</p>
        <Preview title={letter.title} body={letter.body} />
      </div>
    );
  return (
    <div className={page['skeleton']}>
      <div className={classes['sides']}>
        <LetterForm letter={letter} record={record} />
        <Preview title={title} body={body} />
      </div>
      <RecordConflict
        record={record}
        label={(name) => t(name === 'title' ? 'letterTitle' : 'body')}
        show={(_, value) => <span className={classes['words']}>{value}</span>}
      />
      <LeaveGuard when={record.isDirty} />
    </div>
  );
}

type FormProps = Props & { record: ReturnType<typeof useLetterForm> };

function LetterForm({ letter, record }: FormProps) {
  const t = useTranslations('letters');
  const { form } = record;
  return (
    <form
      className={classes['pane']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        record.save();
      }}
    >
      <ErrorNotice error={record.error} fields={['title', 'body']} />
      <TextInput label={t('letterTitle')} maxLength={200} required {...form.getInputProps('title')} />
      <Body record={record} />
      <div>
        <Button type="submit" loading={record.isPending}>
          {t('save')}
        </Button>{' '}
        <output className="muted">{t(record.isDirty ? 'unsaved' : letter.is_default ? 'isDefault' : 'isOwn')}</output>
      </div>
    </form>
  );
}

function useLetterForm(letter: LetterTemplate) {
  const t = useTranslations('letters');
  const toast = useToast();
  const queries = useQueryClient();
  const { kind } = letter;
  const params = { kind };
  const read = load(letters.get, { params });
  return useRecordForm<LetterTemplate>({
    draft: `letter.${kind}`,
    start: versionOf(letter),
    send: async (changed, revision) => (await call(letters.update, { params, body: { ...changed, revision } })).data,
    reread: async () => {
      const { data } = await queries.fetchQuery({ ...read, staleTime: 0 });
      return versionOf(data);
    },
    goOn: versionOf,
    onSaved: (data) => {
      queries.setQueryData(read.queryKey, { data, message: '' });
      toast({ text: t('saved') });
    },
  });
}

/** The text of a letter, with buttons that insert a placeholder at the cursor. */
function Body({ record: { form } }: { record: ReturnType<typeof useLetterForm> }) {
  const t = useTranslations('letters');
  const field = useRef<HTMLTextAreaElement>(null);
  const insert = (name: string) => {
    const area = field.current;
    if (!area) return;
    const { selectionStart: from, selectionEnd: to, value } = area;
    const text = `{{${name}}}`;
    form.setFieldValue('body', value.slice(0, from) + text + value.slice(to));
    area.focus();
    // after the field has rendered the new text
    requestAnimationFrame(() => area.setSelectionRange(from + text.length, from + text.length));
  };
  return (
    <>
      <Textarea
        ref={field}
        label={t('body')}
        description={t('bodyHint')}
        rows={16}
        maxLength={20_000}
        required
        {...form.getInputProps('body')}
      />
      <fieldset>
        <legend className="muted">{t('insert')}</legend>
        <div style={{ display: 'flex', flexWrap: 'wrap', gap: 6, marginTop: 6 }}>
          {letterPlaceholders.map((name) => (
            <Button key={name} variant="default" size="compact-sm" onClick={() => insert(name)}>
              {t(`placeholder.${name}`)}
            </Button>
          ))}
        </div>
      </fieldset>
    </>
  );
}
