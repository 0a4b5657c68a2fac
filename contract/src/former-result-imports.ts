import { tableImport } from './import-endpoints.ts';

/** The fields for columns in a file of former results, with the headings of other systems. */
export const formerResultImportFields = {
  employee_number: [
    'employee id',
    'employee no',
    'employee #',
    'personnel number',
    'user id',
    'personalnummer',
    'personalnr',
    'mitarbeiternummer',
  ],
  period: [
    'review cycle',
    'cycle',
    'review period',
    'review name',
    'form title',
    'year',
    'zeitraum',
    'beurteilungszeitraum',
    'jahr',
  ],
  period_from: ['period start', 'review period start date', 'start date', 'from', 'von', 'beginn'],
  period_to: ['period end', 'review period end date', 'review date', 'end date', 'to', 'until', 'bis', 'ende', 'datum'],
  result: [
    'rating',
    'overall rating',
    'score',
    'overall score',
    'final score',
    'ergebnis',
    'note',
    'bewertung',
    'zielerreichung',
  ],
  scale: ['rating scale', 'unit', 'skala', 'einheit'],
  band: ['rating label', 'rating description', 'performance level', 'stufe', 'beurteilung', 'prädikat'],
  source: ['system', 'quelle', 'herkunft'],
} as const satisfies Record<string, readonly string[]>;
export type FormerResultImportField = keyof typeof formerResultImportFields;

/** The required fields of a file of former results: one of each line. */
export const requiredFormerResultFields = [
  ['employee_number'],
  ['period_to', 'period'],
  ['result', 'band'],
  ['source'],
] as const satisfies readonly (readonly FormerResultImportField[])[];

/** Other systems' names for the bands, from highest to lowest, in English and German. Only used for proposals. */
export const formerBandWords: Readonly<Record<string, readonly string[]>> = {
  A: [
    'outstanding',
    'exceptional',
    'far exceeds expectations',
    'excellent',
    'hervorragend',
    'übertrifft deutlich',
    'sehr gut',
  ],
  B: ['exceeds expectations', 'very good', 'strong', 'exceeds', 'übertrifft die erwartungen', 'übertrifft', 'gut'],
  C: [
    'meets expectations',
    'fully meets',
    'meets',
    'solid',
    'good',
    'erfüllt die erwartungen',
    'erfüllt',
    'befriedigend',
  ],
  D: [
    'below expectations',
    'partially meets',
    'needs improvement',
    'does not meet',
    'unsatisfactory',
    'unter den erwartungen',
    'nicht erfüllt',
    'ausreichend',
  ],
};

export const formerResultImports = tableImport({
  base: '/former-results',
  what: 'former results',
  permission: 'kpi-evaluation.hr-review',
  upload: 'result_import',
});
