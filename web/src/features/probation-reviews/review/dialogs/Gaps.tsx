import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { DialogActions } from '../../../../ui/Dialog.tsx';
import { goToGap, type Gap } from '../gaps.ts';

/** The missing input that blocks signing, each with a link. */
export function Gaps({ gaps, onClose }: { gaps: readonly Gap[]; onClose: () => void }) {
  const t = useTranslations('probationSteps');
  const go = (gap: Gap) => {
    onClose();
    goToGap(gap);
  };
  return (
    <>
      <p>{t('gaps', { count: gaps.length })}</p>
      <ul>
        {gaps.map((gap) => (
          <li key={`${gap.field} ${gap.kind}`}>
            <Button variant="subtle" size="compact-sm" onClick={() => go(gap)}>
              {t(`gap.${gap.kind}`, { name: gap.name ?? '' })}
            </Button>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('goOn')}
        </Button>
      </DialogActions>
    </>
  );
}
