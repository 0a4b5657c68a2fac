import { Button, TextInput } from '@mantine/core';
import { useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { useTranslations } from 'use-intl';
import panes from '../../../ui/Panes.module.css';
import classes from '../../kpi-templates/builder.module.css';
import type { CriterionTexts } from './values.ts';

export type Adding = {
  /** Adds the typed criterion; false with an error if it is incomplete. */
  finish: () => boolean;
};

type Props = { rest: string; adding: Ref<Adding>; onAdd: (row: CriterionTexts) => void };

/** The input of a criterion that is not added yet. */
function useNewCriterion({ rest, adding, onAdd }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [weight, setWeight] = useState<string>();
  const [isTried, setTried] = useState(false);
  const given = weight ?? rest;
  const isNamed = name.trim().length > 1;
  const isWeighed = given.trim() !== '';
  const add = (): boolean => {
    const isDone = isNamed && isWeighed;
    setTried(!isDone);
    if (!isDone) return false;
    onAdd({ name: name.trim(), weight: given, rating: '', comment: '' });
    setName('');
    setWeight(undefined);
    return true;
  };
  const finish = () => {
    const isFinished = name.trim() === '' || add();
    if (!isFinished) field.current?.focus();
    return isFinished;
  };
  useImperativeHandle(adding, () => ({ finish }));
  const missing = { name: isTried && !isNamed, weight: isTried && !isWeighed };
  return { field, name, setName, given, setWeight, missing, add };
}

/** A criterion is added once it has a name and a weight, so that no incomplete one is saved. */
export function AddCriterion(props: Props) {
  const t = useTranslations('probationForm');
  const { field, name, setName, given, setWeight, missing, add } = useNewCriterion(props);
  const onEnter = (event: KeyboardEvent) => event.key === 'Enter' && add();
  return (
    <div className={panes['score']} style={{ alignItems: 'flex-end' }}>
      <TextInput
        className={classes['itemName']}
        ref={field}
        label={t('newCriterion')}
        value={name}
        maxLength={200}
        error={missing.name ? t('nameMissing') : null}
        onKeyDown={onEnter}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        className={classes['itemWeight']}
        label={t('weight')}
        value={given}
        error={missing.weight ? t('weightMissing') : null}
        inputMode="decimal"
        autoComplete="off"
        rightSection="%"
        onKeyDown={onEnter}
        onChange={(event) => setWeight(event.currentTarget.value)}
      />
      <Button variant="default" onClick={() => void add()}>
        {t('add')}
      </Button>
    </div>
  );
}
