import { Button, CloseButton, Group, Progress, Stack, Textarea, TextInput } from '@mantine/core';
import { kpiEvidence, uploadLimits, type BodyIn } from '@tenure/contract';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { ApiError } from '../../../../api/api-error.ts';
import { useSend } from '../../../../api/query.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { FileDrop } from '../../../../ui/FileDrop.tsx';
import { Pills } from '../../../../ui/Pills.tsx';
import { withScheme } from './address.ts';
import classes from './evidence.module.css';
import { useUploads } from './use-uploads.ts';

type Props = { evaluationId: number; itemId: number | undefined };
const kinds = ['file', 'link', 'note'] as const;

/** Adds a file at once, or a link or note after typing. */
export function AddEvidence(props: Props) {
  const t = useTranslations('kpiEvidence');
  const [kind, setKind] = useState<(typeof kinds)[number]>('file');
  return (
    <Stack gap={10}>
      <Group>
        <Pills
          label={t('kind')}
          options={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          value={kind}
          onChange={setKind}
        />
      </Group>
      {kind === 'file' ? <Files {...props} /> : <Typed key={kind} kind={kind} {...props} />}
    </Stack>
  );
}

/** The network or the service failed, not the file. */
const isWorthRetry = ({ status }: ApiError) => status === 0 || status === 429 || status >= 500;

function Files({ evaluationId, itemId }: Props) {
  const t = useTranslations('kpiEvidence');
  const errors = useTranslations('errors');
  const format = useFormatter();
  const { types, bytes } = uploadLimits.attachment;
  const { uploads, add, retry, remove } = useUploads(evaluationId, itemId);
  return (
    <>
      <FileDrop
        label={t('drop')}
        hint={t('limits', { types: format.list([...types], { type: 'conjunction' }), most: bytes / 1_048_576 })}
        accept={types.map((type) => `.${type}`).join(',')}
        onFiles={add}
      />
      {uploads.length > 0 && (
        <Stack component="ul" gap={6} aria-label={t('uploads')}>
          {uploads.map((upload) => (
            <li key={upload.key} className={classes['piece']}>
              <Stack gap={2} flex={1} miw={0} className={classes['what']}>
                <bdi>{upload.file.name}</bdi>
                {upload.problem === undefined ? (
                  <ErrorNotice error={upload.error} />
                ) : (
                  <span className={classes['demanded']}>{upload.problem}</span>
                )}
                {upload.error && isWorthRetry(upload.error) && (
                  <Button
                    variant="default"
                    size="compact-sm"
                    style={{ alignSelf: 'start' }}
                    onClick={() => retry(upload)}
                  >
                    {errors('retry')}
                  </Button>
                )}
                {upload.progress !== undefined && (
                  <Progress value={upload.progress * 100} aria-label={t('uploading', { name: upload.file.name })} />
                )}
              </Stack>
              <CloseButton aria-label={t('takeOff', { name: upload.file.name })} onClick={() => remove(upload)} />
            </li>
          ))}
        </Stack>
      )}
    </>
  );
}

type Kind = 'link' | 'note';

/** The input for one piece of evidence, cleared once it is stored. */
function useTyped(kind: Kind, { evaluationId, itemId }: Props) {
  const send = useSend(kpiEvidence.create);
  const [text, setText] = useState('');
  const [about, setAbout] = useState('');
  const onSuccess = () => {
    setText('');
    setAbout('');
  };
  const save = () => {
    const body: BodyIn<typeof kpiEvidence.create> = {
      item_id: itemId ?? null,
      ...(kind === 'link' ? { url: withScheme(text), note: about.trim() || null } : { note: text.trim() || null }),
    };
    send.mutate({ params: { id: evaluationId }, body }, { onSuccess });
  };
  return { text, setText, about, setAbout, save, error: send.error, isPending: send.isPending };
}

function Typed({ kind, ...props }: Props & { kind: Kind }) {
  const t = useTranslations('kpiEvidence');
  const { text, setText, about, setAbout, save, error, isPending } = useTyped(kind, props);
  const errors = error?.fieldErrors ?? {};
  const words =
    kind === 'link'
      ? { label: t('about'), rows: 2, value: about, error: errors['note'] }
      : { label: t('note'), rows: 3, value: text, error: errors['note'] ?? errors['file'] };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap={10}>
        <ErrorNotice error={error} fields={['url', 'note', ...(kind === 'note' ? ['file'] : [])]} />
        {kind === 'link' && <Address text={text} onChange={setText} error={errors['url']} />}
        <Textarea
          {...words}
          maxLength={5_000}
          onChange={({ currentTarget: { value } }) => (kind === 'link' ? setAbout(value) : setText(value))}
        />
        <Button
          type="submit"
          variant="default"
          loading={isPending}
          disabled={text.trim() === ''}
          style={{ alignSelf: 'start' }}
        >
          {t(kind === 'link' ? 'addLink' : 'addNote')}
        </Button>
      </Stack>
    </form>
  );
}

type AddressProps = { text: string; onChange: (text: string) => void; error: string | undefined };

function Address({ text, onChange, error }: AddressProps) {
  const t = useTranslations('kpiEvidence');
  return (
    <TextInput
      label={t('address')}
      description={t('addressHint')}
      inputMode="url"
      maxLength={500}
      value={text}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
