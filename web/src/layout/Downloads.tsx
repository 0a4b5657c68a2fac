import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../api/api-error.ts';
import { readFile } from '../api/file.ts';
import { Dialog, DialogActions } from '../ui/Dialog.tsx';
import { download } from '../ui/download.ts';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { useToast } from '../ui/toasts.tsx';

const slowTimeout = 1_500;

/** The file link that an unmodified click activates. */
function fileLink(event: MouseEvent): HTMLAnchorElement | undefined {
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!isPlain || event.defaultPrevented || !(event.target instanceof Element)) return undefined;
  const link = event.target.closest<HTMLAnchorElement>('a[download]');
  return link && link.protocol !== 'blob:' ? link : undefined;
}

/** Intercepts clicks on file links and fetches the files, so that a refusal is shown in the page. */
export function Downloads() {
  const t = useTranslations('errors');
  const { failed, opened, get, close } = useFileRequest();
  const onClick = useEffectEvent((event: MouseEvent) => {
    const link = fileLink(event);
    if (!link) return;
    event.preventDefault();
    void get(link.href);
  });
  useEffect(() => {
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, []);
  return (
    <Dialog title={t('file.failed')} opened={opened} onClose={close}>
      <ErrorNotice error={failed?.error} />
      <DialogActions>
        <Button data-autofocus onClick={() => failed && void get(failed.url)}>
          {t('retry')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Fetches a file; keeps the URL and error of the last refused one. */
function useFileRequest() {
  const t = useTranslations('errors');
  const toast = useToast();
  const [failed, setFailed] = useState<{ url: string; error: ApiError }>();
  const [opened, setOpened] = useState(false);
  const { mutateAsync } = useMutation<void, ApiError, string>({
    mutationFn: async (url) => {
      const { content, name } = await readFile(url);
      download(content, name);
    },
  });
  const get = async (url: string) => {
    setOpened(false);
    const slow = setTimeout(() => toast({ text: t('file.slow') }), slowTimeout);
    try {
      await mutateAsync(url);
    } catch (error) {
      setFailed({ url, error: error as ApiError });
      setOpened(true);
    } finally {
      clearTimeout(slow);
    }
  };
  return { failed, opened, get, close: () => setOpened(false) };
}
