import * as z from 'zod';
import { endpoint, forPeople } from './endpoint.ts';
import { item, page } from './envelope.ts';
import { boolean, revision } from './fields.ts';
import { importCorrections } from './import-corrections.ts';
import { Import, importBodies, importQueries, ImportRow, importSettings, StagedRow } from './imports.ts';
import { tables } from './files.ts';

/** The fields for columns in a file of templates, with their alternative headings; each row is an item. */
export const templateImportFields = {
  template_name: ['template', 'kpi template', 'scorecard', 'name der vorlage', 'vorlagenname', 'kpi-vorlage'],
  item_name: ['item', 'kpi', 'kpi name', 'criterion', 'indicator', 'ziel', 'kennzahl'],
  weight: ['weight %', 'weight pct', 'weight percent', 'weighting', 'gewicht %', 'gewicht in %', 'gewichtung'],
  item_description: ['kpi description', 'criterion description'],
  sort_order: ['order', 'position', 'reihenfolge'],
  item_type: ['kpi type', 'type of item'],
  direction: ['scoring direction', 'what is better', 'richtung'],
  unit: ['unit of measure', 'maßeinheit'],
  target_value: ['target', 'goal', 'zielvorgabe', 'soll'],
  baseline_value: ['baseline', 'starting value'],
  tolerance_pct: ['tolerance', 'tolerance %', 'toleranz', 'toleranz %'],
  cap_pct: ['cap', 'cap %', 'capped at', 'obergrenze', 'obergrenze %'],
  prorate: ['prorated', 'pro rata', 'by days'],
  evidence_required: ['evidence', 'nachweis'],
  template_description: ['scorecard description'],
  entity_id: [],
  entity: ['company', 'firma', 'gesellschaft'],
  job_title: ['job', 'stelle'],
  grade: [],
  scale_min: ['lowest score'],
  scale_max: ['highest score'],
  score_step: ['step', 'steps'],
  scale_words: ['words for the scores'],
  status: ['state'],
} as const satisfies Record<string, readonly string[]>;
export type TemplateImportField = keyof typeof templateImportFields;

export const requiredTemplateFields = [
  'template_name',
  'item_name',
  'weight',
] as const satisfies readonly TemplateImportField[];

const path = '/kpi-templates/imports/:id';
const reply = item(Import);
const scoped = { permission: 'kpi-template.import', scope: 'scoped', status: 200 } as const;

export const templateImports = forPeople({
  sample: endpoint({
    method: 'GET',
    path: '/kpi-templates/import/sample',
    summary: 'A sample file of KPI templates',
    permission: 'kpi-template.import',
    scope: 'none',
    query: importQueries.sample,
    file: tables,
    status: 200,
  }),
  create: endpoint({
    ...scoped,
    method: 'POST',
    path: '/kpi-templates/import',
    summary: 'Upload a file of KPI templates',
    upload: 'template_import',
    budget: 'import',
    body: z.object({ dry_run: boolean().optional(), ...importSettings }),
    reply,
    status: 201,
  }),
  list: endpoint({
    ...scoped,
    method: 'GET',
    path: '/kpi-templates/imports',
    summary: 'List imports of KPI templates',
    query: importQueries.list,
    reply: page(ImportRow),
  }),
  get: endpoint({ ...scoped, method: 'GET', path, summary: 'Read an import of KPI templates', reply }),
  update: endpoint({
    ...scoped,
    method: 'PUT',
    path,
    summary: 'Change mapping and settings and check the templates again',
    body: z.object({ ...importSettings, ...revision }),
    reply,
  }),
  delete: endpoint({
    method: 'DELETE',
    path,
    summary: 'Discard an import of KPI templates',
    permission: 'kpi-template.import',
    scope: 'scoped',
    status: 204,
  }),
  rows: endpoint({
    ...scoped,
    method: 'GET',
    path: `${path}/rows`,
    summary: 'List the rows of an import of KPI templates',
    query: importQueries.rows,
    reply: page(StagedRow),
  }),
  fixRow: endpoint({
    ...scoped,
    method: 'PUT',
    path: `${path}/rows/:row`,
    summary: 'Correct cells of a row, or leave it out; its template is checked again',
    body: importBodies.fixRow,
    reply: item(StagedRow),
  }),
  errors: endpoint({
    ...scoped,
    method: 'GET',
    path: `${path}/errors.csv`,
    summary: 'The failed rows of templates as a file',
    file: ['csv'],
  }),
  commit: endpoint({
    ...scoped,
    method: 'POST',
    path: `${path}/commit`,
    summary: 'Write the checked templates',
    body: importBodies.commit,
    reply,
  }),
});

/** Corrections of several rows of an import of templates at once. */
export const templateImportCorrections = forPeople({
  problems: endpoint({
    ...scoped,
    method: 'GET',
    path: `${path}/problems`,
    summary: 'The errors that rows of an import of KPI templates share',
    reply: importCorrections.problems,
  }),
  replace: endpoint({
    ...scoped,
    method: 'POST',
    path: `${path}/replacements`,
    summary: 'Replace a company in all rows of KPI templates where it is an error',
    body: importCorrections.replace,
    reply: importCorrections.replaced,
  }),
  undoReplacement: endpoint({
    method: 'DELETE',
    path: `${path}/replacements/:replacement`,
    summary: 'Undo a replacement in rows of KPI templates, except in rows corrected since',
    permission: 'kpi-template.import',
    scope: 'scoped',
    status: 204,
  }),
});
