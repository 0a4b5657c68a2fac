import { Button, Group, NativeSelect } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { importProfiles } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../api/query.ts';
import { closing } from '../../ui/closing.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';

type Props = { value: number | undefined; onChange: (profile: number | undefined) => void; disabled?: boolean };

/** The saved profiles for reading a file; renders nothing if there are none. */
export function ProfileSelect({ value, onChange, disabled = false }: Props) {
  const t = useTranslations('importProfiles');
  const query = useQuery(load(importProfiles.list, { query: { per_page: 100, sort_by: 'name' } }));
  const profiles = query.data?.data ?? [];
  if (profiles.length === 0) return null;
  const chosen = profiles.find(({ id }) => id === value);
  return (
    <Group gap={8} align="end">
      <NativeSelect
        flex={1}
        label={t('readLike')}
        description={t('readLikeHint')}
        disabled={disabled}
        data={[
          { value: '', label: '–' },
          ...profiles.map(({ id, name, entity }) => ({ value: String(id), label: `${name} · ${entity.name}` })),
        ]}
        value={value === undefined ? '' : String(value)}
        onChange={(event) => onChange(Number(event.currentTarget.value) || undefined)}
      />
      {chosen?.allowed_actions.includes('delete') && (
        <DeleteProfile id={chosen.id} name={chosen.name} onDeleted={() => onChange(undefined)} />
      )}
    </Group>
  );
}

function DeleteProfile({ id, name, onDeleted }: { id: number; name: string; onDeleted: () => void }) {
  const t = useTranslations('importProfiles');
  const [open, dialog] = useDisclosure(false);
  const send = useSend(importProfiles.delete);
  const close = closing(dialog.close, send);
  const confirm = () =>
    send.mutate(
      { params: { id } },
      {
        onSuccess: () => {
          close();
          onDeleted();
        },
      },
    );
  return (
    <>
      <Button variant="subtle" color="gray" onClick={dialog.open}>
        {t('delete')}
      </Button>
      <Dialog opened={open} onClose={close} title={t('deleteTitle', { name })}>
        <p>{t('deleteText')}</p>
        <ErrorNotice error={send.error} />
        <DialogActions>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button color="red.8" loading={send.isPending} onClick={confirm}>
            {t('delete')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
