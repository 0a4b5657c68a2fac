import { Progress, Stack } from '@mantine/core';
import type { Import } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Steps } from './Steps.tsx';

/** The progress of an import; the user may leave the page and return. */
export function Running({ found }: { found: Import }) {
  const t = useTranslations('imports');
  const { processed, total } = found.progress;
  const label = t(`phase.${found.phase ?? 'checking'}`);
  return (
    <>
      <PageHeader title={label} lead={<bdi>{found.file_name}</bdi>} />
      <Steps at={found.phase === 'checking' ? 'check' : 'import'} />
      <Stack gap={10} maw="34rem" px="gutter" py={8}>
        <Progress.Root size="lg">
          <Progress.Section value={total > 0 ? (processed / total) * 100 : 0} aria-label={label} />
        </Progress.Root>
        <p className="numbers">{t('progress', { processed, total })}</p>
        <p className="muted">{t('mayLeave')}</p>
      </Stack>
    </>
  );
}
