import { Stack, TextInput } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslations } from 'use-intl';
import { bandKeys, joinBands, splitBands } from './fields.ts';
import classes from './form.module.css';
import type { CycleForm } from './use-cycle-form.ts';

/** The names and lower limits of the bands, the highest first; the last one starts at zero. */
export function BandFields({ record: { form } }: { record: CycleForm }) {
  const t = useTranslations('kpiCycles');
  const bands = splitBands(form.values['bands'] ?? '');
  const set = (index: number, text: string) => form.setFieldValue('bands', joinBands(bands.with(index, text)));
  const input = (index: number, key: string) => ({
    value: bands[index] ?? '',
    error: form.errors[`bands.${key}`],
    onChange: (event: { currentTarget: HTMLInputElement }) => set(index, event.currentTarget.value),
  });
  return (
    <fieldset className={classes['section']}>
      <legend>{t('field.bands')}</legend>
      <Stack gap={12}>
        <p className="muted">{t('bandsHint')}</p>
        <div className={classes['fields']}>
          {bandKeys.map((key, index) => {
            const number = index + 1;
            return (
              <Fragment key={key}>
                <TextInput {...input(2 * index, `${key}.name`)} label={t('bandName', { number })} maxLength={40} />
                {key === 'd' ? (
                  <TextInput label={t('bandFrom', { number })} value="0" rightSection="%" readOnly />
                ) : (
                  <TextInput
                    {...input(2 * index + 1, `${key}.from`)}
                    label={t('bandFrom', { number })}
                    inputMode="decimal"
                    maxLength={6}
                    rightSection="%"
                  />
                )}
              </Fragment>
            );
          })}
        </div>
      </Stack>
    </fieldset>
  );
}
