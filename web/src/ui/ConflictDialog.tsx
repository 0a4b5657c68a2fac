import { Button, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { AutoGrid } from './AutoGrid.tsx';
import classes from './ConflictDialog.module.css';
import { Dialog, DialogActions } from './Dialog.tsx';
import type { Difference } from './versions.ts';

type Choice = 'mine' | 'theirs';

export type ConflictProps = {
  /** The dialog is closed while this is empty. */
  differences: readonly Difference[];
  /** The label of a field, and a value as text. */
  label: (name: string) => string;
  show: (name: string, value: string) => ReactNode;
  /** Called with the value chosen for each field. */
  onResolve: (values: Record<string, string>) => void;
  /** Returns to the form with its input. */
  onCancel: () => void;
  saving?: boolean;
};

/** Shows both versions of fields that two users changed, with a choice for each. */
export function ConflictDialog({ differences, label, show, onResolve, onCancel, saving = false }: ConflictProps) {
  const t = useTranslations('conflict');
  const [choices, setChoices] = useState<Record<string, Choice>>({});
  const chosen = (name: string): Choice => choices[name] ?? 'mine';
  const save = () =>
    onResolve(
      Object.fromEntries(differences.map((difference) => [difference.name, difference[chosen(difference.name)]])),
    );
  return (
    <Dialog title={t('title')} opened={differences.length > 0} onClose={onCancel} size="lg">
      <p>{t('body')}</p>
      <Stack gap={16}>
        {differences.map((difference) => (
          <Versions
            key={difference.name}
            difference={difference}
            label={label(difference.name)}
            chosen={chosen(difference.name)}
            show={(value) => show(difference.name, value)}
            onChoose={(side) => setChoices({ ...choices, [difference.name]: side })}
          />
        ))}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          {t('back')}
        </Button>
        <Button onClick={save} loading={saving}>
          {t('save')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

type VersionsProps = {
  difference: Difference;
  label: string;
  chosen: Choice;
  show: (value: string) => ReactNode;
  onChoose: (side: Choice) => void;
};

function Versions({ difference, label, chosen, show, onChoose }: VersionsProps) {
  const t = useTranslations('conflict');
  return (
    <fieldset className={classes['field']}>
      <legend>{label}</legend>
      <AutoGrid min="13rem" gap={8} fit>
        {(['mine', 'theirs'] as const).map((side) => (
          <label key={side} className={classes['side']} data-chosen={chosen === side || undefined}>
            <input type="radio" name={difference.name} checked={chosen === side} onChange={() => onChoose(side)} />
            <span className="muted small">{t(side)}</span>
            <span className={classes['value']}>
              {difference[side] === '' ? <span className="muted">{t('empty')}</span> : show(difference[side])}
            </span>
          </label>
        ))}
      </AutoGrid>
    </fieldset>
  );
}
