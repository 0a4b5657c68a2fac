import { expect, test } from 'vitest';
import { allTexts } from '../testing/texts.ts';
import { locales } from './locales.ts';

type Texts = { [key: string]: string | Texts };

/** The texts of a language by the path of their keys. */
const textsIn = (texts: Texts, path = ''): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : textsIn(value, `${path}${key}.`),
  );

const languages = await Promise.all(
  locales.map(async ({ id }) => ({ id, texts: new Map(textsIn(await allTexts(id))) })),
);

test.each(languages)('the action that adds a person has one name in $id', ({ texts }) => {
  const names = ['addPerson.title', 'employees.add', 'home.add', 'palette.action.addEmployee'].map((key) =>
    texts.get(key),
  );
  expect(new Set(names)).toEqual(new Set([texts.get('addPerson.title')]));
});

test.each(languages)('a company and a provider of sign-in have one name in $id', ({ texts }) => {
  const others = [...texts].filter(([, text]) => /\bFirm(a|en)\b|Anmeldeanbieter|Schreibenvorlage/.test(text));
  expect(others).toEqual([]);
});

/** Search fields whose only label is their placeholder. */
const searches = ['directory.search', 'evaluations.search', 'departments.search', 'plannedChanges.search'];

test.each(languages)('labels that are read in a search field fit into it in $id', ({ texts }) => {
  const keys = [...texts.keys()].filter((key) => searches.includes(key) || key.endsWith('.searchRows'));
  expect(keys.length).toBeGreaterThan(5);
  const long = keys.map((key) => texts.get(key) ?? '').filter((text) => text.length > 28);
  expect(long).toEqual([]);
});

/** Keys whose texts name the same thing on screens and in the audit log. */
const same = [
  ['auditLog.value.pending', 'probationStatus.pending'],
  ['auditLog.value.closed', 'kpiCycles.status.closed'],
  ['auditLog.value.probationary', 'lifecycle.probationary'],
  ['auditLog.value.resigned', 'lifecycle.resigned', 'steps.separate.resigned'],
  ['auditLog.value.manager_review', 'evaluationStatus.manager_review'],
  ['auditLog.value.measured', 'kpiTemplates.type.measured'],
  ['auditLog.value.higher_better', 'kpiTemplates.direction.higher_better'],
  ['auditLog.value.lower_better', 'kpiTemplates.direction.lower_better'],
  ['auditLog.value.target', 'kpiTemplates.direction.target'],
  ['auditLog.value.mark_accepted', 'kpiEvaluation.do.deem-accepted', 'kpiEvaluationBulk.kind.deem-accepted'],
  ['auditLog.value.assign_reviewer', 'kpiEvaluationBulk.kind.reviewer', 'probationSteps.confirm.reviewer'],
  ['auditLog.value.probation_decisions', 'chatTargets.count.probation_decisions'],
  ['audit.verb.deem-accepted', 'kpiEvaluationActivity.did.deem-accepted'],
  ['audit.verb.resolve-dispute', 'kpiEvaluationActivity.did.resolve-dispute'],
  ['audit.verb.reviewer', 'kpiEvaluationActivity.did.reviewer', 'probationActivity.did.reviewer'],
  ['audit.verb.revert', 'probationActivity.did.revert'],
  ['audit.verb.stopped', 'chatTargets.is.stopped'],
  ['audit.field.density', 'ownProfile.settings.density'],
  ['audit.field.client_secret', 'identityProviders.field.client_secret'],
  ['audit.field.band_caps', 'kpiCycles.field.band_caps'],
  ['audit.field.start_date', 'kpiCycles.field.start_date'],
  ['audit.field.end_date', 'kpiCycles.field.end_date'],
  ['home.bandHead', 'kpiCycles.band'],
  ['home.band', 'kpiEvaluation.band'],
  ['home.total', 'reports.headcount'],
  ['home.gaps', 'homeArrange.part.quality'],
  ['tasks.kind.kpi_hr_review', 'evaluationStatus.hr_review'],
  [
    'probation.withoutReviewer',
    'probation.problem.no_reviewer',
    'evaluations.missingReviewer',
    'kpiCycles.withoutReviewer',
  ],
  ['company.submit', 'companies.create', 'companies.dialog.add-company'],
] as const;

test.each(languages)('one thing has one name in $id', ({ texts }) => {
  const different = same
    .map((keys) => keys.map((key) => `${key}: ${texts.get(key) ?? 'no text'}`))
    .filter((named) => new Set(named.map((one) => one.slice(one.indexOf(': ')))).size > 1);
  expect(different).toEqual([]);
});
