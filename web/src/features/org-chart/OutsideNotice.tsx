import { Box } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { colorsOf } from '../../ui/tones.ts';
import { LinkButton } from './LinkButton.tsx';

/** A notice that the requested person is in no visible chart, or in another company's. */
export function OutsideNotice({ onClear }: { onClear: () => void }) {
  const t = useTranslations('orgChart');
  return (
    <Box px="gutter" py={8} fz="sm" {...colorsOf('warn')}>
      {t('outside')} <LinkButton onClick={onClear}>{t('showAll')}</LinkButton>
    </Box>
  );
}
