import { Button, Group } from '@mantine/core';
import { IconCamera } from '@tabler/icons-react';
import { profile, type Employee } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { sessionQuery } from '../../api/session.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';

const PictureDialog = lazyPart(() => import('../employees/record/PictureDialog.tsx'), 'PictureDialog', 'file-check');

/** The user's picture, with a button to change it. */
export function OwnPicture({ employee }: { employee: Employee }) {
  const t = useTranslations('ownProfile');
  const [open, setOpen] = useState<boolean>();
  const queries = useQueryClient();
  const set = useSend(profile.setPicture);
  const remove = useSend(profile.removePicture);
  // The session holds the picture too, for the user menu.
  const refresh = () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  return (
    <Group gap={14} wrap="nowrap">
      <PersonAvatar id={employee.id} name={employee.display_name} url={employee.profile_picture_url} size={56} />
      <Button variant="default" leftSection={<IconCamera size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('changePicture')}
      </Button>
      {open !== undefined && (
        <Suspense>
          <PictureDialog
            opened={open}
            title={t('pictureTitle')}
            url={employee.profile_picture_url}
            error={set.error ?? remove.error}
            isPending={set.isPending || remove.isPending}
            onSet={async (file) => {
              await set.mutateAsync({ file });
              refresh();
            }}
            onRemove={async () => {
              await remove.mutateAsync({});
              refresh();
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </Group>
  );
}
