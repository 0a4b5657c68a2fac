import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { archiveOf } from '../server/src/testing/archive-fixtures.ts';
import { paths } from '../web/src/paths.ts';
import { openPage } from './browser.ts';
import type { Demo } from './service.ts';
import { still } from './still.ts';

/** Signs in to the demo as this person, by default the one who may see everything. */
export async function signIn(page: Page, demo: Demo, email = demo.email): Promise<void> {
  await page.goto('/login');
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(demo.password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/');
}

/** Calls the service as the application would and returns the data. */
const ask = (page: Page, path: string, form?: Record<string, string>) =>
  page.evaluate(
    async ([address, fields]) => {
      const body = fields && new FormData();
      const fileOf = (value: string) => new File([value], 'people.csv', { type: 'text/csv' });
      // only serialisable values reach the page, so bytes come as base64
      const zipped = (value: string) =>
        new File([Uint8Array.from(atob(value), (one) => one.codePointAt(0) ?? 0)], 'files.zip');
      for (const [name, value] of Object.entries(fields ?? {}))
        if (name === 'archive') body?.set('file', zipped(value));
        else body?.set(name, name === 'file' ? fileOf(value) : value);
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const answer = await fetch(`/api/${address}`, {
        headers: { Accept: 'application/json', 'X-XSRF-TOKEN': token },
        ...(body && { method: 'POST', body }),
      });
      return ((await answer.json()) as { data: { id: number } & { id: number }[] }).data;
    },
    [path, form] as const,
  );

/** A small archive of documents. */
const archive = archiveOf([
  { name: 'NWH-001/First aid.csv', content: 'course,day\nFirst aid,2024-03-12\n' },
  { name: 'unknown/Safety.csv', content: 'course,day\nSafety,2024-03-12\n' },
]).toString('base64');

export type Records = Partial<Record<keyof typeof paths, number>>;

async function records(page: Page): Promise<Records> {
  const file = readFileSync(join(import.meta.dirname, '../server/src/testing/data/employees-107.csv'), 'utf8');
  const [company] = await ask(page, 'entities');
  const departments: { id: number; manager?: { id: number } | null }[] = await ask(page, 'departments');
  const rows = { file, dry_run: 'true', defaults: JSON.stringify({ entity_id: company?.id }) };
  const probation = (await ask(page, 'probation-reviews'))[0]?.id ?? 0;
  const items = { file: 'template_name,item_name,weight\nSupport,Answers,60\nSupport,Calls,40\n', dry_run: 'true' };
  const jobs = { file: 'employee_number,effective_from,job_title\nNWH-001,2015-01-01,Trainee\n', dry_run: 'true' };
  const results = { file: 'employee_number,period,result,source\nNWH-001,2019,82,Former system\n', dry_run: 'true' };
  const papers = { archive, dry_run: 'true', defaults: JSON.stringify({ category: 'certificate' }) };
  return {
    employee: (await ask(page, 'employees'))[0]?.id ?? 0,
    colleague: (await ask(page, 'directory'))[0]?.id ?? 0,
    offboarding: departments.find(({ manager }) => manager)?.manager?.id ?? 0,
    department: departments[0]?.id ?? 0,
    company: company?.id ?? 0,
    companyBrand: company?.id ?? 0,
    kpiTemplate: (await ask(page, 'kpi-templates'))[0]?.id ?? 0,
    kpiEvaluation: (await ask(page, 'kpi-evaluations'))[0]?.id ?? 0,
    kpiCycle: (await ask(page, 'kpi-cycles'))[0]?.id ?? 0,
    probationReview: probation,
    probationVerification: probation,
    // without an answer from the provider, this page shows an explanation
    ssoCallback: 1,
    role: (await ask(page, 'roles'))[0]?.id ?? 0,
    kpiTemplateImport: (await ask(page, 'kpi-templates/import', items)).id,
    import: (await ask(page, 'employees/import', rows)).id,
    historyImport: (await ask(page, 'job-history/import', jobs)).id,
    fileImport: (await ask(page, 'attachments/import', papers)).id,
    formerResultImport: (await ask(page, 'former-results/import', results)).id,
  };
}

/** A record for every path that names one. */
export async function recordsOf(browser: Browser, demo: Demo): Promise<Records> {
  const { page } = await openPage(browser, demo.address);
  await signIn(page, demo);
  const ids = await records(page);
  await page.context().close();
  return ids;
}

/** Waits until a page has its heading and has settled. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await still(page);
}

/** Navigates as a link would, without reloading the application. */
export async function follow(page: Page, address: string): Promise<void> {
  const before = await page.getByRole('heading', { level: 1 }).first().elementHandle();
  await page.evaluate((to) => history.pushState(null, '', to), address);
  await before?.waitForElementState('hidden');
}

/** Loads a page as if its address were typed. */
const load = (page: Page, address: string): Promise<unknown> => page.goto(address);

/** How pages are opened, and which share: of several walks, each takes every `of`-th page. */
type Walk = { number: number; of: number; go: typeof load };

/** Opens every page behind the sign-in, or a share of them, one after the other with its tabs, and looks at each. */
export async function onEveryPage(
  page: Page,
  ids: Records,
  look: (name: string) => Promise<void>,
  { number = 0, of = 1, go = load }: Partial<Walk> = {},
): Promise<void> {
  const pages = Object.entries(paths).filter(([name]) => name !== 'signIn' && name !== 'forgot');
  for (const [name, path] of pages.filter((_page, place) => place % of === number)) {
    const id = ids[name as keyof typeof paths];
    expect(path.includes('$'), `a record for ${name}`).toBe(id !== undefined);
    await go(page, path.replace(/\$\w+/, String(id)));
    await settled(page);
    await look(name);
    const tabs = page.getByRole('tab');
    for (let tab = 1; tab < (await tabs.count()); tab += 1) {
      await tabs.nth(tab).click();
      await settled(page);
      await look(`${name}-tab-${tab}`);
    }
  }
}
