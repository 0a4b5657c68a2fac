import { Button, CloseButton, Progress, Textarea, TextInput } from '@mantine/core';
import { kpiEvidence, uploadLimits, type BodyIn } from '@tenure/contract';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useSend } from '../../../../api/query.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { FileDrop } from '../../../../ui/FileDrop.tsx';
import { Pills } from '../../../../ui/Pills.tsx';
import classes from './evidence.module.css';
import { useUploads } from './use-uploads.ts';

type Props = { evaluationId: number; itemId: number | undefined };
const kinds = ['file', 'link', 'note'] as const;

/** Adds a file at once, or a link or note that was typed. */
export function AddEvidence(props: Props) {
  const t = useTranslations('kpiEvidence');
  const [kind, setKind] = useState<(typeof kinds)[number]>('file');
  return (
    <div className={classes['add']}>
      <Pills
        label={t('kind')}
        options={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        value={kind}
        onChange={setKind}
      />
      {kind === 'file' ? <Files {...props} /> : <Typed key={kind} kind={kind} {...props} />}
    </div>
  );
}

function Files({ evaluationId, itemId }: Props) {
  const t = useTranslations('kpiEvidence');
  const format = useFormatter();
  const { types, bytes } = uploadLimits.attachment;
  const { uploads, add, remove } = useUploads(evaluationId, itemId);
  return (
    <>
      <FileDrop
        label={t('drop')}
        hint={t('limits', { types: format.list([...types], { type: 'conjunction' }), most: bytes / 1_048_576 })}
        accept={types.map((type) => `.${type}`).join(',')}
        onFiles={add}
      />
      {uploads.length > 0 && (
        <ul className={classes['pieces']} aria-label={t('uploads')}>
          {uploads.map((upload) => (
            <li key={upload.key} className={classes['piece']}>
              <div className={classes['what']}>
                <bdi>{upload.file.name}</bdi>
                {upload.problem === undefined ? (
                  <ErrorNotice error={upload.error} />
                ) : (
                  <span className={classes['demanded']}>{upload.problem}</span>
                )}
                {upload.progress !== undefined && (
                  <Progress value={upload.progress * 100} aria-label={t('uploading', { name: upload.file.name })} />
                )}
              </div>
              <CloseButton aria-label={t('takeOff', { name: upload.file.name })} onClick={() => remove(upload)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Typed({ kind, evaluationId, itemId }: Props & { kind: 'link' | 'note' }) {
  const t = useTranslations('kpiEvidence');
  const send = useSend(kpiEvidence.create);
  const [text, setText] = useState('');
  const [about, setAbout] = useState('');
  const save = () => {
    const body: BodyIn<typeof kpiEvidence.create> = {
      item_id: itemId ?? null,
      ...(kind === 'link' ? { url: text.trim(), note: about.trim() || null } : { note: text.trim() || null }),
    };
    send.mutate(
      { params: { id: evaluationId }, body },
      {
        onSuccess: () => {
          setText('');
          setAbout('');
        },
      },
    );
  };
  const errors = send.error?.fieldErrors ?? {};
  return (
    <form
      className={classes['typed']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <ErrorNotice error={send.error} fields={['url', 'note', ...(kind === 'note' ? ['file'] : [])]} />
      {kind === 'link' && (
        <TextInput
          label={t('address')}
          description={t('addressHint')}
          type="url"
          inputMode="url"
          maxLength={500}
          value={text}
          error={errors['url']}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <Textarea
        label={t(kind === 'link' ? 'about' : 'note')}
        rows={kind === 'link' ? 2 : 3}
        maxLength={5_000}
        value={kind === 'link' ? about : text}
        error={errors['note'] ?? (kind === 'note' ? errors['file'] : undefined)}
        onChange={({ currentTarget: { value } }) => (kind === 'link' ? setAbout(value) : setText(value))}
      />
      <Button type="submit" variant="default" loading={send.isPending} disabled={text.trim() === ''}>
        {t(kind === 'link' ? 'addLink' : 'addNote')}
      </Button>
    </form>
  );
}
