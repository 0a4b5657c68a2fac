import { createSession } from '../access/sessions.ts';
import { sampleFiles } from './file-samples.ts';
import type { TestApp } from './app.ts';
import { archiveOf } from './archive-fixtures.ts';
import { plantOrganisation, plantPeople } from './canary-readers.ts';
import type { Organisation, People, Reader } from './canary-readers.ts';
import type { Answer, Client } from './client.ts';
import { kpiMaker } from './make-kpi.ts';
import { probationMaker } from './make-probation.ts';

/** Two companies in which each private value appears only once, and readers in every relationship to it. */

/** Ids of planted records, by their name in paths. */
export type PlantedIds = Readonly<Record<string, readonly number[]>>;

function expectDone({ status, bytes }: Answer): void {
  if (status >= 400) throw new Error(`planting failed with ${status}: ${bytes.toString()}`);
}

async function plantRecord(app: TestApp, hr: Client, { self, southerner }: People) {
  expectDone(await hr.put(`/api/employees/${southerner.id}`, { phone: '+49 40 123456' }));
  expectDone(
    await hr.put(`/api/employees/${self.id}`, {
      date_of_birth: '1971-03-17',
      nationality: 'Zqnation',
      personal_email: 'zqpersonal@example.org',
      mobile: '+49 171 7371937',
      address: { line1: 'Zqstreet', city: 'Zqcity', country: 'DE' },
      emergency_contact: { name: 'Zqemergency', phone: '+49 30 123456' },
      bank: { bank_name: 'Zqbank', account_title: 'Zqholder', iban: 'DE89370400440532013000' },
      grade: 'Zqgrade',
      phone: '+49 30 9371937',
    }),
  );
  const change = { effective_from: '2098-01-01', job_title: 'Zqnexttitle', reason: 'Zqjobreason' };
  expectDone(await hr.post(`/api/employees/${self.id}/job-history`, change));
  const ahead = Temporal.Now.plainDateISO('UTC').add({ days: 400 }).toString();
  const absence = { first_day: ahead, last_day: ahead, absence_reason: 'Zqabsencereason' };
  expectDone(await hr.post(`/api/employees/${self.id}/absences`, absence));
  await app.owner.query(`update absences set first_day = '2020-01-01', last_day = '2020-01-02'`);
  const leaver = await app.make.employee({ department_id: self.department_id });
  const separation = { type: 'resigned', last_working_date: '2099-01-31', reason: 'Zqseparation is why' };
  expectDone(await hr.post(`/api/employees/${leaver.id}/separate`, separation));
  await createSession(
    app.deps.db,
    self.user_id,
    { ip: '203.0.113.71', user_agent: 'Zqagent/1.0 (X11; Linux)' },
    app.deps.config,
  );
  return { leaver };
}

async function plantFiles(hr: Client, { self }: People): Promise<number[]> {
  const { pdf } = await sampleFiles();
  const add = async (title: string, visibility: string, category = 'letter') => {
    const file = { name: `${title}name.pdf`, content: Buffer.concat([pdf, Buffer.from(`\n%${title}content\n`)]) };
    const added = await hr.upload(`/api/employees/${self.id}/attachments`, file, { title, category, visibility });
    expectDone(added);
    return added.body.data.id as number;
  };
  return [
    await add('Zqhronly', 'hr_only'),
    await add('Zqmanagerfile', 'manager'),
    await add('Zqemployeefile', 'employee'),
    await add('Zqiddocument', 'hr_only', 'id_document'),
  ];
}

async function plantEvaluations(app: TestApp, at: Organisation, people: People) {
  const kpi = kpiMaker(app);
  const { self: employee, manager: reviewer } = people;
  const about = { employee, reviewer };
  const inReview = await kpi.evaluation({
    ...about,
    status: 'hr_review',
    self_comment: 'Zqselfcomment',
    manager_comment: 'Zqmanagercomment',
    strengths: 'Zqstrengths',
    hr_comment: 'Zqhrdraft',
    flag_reason: 'Zqflagreason',
    self_overall_score: 3.71,
    overall_percentage: 71.37,
    answers: [{ self_comment: 'Zqselfitem', manager_comment: 'Zqmanageritem', final_note: 'Zqfinalnote' }],
  });
  await kpi.evaluation({ ...about, status: 'manager_review', manager_comment: 'Zqmanagerdraft' });
  await kpi.evaluation({ ...about, status: 'self_assessment', self_comment: 'Zqselfdraft' });
  await kpi.evaluation({
    ...about,
    status: 'disputed',
    hr_comment: 'Zqhrshown',
    dispute_reason: 'Zqdispute',
    overall_percentage: 72.37,
  });
  const template = await kpi.template({ name: 'Zqsouthtemplate', entity_id: at.south.id });
  await kpi.cycle({ name: 'Zqsouthcycle', entity_id: at.south.id });
  await kpi.evaluation({
    employee: people.southerner,
    template,
    status: 'completed',
    hr_comment: 'Zqsouthcomment',
  });
  await app.owner.query(
    `insert into former_results (employee_id, period, period_to, unit, result, scale_from, scale_to, percentage, source,
                                 created_by_name)
     values ($1, 'Zqformerperiod', '2020-12-31', 'percent', 73.37, 0, 100, 73.37, 'Zqformersource', 'Somebody')`,
    [employee.id],
  );
  for (const stage of ['self', 'manager', 'hr'])
    await app.owner.query(
      `insert into kpi_evidence (evaluation_id, stage, note, uploaded_by_name) values ($1, $2, $3, 'Somebody')`,
      [inReview.id, stage, `Zqevidence${stage}`],
    );
}

async function plantReviews(app: TestApp, { self, colleague, manager }: People) {
  const reviews = probationMaker(app);
  const written = {
    reviewer: manager,
    status: 'submitted',
    strengths: 'Zqreviewtext',
    hr_comments: 'Zqreviewhr',
  } as const;
  const review = await reviews.review({ employee: self, ...written });
  await reviews.review({ employee: colleague, reviewer: manager, comments: 'Zqreviewdraft' });
  await app.owner.query(`update probation_signatures set typed_name = 'Zqsignature' where review_id = $1`, [review.id]);
}

async function plantAround(
  app: TestApp,
  clients: Record<'hr' | 'northHr', Client>,
  { self }: People,
  at: Organisation,
) {
  const view = { name: 'Zqview', resource: 'employees', query: { search: 'Zqviewquery' }, is_shared: false };
  expectDone(await clients.hr.post('/api/saved-views', view));
  const { rows } = await app.owner.query<{ id: number }>(
    `insert into notifications (user_id, event, severity, subject_type, url, params, dedupe_key)
     values ($1, 'job_change_applied', 'info', 'job_history', '/', '{"person": "Zqnotice", "date": "2026-01-01"}', 'zq')
     returning id`,
    [self.user_id],
  );
  const header = 'employee_number,first_name,last_name,email,entity_id,department_id,address_city,gender,bank_iban';
  const cells = `${header}\nZQ-1,Zqimport,Lee,zqimport@example.com,${at.north.id},${at.office.id},Zqstagedcity,Zqstagedgender,Zqstagediban\n`;
  expectDone(
    await clients.northHr.upload('/api/employees/import', { name: 'Zqfile.csv', content: cells }, { dry_run: '1' }),
  );
  const content = archiveOf([{ name: 'ZQ-77/Zqstagedtitle.csv', content: 'a,b\n1,2\n' }]);
  expectDone(
    await clients.northHr.upload('/api/attachments/import', { name: 'Zqarchive.zip', content }, { dry_run: '1' }),
  );
  return rows[0]?.id as number;
}

/** Plants everything and signs all readers in. */
export async function plantCanaries(app: TestApp) {
  const at = await plantOrganisation(app);
  const people: People = await plantPeople(app, at);
  await app.owner.query(`update entities set description = 'Zqsouthcompany' where id = $1`, [at.south.id]);
  const signedIn = await Promise.all(
    (Object.keys(people) as Reader[]).map(async (name) => [name, await app.as(people[name].user_id)] as const),
  );
  const clients = Object.fromEntries(signedIn) as Record<Reader, Client>;
  const { leaver } = await plantRecord(app, clients.hr, people);
  const attachmentId = await plantFiles(clients.hr, people);
  await plantEvaluations(app, at, people);
  await plantReviews(app, people);
  await plantAround(app, clients, people, at);
  const idsIn = async (from: string) =>
    (await app.owner.query<{ id: number }>(`select id from ${from} order by id`)).rows.map(({ id }) => id);
  const ids: PlantedIds = {
    employees: [people.self.id, people.colleague.id, leaver.id, people.southerner.id],
    attachmentId,
    entities: [at.north.id, at.south.id],
    departments: [at.office.id, at.plant.id],
    'kpi-evaluations': await idsIn('kpi_evaluations'),
    resultId: await idsIn('former_results'),
    evidenceId: await idsIn('kpi_evidence'),
    'kpi-cycles': await idsIn('kpi_cycles'),
    'kpi-templates': await idsIn('kpi_templates'),
    'probation-reviews': await idsIn('probation_reviews'),
    signatureId: await idsIn('probation_signatures'),
    imports: await idsIn('imports'),
    'saved-views': await idsIn('saved_views'),
    notifications: await idsIn('notifications'),
    'audit-log': await idsIn(
      `audit_log where reason ilike '%zq%' or subject_label ilike '%zq%' or changes::text ilike '%zq%'`,
    ),
    roles: (await idsIn(`roles where description = 'Zqrole'`)).slice(0, 1),
    permissions: [1],
  };
  return { clients, ids, people };
}
