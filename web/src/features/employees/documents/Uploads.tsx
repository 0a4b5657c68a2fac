import { Button, CloseButton, Group, Progress, Stack, Text } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { uploadLimits } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import { FileSize } from '../../../ui/FileSize.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { DetailFields } from './DetailFields.tsx';
import { useUploads, type Details, type Upload } from './use-uploads.ts';
import { AutoGrid } from '../../../ui/AutoGrid.tsx';
import { Problem } from '../../../ui/Problem.tsx';

const { types, bytes } = uploadLimits.attachment;
const accept = types.map((type) => `.${type}`).join(',');

/** Uploads files for a person: they are dropped or chosen, described and sent together. */
export function Uploads({ id }: { id: number }) {
  const t = useTranslations('personDocuments');
  const toast = useToast();
  const stored = (count: number) => toast({ text: t('stored', { count }) });
  const { uploads, add, change, remove, sendAll, sending } = useUploads(id, stored);
  const ready = uploads.filter(({ problem }) => problem === undefined).length;
  return (
    <Stack gap={14} maw="62rem" px="gutter" py={20} flex="none">
      <FileDrop
        label={t('drop')}
        hint={t('dropHint', { types: types.join(', '), most: bytes / 1_048_576 })}
        accept={accept}
        onFiles={add}
      />
      {uploads.length > 0 && (
        <>
          <ul aria-label={t('chosen')}>
            {uploads.map((upload) => (
              <ChosenFile
                key={upload.key}
                upload={upload}
                onChange={(details) => change(upload.key, details)}
                onRemove={() => remove(upload)}
              />
            ))}
          </ul>
          <div>
            <Button disabled={ready === 0} loading={sending} onClick={() => void sendAll()}>
              {t('send', { count: ready })}
            </Button>
          </div>
        </>
      )}
      <LeaveGuard when={ready > 0} />
    </Stack>
  );
}

type ChosenProps = { upload: Upload; onChange: (details: Partial<Details>) => void; onRemove: () => void };

function ChosenFile({ upload, onChange, onRemove }: ChosenProps) {
  const t = useTranslations('personDocuments');
  const { file, problem, progress, error } = upload;
  const errors = error?.fieldErrors ?? {};
  return (
    <Stack
      gap={10}
      py={14}
      style={{ borderBlockEnd: '1px solid var(--line)' }}
      renderRoot={(props) => <li {...props} />}
    >
      <FileLine upload={upload} onRemove={onRemove} />
      {problem === undefined ? (
        <>
          <ErrorNotice error={error} fields={['title', 'category', 'visibility']} />
          <AutoGrid min="13rem" gap="10px 12px" fit>
            <DetailFields details={upload} onChange={onChange} errors={errors} disabled={progress !== undefined} />
          </AutoGrid>
        </>
      ) : (
        <Problem>{problem}</Problem>
      )}
      {progress !== undefined && (
        <Progress value={progress * 100} aria-label={t('progress', { name: file.name })} size="sm" />
      )}
    </Stack>
  );
}

/** A file with a button that removes it or cancels its upload. */
function FileLine({ upload: { file, progress }, onRemove }: Pick<ChosenProps, 'upload' | 'onRemove'>) {
  const t = useTranslations('personDocuments');
  return (
    <Group gap={8} wrap="nowrap">
      <IconFile className="muted" size={18} style={{ flex: 'none' }} aria-hidden />
      <Text span fw={550} style={{ overflowWrap: 'anywhere' }}>
        <bdi>{file.name}</bdi>
      </Text>
      <span className="muted">
        <FileSize bytes={file.size} />
      </span>
      <CloseButton
        ms="auto"
        aria-label={t(progress === undefined ? 'takeOff' : 'giveUp', { name: file.name })}
        onClick={onRemove}
      />
    </Group>
  );
}
