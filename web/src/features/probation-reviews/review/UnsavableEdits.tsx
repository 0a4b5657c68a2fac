import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Notice } from '../../../ui/Notice.tsx';
import classes from '../../../ui/RecordPage.module.css';
import type { Texts } from '../../../ui/versions.ts';
import { useShownValue } from './use-shown-value.ts';
import type { AssessmentField } from './values.ts';

type Props = { texts: Texts; onDone: () => void };

/** The review went on while somebody wrote: what could not be saved any more stays here to be copied. */
export function UnsavableEdits({ texts, onDone }: Props) {
  const t = useTranslations('probationReview');
  const f = useTranslations('probationForm');
  const show = useShownValue();
  const lines = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  return (
    <div className={classes['standing']}>
      <Notice kind="history">
        <div className={classes['told']}>
          <p>{f('unsavable')}</p>
          {lines.map(([name, text]) => (
            <p key={name}>
              <b>{t(`field.${name as AssessmentField}`)}</b>: {show(name, text)}
            </p>
          ))}
          <Button size="compact-sm" variant="default" onClick={onDone}>
            {f('unsavableDone')}
          </Button>
        </div>
      </Notice>
    </div>
  );
}
