import { screen, within } from '@testing-library/react';
import { entityFormOrder, entityRows, type FieldRow } from '@tenure/contract';
import { expect, test } from 'vitest';
import fields from '@tenure/contract/locales/en/fields.json' with { type: 'json' };
import { itemOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const company = {
  id: 1,
  name: 'Alpha',
  code: 'ALP',
  status: 'active',
  description: 'Sells\nthings',
  registration_number: 'HRB 1',
  tax_number: null,
  address: null,
  country: 'GB',
  timezone: 'UTC',
  locale: 'de',
  probation_months: 3,
  probation_lead_days: 30,
  probation_max_extensions: 1,
  kpi_band_a_name: 'A',
  kpi_band_a_from: 90,
  kpi_band_b_name: 'B',
  kpi_band_b_from: 80,
  kpi_band_c_name: 'C',
  kpi_band_c_from: 60,
  kpi_band_d_name: 'D',
  departments_count: 0,
  employees_count: 0,
  revision: 4,
  hr_representatives: [],
  allowed_actions: ['update'],
};

const open = (address: string) => {
  const service = serve({
    'GET /api/me': signedInAs(['entities.view', 'entities.update']),
    'GET /api/entities/1': itemOf(company),
    'PUT /api/entities/1': itemOf({ ...company, revision: 5 }),
  });
  return { service, ...start(address) };
};

const label = (name: (typeof entityFormOrder)[number]) => fields.fields.entity[name];

test('the form of a company has every field of its rows, in order and with their maximum lengths', async () => {
  open('/companies/1?dialog=edit-company');
  const dialog = await screen.findByRole('dialog', { name: 'Edit Alpha' });
  const inputs = [...dialog.querySelectorAll<HTMLInputElement>('input:not([type=hidden]), textarea, select')];
  const named = inputs.map((input) => input.labels?.[0]?.textContent.replace(' *', ''));
  expect(named).toEqual(entityFormOrder.map(label));
  const longest = (row: FieldRow & { max?: number }) =>
    row.kind === 'integer' || row.kind === 'country' || row.max === undefined ? undefined : row.max;
  for (const [index, name] of entityFormOrder.entries()) {
    const max = longest(entityRows[name]);
    if (max !== undefined) expect([name, inputs[index]?.maxLength]).toEqual([name, max]);
  }
});

test('only changes are sent: numbers as numbers, codes in capitals, empty fields as null', async () => {
  const { service, user } = open('/companies/1?dialog=edit-company');
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Alpha' }));
  const type = async (name: string, text: string) => {
    const input = dialog.getByRole('textbox', { name });
    await user.clear(input);
    if (text !== '') await user.type(input, text);
  };
  await type(label('code'), 'alfa');
  await type(label('registration_number'), '');
  await type(label('tax_number'), '12/3');
  await type(label('probation_months'), '6');
  await user.selectOptions(dialog.getByRole('combobox', { name: label('locale') }), 'English');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Alpha was saved.');
  expect(service.to('PUT /api/entities/1').at(-1)?.body).toEqual({
    code: 'ALFA',
    registration_number: null,
    tax_number: '12/3',
    probation_months: 6,
    locale: 'en',
    revision: 4,
  });
});

test('a language that is not offered stays until another is chosen', async () => {
  const { service } = open('/companies/1?dialog=edit-company');
  service.replies['GET /api/entities/1'] = itemOf({ ...company, locale: 'de-AT' });
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Alpha' }));
  expect(dialog.getByRole<HTMLSelectElement>('combobox', { name: label('locale') }).value).toBe('de-AT');
  expect(dialog.getByRole('option', { name: 'Deutsch (de-AT)' })).toBeTruthy();
});

test('the page of a company shows every field; the name is its heading', async () => {
  open('/companies/1');
  await screen.findByRole('heading', { level: 1, name: 'Alpha' });
  const terms = [...document.querySelectorAll('dt')].map(({ textContent }) => textContent);
  expect(terms).toEqual([...entityFormOrder.filter((name) => name !== 'name').map(label), 'HR contacts']);
  expect(screen.getByText('30 days')).toBeTruthy();
  expect(screen.getByText('Deutsch')).toBeTruthy();
});
