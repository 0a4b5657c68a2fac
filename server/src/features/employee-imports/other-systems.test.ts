import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { writeXlsx } from '../../spreadsheets/xlsx-write.ts';
import { startApp } from '../../testing/app.ts';

// made-up files in the form of the exports of other systems; the people do not exist

const { as, make, owner } = await startApp();
const entity = await make.entity({ name: 'Hafenwerk GmbH', probation_months: 0 });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);

type Given = { mapping?: object; values?: object; date_format?: string; header_row?: number; entity?: false };

/** Uploads a file, and imports it if the check has no errors. Returns its people by last name. */
async function bring(name: string, content: string | Buffer, { entity: named, ...given }: Given) {
  const fields = {
    dry_run: '1',
    create_departments: '1',
    ...(named !== false && { defaults: JSON.stringify({ entity: entity.name }) }),
    ...Object.fromEntries(
      Object.entries(given).map(([key, value]) => [
        key,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    ),
  };
  const checked = await hr.upload('/api/employees/import', { name, content }, fields);
  expect([checked.status, checked.body.message]).toEqual([201, expect.stringMatching(/^Import checked/)]);
  const { id, plan_hash, counts } = checked.body.data;
  const failed = await hr.get(`/api/employees/imports/${id}/rows?status=failed`);
  expect(failed.body.data.map(({ errors }: { errors: object }) => errors)).toEqual([]);
  const done = await hr.post(`/api/employees/imports/${id}/commit`, { plan_hash });
  expect(done.body.data).toMatchObject({ status: 'completed', counts: { created: counts.total, failed: 0 } });
  const { rows } = await owner.query(
    `select e.last_name, e.employee_number, e.gender, e.marital_status, e.employment_lifecycle as lifecycle,
            e.employment_type as kind, e.joining_date::text as joined, d.name as department, m.last_name as manager
     from employees e join departments d on d.id = e.department_id left join employees m on m.id = e.reporting_manager_id
     join import_rows r on r.subject_id = e.id and r.import_id = $1`,
    [id],
  );
  return { data: checked.body.data, people: Object.fromEntries(rows.map(({ last_name, ...row }) => [last_name, row])) };
}

test('an export like that of Personio: German headings and words, dates with dots, the manager by name', async () => {
  const file = `\uFEFF"Personalnummer";"Vorname";"Nachname";"E-Mail";"Geschlecht";"Status";"Vertragsart";"Position";"Abteilung";"Vorgesetzter";"Eintrittsdatum";"Wochenstunden"
"P100";"Jana";"Ahrens";"jana.ahrens@hafenwerk.example";"weiblich";"aktiv";"Vollzeit";"Werkleiterin";"Produktion";"";"01.03.2019";"40"
"P101";"Tarek";"Bähr";"tarek.baehr@hafenwerk.example";"männlich";"aktiv";"Teilzeit";"Monteur";"Produktion";"Jana Ahrens";"15.09.2021";"20"
"P102";"Nuri";"Cetin";"nuri.cetin@hafenwerk.example";"divers";"Probezeit";"Praktikant";"Praktikum";"Lager";"Bähr, Tarek";"01.02.2026";"38,5"
`;
  const { people } = await bring('personio.csv', file, {
    mapping: {
      Status: 'employment_lifecycle',
      Vertragsart: 'employment_type',
      Vorgesetzter: 'reporting_manager',
      Position: 'job_title',
      Wochenstunden: null,
    },
    values: {
      Status: { aktiv: 'confirmed', Probezeit: 'probationary' },
      Vertragsart: { Vollzeit: 'full_time', Teilzeit: 'part_time', Praktikant: 'intern' },
      Geschlecht: { weiblich: 'female', männlich: 'male', divers: 'other' },
    },
    date_format: 'DD.MM.YYYY',
  });
  expect(people['Bähr']).toMatchObject({
    lifecycle: 'confirmed',
    kind: 'part_time',
    manager: 'Ahrens',
    gender: 'male',
    joined: '2021-09-15',
  });
  expect(people['Cetin']).toMatchObject({
    lifecycle: 'probationary',
    kind: 'intern',
    manager: 'Bähr',
    department: 'Lager',
  });
});

test('an export like that of BambooHR: padded cells, statuses in words, "Last, First" as the supervisor', async () => {
  const file = `Employee #,First Name,Last Name,Work Email,Gender,Marital Status,Employment Status,Job Title,Department,Supervisor,Hire Date
201,Rosa ,Delgado,rosa.delgado@hafenwerk.example,Female,Married,Active,Plant Manager,Assembly       ,,03/18/2017
202,Owen,Ellis ,owen.ellis@hafenwerk.example,Male,Separated,Voluntarily Terminated,Technician,Assembly       ,"Delgado, Rosa",11/02/2020
203,Priya,Fonseca,priya.fonseca@hafenwerk.example,Female,Single,Active,Technician,Assembly       ,Rosa Delgado,07/27/2022
`;
  const { people } = await bring('bamboohr.csv', file, {
    mapping: { 'Employee #': 'employee_number', 'Employment Status': 'employment_lifecycle' },
    values: {
      'Employment Status': { 'Voluntarily Terminated': 'resigned', Active: 'confirmed' },
      'Marital Status': { Separated: null },
    },
    date_format: 'MM/DD/YYYY',
  });
  expect(people['Ellis']).toMatchObject({
    lifecycle: 'resigned',
    marital_status: null,
    manager: 'Delgado',
    joined: '2020-11-02',
  });
  expect(people['Fonseca']).toMatchObject({ lifecycle: 'confirmed', manager: 'Delgado', department: 'Assembly' });
});

test('an extract like that of SAP: technical headings, codes, compact dates and numbers with zeros', async () => {
  const file = [
    'PERNR\tVORNA\tNACHN\tUSRID_LONG\tGESCH\tFAMST\tSTAT2\tPERSK\tPLANS_TXT\tORGEH_TXT\tBUKRS_TXT\tMSTBR\tBEGDA',
    '00004711\tMarek\tGlowacki\tMAREK.GLOWACKI@HAFENWERK.EXAMPLE\t1\t1\t3\tDT\tMeister\tWartung\tHafenwerk GmbH\t\t20150401',
    '00004712\tLea\tHuber\tLEA.HUBER@HAFENWERK.EXAMPLE\t2\t0\t3\tDU\tMechanikerin\tWartung\tHafenwerk GmbH\t00004711\t20230116',
  ].join('\n');
  const { people } = await bring('sap.csv', file, {
    mapping: {
      PERNR: 'employee_number',
      VORNA: 'first_name',
      NACHN: 'last_name',
      USRID_LONG: 'email',
      GESCH: 'gender',
      FAMST: 'marital_status',
      STAT2: 'employment_lifecycle',
      PERSK: 'employment_type',
      PLANS_TXT: 'job_title',
      ORGEH_TXT: 'department',
      BUKRS_TXT: 'entity',
      MSTBR: 'reporting_manager',
      BEGDA: 'joining_date',
    },
    values: {
      GESCH: { 1: 'male', 2: 'female' },
      FAMST: { 0: 'single', 1: 'married' },
      STAT2: { 3: 'confirmed', 0: 'resigned' },
      PERSK: { DT: 'full_time', DU: 'part_time' },
    },
    date_format: 'YYYYMMDD',
    entity: false,
  });
  expect(people['Huber']).toEqual({
    employee_number: '00004712',
    gender: 'female',
    marital_status: 'single',
    lifecycle: 'confirmed',
    kind: 'part_time',
    joined: '2023-01-16',
    department: 'Wartung',
    manager: 'Glowacki',
  });
});

test('the fixed layout of a payroll office: padded cells, cost centres as departments, a line of the office above', async () => {
  const file = [
    'LOHNBUERO NORD      ;MANDANT 00815',
    'PNR  ;NACHNAME            ;VORNAME        ;MAIL                               ;KST ;ANR;STFAM;EINTRITT',
    '00301;Iversen             ;Stine          ;stine.iversen@hafenwerk.example    ;1000;F  ;VH   ;01042018',
    '00302;Jansen              ;Okke           ;okke.jansen@hafenwerk.example      ;2000;H  ;LD   ;17112024',
  ].join('\r\n');
  const { people, data } = await bring('payroll.csv', file, {
    mapping: {
      PNR: 'employee_number',
      NACHNAME: 'last_name',
      VORNAME: 'first_name',
      MAIL: 'email',
      KST: 'department',
      ANR: 'gender',
      STFAM: 'marital_status',
      EINTRITT: 'joining_date',
    },
    values: {
      KST: { 1000: 'Verwaltung', 2000: 'Dock' },
      ANR: { F: 'female', H: 'male' },
      STFAM: { VH: 'married', LD: 'single' },
    },
    date_format: 'DDMMYYYY',
  });
  expect(data.header_row).toBe(2);
  expect(people['Jansen']).toMatchObject({
    employee_number: '00302',
    department: 'Dock',
    gender: 'male',
    joined: '2024-11-17',
  });
  expect(people['Iversen']).toMatchObject({ department: 'Verwaltung', marital_status: 'married' });
});

const workbook = (lines: string[][]) =>
  buffer(
    writeXlsx(
      (lines[0] ?? []).map((header) => ({ header })),
      lines.slice(1),
    ),
  );
const kept = [
  ['Our people – kept by the office', '', '', '', '', ''],
  ['', '', '', '', '', ''],
  ['As of:', '1 April 2026', '', '', '', ''],
  ['Name', 'Surname', 'Mail', 'Team', 'Boss', 'Since'],
  ['Kaya', 'Lindt', 'kaya.lindt@hafenwerk.example', 'Office', '', '02/05/2020'],
  ['Levi', 'Moreau', 'levi.moreau@hafenwerk.example', 'Office', 'Kaya Lindt', '11/06/2025'],
];
const keptMapping = {
  Name: 'first_name',
  Mail: 'email',
  Team: 'department',
  Boss: 'reporting_manager',
  Since: 'joining_date',
};

test('a workbook kept by hand: merged titles above the headings are skipped', async () => {
  // the writer makes the first line a header like a merged title: text in the first cell only
  const { data, people } = await bring('people.xlsx', await workbook(kept), {
    mapping: keptMapping,
    date_format: 'DD/MM/YYYY',
  });
  expect(data.header_row).toBe(4);
  expect(data.columns.map(({ header }: { header: string }) => header)).toEqual([
    'Name',
    'Surname',
    'Mail',
    'Team',
    'Boss',
    'Since',
  ]);
  expect(people['Moreau']).toMatchObject({ manager: 'Lindt', department: 'Office', joined: '2025-06-11' });
});

test('the row of the headings can be chosen', async () => {
  const file = 'Staff of the dock,Nr 7,Internal\nName,Surname,Mail\nAda,Novak,ada.novak@hafenwerk.example\n';
  const upload = (fields: object) =>
    hr.upload('/api/employees/import', { name: 'dock.csv', content: file }, { dry_run: '1', ...fields });
  const guessed = await upload({});
  expect([guessed.body.data.header_row, guessed.body.data.status]).toEqual([1, 'needs_mapping']);
  const chosen = await upload({ header_row: '2' });
  expect(chosen.body.data).toMatchObject({
    header_row: 2,
    columns: [{ header: 'Name' }, { header: 'Surname' }, { header: 'Mail' }],
  });
  expect((await upload({ header_row: '101' })).status).toBe(422);
  const beyond = await upload({ header_row: '50' });
  expect([beyond.status, Object.keys(beyond.body.errors)]).toEqual([422, ['file']]);
});
