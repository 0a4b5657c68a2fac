import type { Texts } from '../matcher.ts';

/** KPI templates, cycles and evaluations. */
export const kpi: Texts = {
  'KPI template created successfully.': 'Die KPI-Vorlage wurde angelegt.',
  'KPI template updated successfully.': 'Die KPI-Vorlage wurde geändert.',
  'KPI template duplicated successfully.': 'Die KPI-Vorlage wurde kopiert.',
  'KPI template activated successfully.': 'Die KPI-Vorlage kann jetzt verwendet werden.',
  'KPI template archived successfully.': 'Die KPI-Vorlage wurde archiviert.',
  'A KPI template that is {word} cannot be activated.':
    'Eine KPI-Vorlage im Status „{word}“ kann nicht aktiviert werden.',
  'A KPI template that is {word} cannot be archived.':
    'Eine KPI-Vorlage im Status „{word}“ kann nicht archiviert werden.',
  'The weights add up to {n}; they must add up to exactly 100.00.':
    'Die Gewichtungen ergeben zusammen {n}; es müssen genau 100,00 sein.',
  'Measured items need a scale from 1 to 5 in steps of 1.':
    'Gemessene Kriterien brauchen eine Skala von 1 bis 5 in ganzen Schritten.',
  'A target below zero needs a baseline.': 'Ein Zielwert unter null braucht einen Ausgangswert.',
  'The baseline and the target must be different.': 'Ausgangswert und Zielwert müssen verschieden sein.',
  'The target must be greater than the baseline when higher is better.':
    'Wenn mehr besser ist, muss der Zielwert über dem Ausgangswert liegen.',
  'The target must be less than the baseline when lower is better.':
    'Wenn weniger besser ist, muss der Zielwert unter dem Ausgangswert liegen.',
  'The :attribute field must be greater than scale min.': '„:attribute“ muss größer sein als „Niedrigste Punktzahl“.',
  'The items and the scale cannot change any more, because of {list}. Please duplicate the template.':
    'Kriterien und Skala können nicht mehr geändert werden. Verwendet in: {list}. Bitte kopieren Sie die Vorlage.',
  '{text} cannot be deleted: it is used by {list}.': '{text} kann nicht gelöscht werden. Verwendet in: {list}.',
  'The template is still to be published in open cycles: {list}.':
    'Die Vorlage soll in offenen Zyklen noch veröffentlicht werden: {list}.',
};
