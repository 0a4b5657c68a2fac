import { MantineProvider } from '@mantine/core';
import { useForm } from '@mantine/form';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { LocaleProvider } from '../locales/locale.tsx';
import { english } from '../testing/start.tsx';
import { RowInput } from './RowInput.tsx';
import { labelOfValue, textOf, useValueText, valueOf, type Row } from './row-values.ts';

// without their schemas, as in the browser
const rows = {
  form: { kind: 'choice', values: ['gmbh', 'ag'] },
  size: { kind: 'choice', values: ['small', 'large'], filledIn: true },
  listed: { kind: 'flag', filledIn: true },
  founded: { kind: 'day' },
} as unknown as Record<string, Row>;
const texts: Record<string, string> = { form: 'Legal form', form_gmbh: 'GmbH', size: 'Size', listed: 'Listed' };
const labels = Object.assign((name: string) => texts[name] ?? name, { has: (name: string) => name in texts });

function Form({ start = {} }: { start?: Record<string, string> }) {
  const form = useForm<Record<string, string>>({ initialValues: start });
  const text = useValueText(labels);
  return (
    <>
      {Object.entries(rows).map(([name, row]) => (
        <RowInput
          key={name}
          {...{ name, row, form }}
          label={labels(name)}
          labelOf={(value) => labelOfValue(labels, name, value)}
          required={false}
        />
      ))}
      <output>
        {Object.entries(rows).map(([name, row]) => {
          const value = form.values[name] ?? '';
          return `${name} ${String(text(name, row, value))} ${String(valueOf(row, value))}; `;
        })}
      </output>
    </>
  );
}

const show = (start?: Record<string, string>) => {
  render(
    <LocaleProvider language={english}>
      <MantineProvider>
        <Form {...(start && { start })} />
      </MantineProvider>
    </LocaleProvider>,
  );
  return userEvent.setup();
};
const optionsOf = (name: string) =>
  [...screen.getByRole<HTMLSelectElement>('combobox', { name }).options].map(({ label }) => label);

test('a choice is a select of its values, with labels where they exist', () => {
  show();
  expect(optionsOf('Legal form')).toEqual(['Not stated', 'GmbH', 'ag']);
});

test('a choice that the service fills in has an empty option only while it is empty', async () => {
  const user = show();
  expect(optionsOf('Size')).toEqual(['Default', 'small', 'large']);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Size' }), 'large');
  expect(optionsOf('Size')).toEqual(['small', 'large']);
});

test('choices, flags and days are converted to request values and to text', async () => {
  const user = show({ listed: textOf(true) });
  expect(screen.getByRole('status').textContent).toContain('form  null; size  ; listed Yes true; founded  null');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Legal form' }), 'gmbh');
  await user.click(screen.getByRole('switch', { name: 'Listed' }));
  expect(screen.getByRole('status').textContent).toContain('form GmbH gmbh');
  expect(screen.getByRole('status').textContent).toContain('listed null false');
});

test('an unset flag is an empty text', () => {
  expect([false, null, undefined, 0, 'x'].map(textOf)).toEqual(['', '', '', '0', 'x']);
});
