import type { Endpoint } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { plantCanaries } from '../testing/canary-world.ts';
import type { Reader } from '../testing/canary-world.ts';
import {
  allHr,
  managers,
  ofTheEvaluation,
  ofThePeople,
  pathsOf,
  personAndHr,
  reading,
  reviewerAndHr,
  southern,
} from './canary-sweep.ts';

/**
 * Each private value stands in one table with those who may read it. Everybody calls every GET there is, with the ids of
 * everything that was planted: each value comes back to those of the table, and to nobody else.
 */

const app = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000' });
const { clients, ids } = await plantCanaries(app);
const everybody = Object.keys(clients) as Reader[];

/** Who reads what. */
const table: Record<string, readonly Reader[]> = {
  // the private part of the record
  '1971-03-17': personAndHr,
  Zqnation: personAndHr,
  zqpersonal: personAndHr,
  '7371937': personAndHr,
  Zqstreet: personAndHr,
  Zqcity: personAndHr,
  Zqemergency: personAndHr,
  Zqbank: personAndHr,
  Zqholder: personAndHr,
  Zqseparation: allHr,
  // numbers of an account come masked, whoever reads
  DE89370400440532013000: [],
  '0532013000': [],
  // employment
  Zqgrade: ofThePeople,
  '9371937': ofThePeople,
  Zqnexttitle: ofThePeople,
  Zqjobreason: ofThePeople,
  // files by their visibility: title, name and content
  Zqhronly: allHr,
  Zqiddocument: allHr,
  Zqmanagerfile: [...managers, 'managedExporter', ...allHr],
  Zqemployeefile: personAndHr,
  // an evaluation that HR reviews
  Zqselfcomment: ofTheEvaluation,
  Zqselfitem: ofTheEvaluation,
  Zqevidenceself: ofTheEvaluation,
  '3.71': ofTheEvaluation,
  Zqmanagercomment: reviewerAndHr,
  Zqmanageritem: reviewerAndHr,
  Zqstrengths: reviewerAndHr,
  Zqevidencemanager: reviewerAndHr,
  '71.37': reviewerAndHr,
  Zqhrdraft: allHr,
  Zqflagreason: allHr,
  Zqfinalnote: allHr,
  Zqevidencehr: allHr,
  // drafts, and what is shown to the person
  Zqmanagerdraft: ['manager', 'head', ...allHr],
  Zqselfdraft: ['self'],
  Zqhrshown: ofTheEvaluation,
  Zqdispute: ofTheEvaluation,
  '72.37': ofTheEvaluation,
  // a probation review that was submitted, and a draft about a colleague
  Zqreviewtext: reviewerAndHr,
  Zqreviewhr: reviewerAndHr,
  Zqsignature: reviewerAndHr,
  Zqreviewdraft: ['manager'],
  // another company
  // the log says who it is about to whoever reads all of it
  Zqsouthname: ['southerner', 'auditor', 'directory', 'onlooker', ...southern],
  Zqsgrade: ['southerner', ...southern],
  Zqsouthdepartment: ['southerner', 'directory', 'onlooker', 'planner', ...southern],
  Zqsouthcompany: southern,
  Zqsouthtemplate: ['southerner', 'onlooker', ...southern],
  Zqsouthcycle: ['onlooker', 'planner', ...southern],
  Zqsouthcomment: ['southerner', 'onlooker', ...southern],
  // somebody's own
  Zqview: ['hr'],
  Zqnotice: ['self'],
  Zqagent: ['self'],
  '203.0.113.71': ['self'],
  Zqimport: allHr,
  Zqfile: allHr,
  // what a role is for is no secret among those who give roles
  Zqrole: [...allHr, 'southHr'],
};

/** Every address of an endpoint; a list with as many rows as it gives, in each of its orders. */
function urlsOf(endpoint: Endpoint): string[] {
  const parameters = endpoint.query?.shape ?? {};
  const most = 'per_page' in parameters ? '?per_page=100' : '';
  // the private details of somebody else are given to those who ask for them
  const ask = endpoint.path === '/employees/:id' ? '?reveal=private' : most;
  return pathsOf(endpoint, ids).map((path) => `/api${path}${ask}`);
}

const isHeld = (text: string, value: string) =>
  /^[\d.]+$/.test(value)
    ? new RegExp(`(?<![\\d.])${value.replaceAll('.', '\\.')}(?!\\d)`).test(text) ||
      (/^\d+$/.test(value) && text.includes(value))
    : text.toLowerCase().includes(value.toLowerCase());

/** What somebody reads anywhere, with the addresses where. */
async function readBy(reader: Reader): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const endpoint of reading)
    await Promise.all(
      urlsOf(endpoint).map(async (url) => {
        const { status, bytes } = await clients[reader].get(url);
        if (status === 429 || status >= 500) throw new Error(`${url} answers ${status}`);
        if (status !== 200) return;
        const text = bytes.toString('latin1');
        for (const value of Object.keys(table))
          if (isHeld(text, value)) found.set(value, [...(found.get(value) ?? []), url]);
      }),
    );
  return found;
}

test.each(everybody)('%s reads what the table says, and nothing else', { timeout: 60_000 }, async (reader) => {
  const found = await readBy(reader);
  const allowed = Object.keys(table).filter((value) => table[value]?.includes(reader));
  const leaks = Object.fromEntries([...found].filter(([value]) => !allowed.includes(value)));
  const missing = allowed.filter((value) => !found.has(value));
  expect({ leaks, missing }).toEqual({ leaks: {}, missing: [] });
});

const searched = reading.filter(
  ({ query, file, path }) => query && 'search' in query.shape && !file && path !== '/search',
);
/** One of each relationship: whom a search tells most beside what they may read. */
const searchers: Reader[] = ['lead', 'manager', 'southHr', 'auditor', 'managedExporter', 'managedFinance'];

test.each(searchers)('%s finds nothing by what the table hides', { timeout: 60_000 }, async (reader) => {
  const hidden = Object.keys(table).filter((value) => !table[value]?.includes(reader));
  const found: string[] = [];
  for (const endpoint of searched) {
    const path = `/api${pathsOf(endpoint, ids)[0]}`;
    if ((await clients[reader].get(path)).status !== 200) continue;
    await Promise.all(
      hidden.map(async (value) => {
        const { body } = await clients[reader].get(`${path}?search=${encodeURIComponent(value)}&per_page=1`);
        if (body.meta?.total !== 0) found.push(`${path}?search=${value}`);
      }),
    );
  }
  expect(found).toEqual([]);
});

test('a bank account is shown in full to HR who asks, and to nobody else', async () => {
  const full = await Promise.all(
    everybody.map(async (reader) => {
      const { bytes } = await clients[reader].get(`/api/employees/${ids.employees?.[0]}?reveal=bank`);
      return bytes.includes('DE89370400440532013000') ? [reader] : [];
    }),
  );
  expect(full.flat().sort()).toEqual([...allHr].sort());
});
