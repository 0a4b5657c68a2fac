import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make } = await startApp();
const entity = await make.entity({ name: 'Hafen Feinkost', code: 'HAF' });
await make.department({ entity_id: entity.id, name: 'Versand' });
const hr = await as((await make.employee({ entity_id: entity.id, roles: ['HR'] })).user_id);
const german = { 'accept-language': 'de' };

const upload = (content: string, fields: Record<string, string> = {}) =>
  hr.upload('/api/employees/import', { name: 'personal.csv', content }, { dry_run: '1', ...fields });
const errorsOf = async (id: number) =>
  (await hr.get(`/api/employees/imports/${id}/rows?per_page=100`, german)).body.data.map(
    ({ errors }: { errors: Record<string, string[]> }) => errors,
  );

const header =
  'Personalnummer;Vorname;Nachname;Unternehmen;Abteilung;Eintrittsdatum;Beschäftigungsart;Beschäftigungsstatus;Geschlecht;Familienstand';

test('choices are read by what the pages call them, in German too', async () => {
  const { body } = await upload(
    [
      header,
      'H-1;Ada;Albers;HAF;Versand;01.02.2024;Vollzeit;Übernommen;Weiblich;Ledig',
      'H-2;Bea;Bruns;HAF;Versand;01.02.2024;teilzeit;In Probezeit;DIVERS;Verheiratet',
      'H-3;Cem;Cordes;HAF;Versand;01.02.2024;Full time;On probation;male;widowed',
    ].join('\n'),
    { date_format: 'DD.MM.YYYY' },
  );
  expect(await errorsOf(body.data.id)).toEqual([{}, {}, {}]);
  const { revision } = body.data;
  const done = await hr.post(`/api/employees/imports/${body.data.id}/commit`, { revision });
  expect(done.body.data.counts).toMatchObject({ created: 3, failed: 0 });
  const { data } = (await hr.get('/api/employees?search=H-2')).body;
  const person = (await hr.get(`/api/employees/${data[0].id}`)).body.data;
  expect(person).toMatchObject({ employment_type: 'part_time', employment_lifecycle: 'probationary' });
});

test('errors name choices and date formats in the language of the reader', async () => {
  const { body } = await upload([header, 'H-9;Ada;Albers;HAF;Versand;2/3/24;Halb;Weg;x;y'].join('\n'), {
    date_format: 'DD.MM.YYYY',
  });
  const [errors] = await errorsOf(body.data.id);
  expect(errors).toMatchObject({
    joining_date: ['„2/3/24“ ist kein Datum im Format TT.MM.JJJJ.'],
    employment_type: ['„Halb“ ist nicht möglich. Verwenden Sie: Vollzeit, Teilzeit, Befristet, Praktikum, Beratung.'],
    gender: ['„x“ ist nicht möglich. Verwenden Sie: Männlich, Weiblich, Divers.'],
  });
});
