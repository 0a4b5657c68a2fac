import { Button, Group, Stack } from '@mantine/core';
import { uploadLimits, type Brand } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useFileCheck } from '../../ui/use-file-check.ts';

type Props = {
  logo: Brand['logo'];
  file: File | undefined;
  onFile: (file: File | undefined) => void;
  mayChange: boolean;
  isPending: boolean;
  error: ApiError | null;
  onSet: (file: File) => Promise<unknown>;
  onRemove: () => Promise<unknown>;
};

/** Sets or removes the logo; the preview shows a selected file before it is sent. */
export function LogoField({ logo, file, onFile, mayChange, isPending, error, onSet, onRemove }: Props) {
  const t = useTranslations('brand');
  const toast = useToast();
  const problem = useFileCheck(uploadLimits.logo);
  const wrong = file && problem(file);
  const doing = async (request: Promise<unknown>, text: string) => {
    try {
      await request;
    } catch {
      // the notice shows the error
      return;
    }
    onFile(undefined);
    toast({ text });
  };
  if (!mayChange) return logo ? null : <p className="muted">{t('logo.none')}</p>;
  return (
    <Stack gap={10}>
      <SectionTitle>{t('logo.title')}</SectionTitle>
      <ErrorNotice error={error} />
      <FileDrop
        label={t(logo ? 'logo.replace' : 'logo.drop')}
        hint={t('logo.hint')}
        accept="image/png,image/jpeg"
        file={file}
        onFile={onFile}
      />
      {wrong !== undefined && <Problem>{wrong}</Problem>}
      <Group gap={8}>
        {file && (
          <Button
            disabled={wrong !== undefined}
            loading={isPending}
            onClick={() => void doing(onSet(file), t('logo.saved'))}
          >
            {t('logo.save')}
          </Button>
        )}
        {logo && (
          <Button
            variant="subtle"
            color="red"
            disabled={isPending}
            onClick={() => void doing(onRemove(), t('logo.removed'))}
          >
            {t('logo.remove')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
