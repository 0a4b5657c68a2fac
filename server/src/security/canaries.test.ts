import type { Endpoint } from '@tenure/contract';
import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { plantCanaries } from '../testing/canaries.ts';
import type { Reader } from '../testing/canary-readers.ts';
import type { Answer } from '../testing/client.ts';
import { getInTurn } from '../testing/one-at-a-time.ts';
import {
  allHr,
  managers,
  ofTheEvaluation,
  ofThePeople,
  pathsOf,
  peopleHr,
  personAndHr,
  readEndpoints,
  reviewerAndHr,
  southern,
} from './canary-sweep.ts';

/**
 * Each private value is listed with its permitted readers. Every reader calls every GET with the ids of all planted
 * records: each value is returned to its permitted readers only.
 */

const app = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000', DIRECTORY: 'off' });
const { clients, ids } = await plantCanaries(app);
const everybody = Object.keys(clients) as Reader[];

/** The permitted readers of each value. */
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
  Zqseparation: peopleHr,
  Zqabsencereason: personAndHr,
  // account numbers are masked for every reader
  DE89370400440532013000: [],
  '0532013000': [],
  // employment
  Zqgrade: ofThePeople,
  '9371937': ofThePeople,
  Zqnexttitle: ofThePeople,
  Zqjobreason: ofThePeople,
  // files by visibility: title, name and content
  Zqhronly: peopleHr,
  Zqiddocument: peopleHr,
  Zqmanagerfile: [...managers, 'chief', 'managedExporter', ...peopleHr],
  Zqemployeefile: personAndHr,
  // an evaluation in HR review
  Zqselfcomment: ofTheEvaluation,
  Zqselfitem: ofTheEvaluation,
  Zqevidenceself: ofTheEvaluation,
  '3.71': ofTheEvaluation,
  Zqmanagercomment: reviewerAndHr,
  Zqmanageritem: reviewerAndHr,
  Zqstrengths: reviewerAndHr,
  Zqevidencemanager: reviewerAndHr,
  '71.37': reviewerAndHr,
  Zqhrdraft: peopleHr,
  Zqflagreason: peopleHr,
  Zqfinalnote: peopleHr,
  Zqevidencehr: peopleHr,
  // drafts, and parts shown to the subject
  Zqmanagerdraft: ['manager', 'head', ...peopleHr],
  Zqselfdraft: ['self'],
  Zqhrshown: ofTheEvaluation,
  Zqdispute: ofTheEvaluation,
  '72.37': ofTheEvaluation,
  // a result of a former system, for readers of the person and of evaluations
  Zqformerperiod: ['self', ...managers, 'chief', ...peopleHr],
  Zqformersource: ['self', ...managers, 'chief', ...peopleHr],
  '73.37': ['self', ...managers, 'chief', ...peopleHr],
  // a submitted probation review, and a draft about a colleague
  Zqreviewtext: reviewerAndHr,
  Zqreviewhr: reviewerAndHr,
  Zqsignature: reviewerAndHr,
  Zqreviewdraft: ['manager'],
  // another company
  // the log names its subject to readers of the whole log
  Zqsouthname: ['southerner', 'auditor', 'directory', 'onlooker', ...southern],
  Zqsgrade: ['southerner', ...southern],
  Zqsouthdepartment: ['southerner', 'directory', 'onlooker', 'planner', ...southern],
  Zqsouthcompany: southern,
  Zqsouthtemplate: ['southerner', 'onlooker', ...southern],
  Zqsouthcycle: ['onlooker', 'planner', ...southern],
  Zqsouthcomment: ['southerner', 'onlooker', ...southern],
  // private to one user
  Zqview: ['hr'],
  Zqnotice: ['self'],
  Zqagent: ['self'],
  '203.0.113.71': ['self'],
  Zqimport: allHr,
  Zqfile: allHr,
  Zqarchive: allHr,
  Zqstagedtitle: allHr,
  Zqstagedcity: allHr,
  Zqstagedgender: allHr,
  // account numbers of a file stay with its uploader
  Zqstagediban: ['northHr'],
  // the purpose of a role is visible to people who assign roles
  Zqrole: [...peopleHr, 'southHr', 'boardHr'],
};

/** Every URL of an endpoint; a list with all of its rows, in each order. */
function urlsOf(endpoint: Endpoint): string[] {
  const parameters = endpoint.query?.shape ?? {};
  const most = 'per_page' in parameters ? '?per_page=100' : '';
  // private details of other people are only returned on request
  const ask = 'reveal' in parameters ? `?reveal=private${most.replace('?', '&')}` : most;
  return pathsOf(endpoint, ids).map((path) => `/api${path}${ask}`);
}

const isHeld = (text: string, value: string) =>
  /^[\d.]+$/.test(value)
    ? new RegExp(`(?<![\\d.])${value.replaceAll('.', '\\.')}(?!\\d)`).test(text) ||
      (/^\d+$/.test(value) && text.includes(value))
    : text.toLowerCase().includes(value.toLowerCase());

/** What a person reads in a response: for a PDF its words, which are compressed in its bytes. */
async function textOf({ bytes, headers }: Answer): Promise<string> {
  const isDrawn = headers['content-type'] === 'application/pdf' && bytes.includes('/Producer');
  if (!isDrawn) return bytes.toString('latin1');
  return (await extractText(await getDocumentProxy(new Uint8Array(bytes)))).text.join(' ');
}

/** Everything that a reader gets, with the URLs it came from. */
async function readBy(reader: Reader): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const endpoint of readEndpoints)
    await Promise.all(
      urlsOf(endpoint).map(async (url) => {
        const answer = await getInTurn(clients[reader], url);
        const { status } = answer;
        if (status === 429 || status >= 500) throw new Error(`${url} answers ${status}`);
        if (status !== 200) return;
        const text = await textOf(answer);
        for (const value of Object.keys(table))
          if (isHeld(text, value)) found.set(value, [...(found.get(value) ?? []), url]);
      }),
    );
  return found;
}

test.each(everybody)('%s reads the listed values and no others', { timeout: 60_000 }, async (reader) => {
  const found = await readBy(reader);
  const allowed = Object.keys(table).filter((value) => table[value]?.includes(reader));
  const leaks = Object.fromEntries([...found].filter(([value]) => !allowed.includes(value)));
  const missing = allowed.filter((value) => !found.has(value));
  expect({ leaks, missing }).toEqual({ leaks: {}, missing: [] });
});

const searched = readEndpoints.filter(
  ({ query, file, path }) => query && 'search' in query.shape && !file && path !== '/search',
);
/** One reader of each relationship, with the most to gain from a search. */
const searchers: Reader[] = ['lead', 'manager', 'southHr', 'boardHr', 'auditor', 'managedExporter', 'managedFinance'];

test.each(searchers)('%s finds nothing by hidden values', { timeout: 60_000 }, async (reader) => {
  const hidden = Object.keys(table).filter((value) => !table[value]?.includes(reader));
  const found: string[] = [];
  for (const endpoint of searched) {
    const path = `/api${pathsOf(endpoint, ids)[0]}`;
    if ((await clients[reader].get(path)).status !== 200) continue;
    const search = async (value: string) => {
      const { body } = await clients[reader].get(`${path}?search=${encodeURIComponent(value)}&per_page=1`);
      if (body.meta?.total !== 0) found.push(`${path}?search=${value}`);
    };
    // fewer at once than the service has connections for, because a busy machine would refuse some
    for (let start = 0; start < hidden.length; start += 8)
      await Promise.all(hidden.slice(start, start + 8).map(search));
  }
  expect(found).toEqual([]);
});

test('only HR gets a full bank account, on request', async () => {
  const full = await Promise.all(
    everybody.map(async (reader) => {
      const { bytes } = await clients[reader].get(`/api/employees/${ids.employees?.[0]}?reveal=bank`);
      return bytes.includes('DE89370400440532013000') ? [reader] : [];
    }),
  );
  expect(full.flat().sort()).toEqual([...peopleHr].sort());
});
