import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Notice } from '../ui/Notice.tsx';
import classes from '../ui/RecordPage.module.css';
import type { Texts } from '../ui/versions.ts';

type Props = {
  /** Texts by field name. */
  texts: Texts;
  label: (name: string) => string;
  show: (name: string, text: string) => string;
  onDone: () => void;
};

/** Edits that can no longer be saved since the record moved on, shown to be copied. */
export function UnsavableEdits({ texts, label, show, onDone }: Props) {
  const t = useTranslations('workflow');
  const lines = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  return (
    <div className={classes['standing']}>
      <Notice kind="history">
        <div className={classes['told']}>
          <p>{t('unsavable')}</p>
          {lines.map(([name, text]) => (
            <p key={name}>
              <b>{label(name)}</b>: {show(name, text)}
            </p>
          ))}
          <Button size="compact-sm" variant="default" onClick={onDone}>
            {t('unsavableDone')}
          </Button>
        </div>
      </Notice>
    </div>
  );
}
