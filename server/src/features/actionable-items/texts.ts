import type { ActionableKind } from '@tenure/contract';
import { fold } from '../../db/fold.ts';
import type { LanguageId } from '../../languages/catalogue.ts';

type Text = { title: string; description: string | null };
type Texts = Readonly<Record<ActionableKind, Text>>;

/** Texts of tasks, addressed to the assignee. Titles contain the names of people and cycles. */
const en: Texts = {
  kpi_self_assessment: {
    title: 'Hand in your self-assessment for {cycle}',
    description: 'Rate your own work and add the evidence that is asked for.',
  },
  kpi_manager_review: {
    title: 'Review {person} for {cycle}',
    description: 'Rate the work and hand the evaluation over to HR.',
  },
  kpi_hr_review: {
    title: 'Check the review of {person} for {cycle}',
    description: 'Finish the HR review or send the evaluation back.',
  },
  kpi_acceptance: {
    title: 'Accept or dispute your {cycle} result',
    description: 'Your result is ready.',
  },
  kpi_dispute: {
    title: 'Settle the dispute of {person} about {cycle}',
    description: 'Look at the reasons and decide.',
  },
  kpi_close: {
    title: 'Close the {cycle} evaluation of {person}',
    description: 'The result was accepted.',
  },
  kpi_extension_decision: {
    title: '{person} asks for more time for {cycle}',
    description: 'Grant more time for the self-assessment, or refuse it.',
  },
  kpi_missing_reviewer: {
    title: 'Choose a reviewer for {person} in {cycle}',
    description: 'Nobody can review this evaluation at present.',
  },
  kpi_cycle_to_close: {
    title: 'Close the cycle {cycle}',
    description: 'It is over, and none of its evaluations is open.',
  },
  probation_review_assigned: {
    title: 'Review the probation of {person}',
    description: 'Write what you think of the probation and hand it in.',
  },
  probation_review_action_required: {
    title: 'Work again on the probation review of {person}',
    description: 'HR sent it back. Look at the reasons and hand it in again.',
  },
  probation_review_approval: {
    title: 'Decide on the probation of {person}',
    description: 'Confirm, extend or end it, or send the review back.',
  },
  probation_acknowledge: {
    title: 'Acknowledge the decision on your probation',
    description: 'Read the result and confirm that you know it.',
  },
  probation_review_missing: {
    title: 'Open the probation review of {person}',
    description: 'The probation ends soon or has no end, and nobody reviews it.',
  },
  probation_missing_reviewer: {
    title: 'Choose who reviews the probation of {person}',
    description: 'Nobody can write this review at present.',
  },
  employee_offboarding: {
    title: 'Reassign the responsibilities of {person}',
    description: 'This person is leaving or has left and is still responsible for people, departments or reviews.',
  },
  job_change_failed: {
    title: 'The job change of {person} did not take effect',
    description: null,
  },
};

const de: Texts = {
  kpi_self_assessment: {
    title: 'Ihre Selbsteinschätzung für {cycle} abgeben',
    description: 'Bewerten Sie Ihre Arbeit, und fügen Sie die verlangten Nachweise hinzu.',
  },
  kpi_manager_review: {
    title: '{person} für {cycle} bewerten',
    description: 'Bewerten Sie die Arbeit, und übergeben Sie die Beurteilung der Personalabteilung.',
  },
  kpi_hr_review: {
    title: 'Bewertung von {person} für {cycle} prüfen',
    description: 'Schließen Sie die Prüfung ab, oder senden Sie die Beurteilung zurück.',
  },
  kpi_acceptance: {
    title: 'Ihr Ergebnis {cycle} annehmen oder ihm widersprechen',
    description: 'Ihr Ergebnis liegt vor.',
  },
  kpi_dispute: {
    title: 'Über den Widerspruch von {person} zu {cycle} entscheiden',
    description: 'Sehen Sie sich die Gründe an, und entscheiden Sie.',
  },
  kpi_close: {
    title: 'Beurteilung {cycle} von {person} abschließen',
    description: 'Das Ergebnis wurde angenommen.',
  },
  kpi_extension_decision: {
    title: '{person} bittet um mehr Zeit für {cycle}',
    description: 'Gewähren Sie mehr Zeit für die Selbsteinschätzung, oder lehnen Sie es ab.',
  },
  kpi_missing_reviewer: {
    title: 'Bewertende Person für {person} in {cycle} wählen',
    description: 'Zurzeit kann niemand diese Beurteilung bewerten.',
  },
  kpi_cycle_to_close: {
    title: 'Zyklus {cycle} schließen',
    description: 'Er ist vorbei, und keine seiner Beurteilungen ist noch offen.',
  },
  probation_review_assigned: {
    title: 'Probezeit von {person} beurteilen',
    description: 'Schreiben Sie Ihre Beurteilung, und reichen Sie sie ein.',
  },
  probation_review_action_required: {
    title: 'Probezeitbeurteilung von {person} überarbeiten',
    description:
      'Die Personalabteilung hat sie zurückgegeben. Sehen Sie sich die Gründe an, und reichen Sie sie erneut ein.',
  },
  probation_review_approval: {
    title: 'Über die Probezeit von {person} entscheiden',
    description: 'Bestätigen, verlängern oder beenden Sie sie, oder geben Sie die Beurteilung zurück.',
  },
  probation_acknowledge: {
    title: 'Entscheidung über Ihre Probezeit zur Kenntnis nehmen',
    description: 'Lesen Sie das Ergebnis, und bestätigen Sie, dass Sie es kennen.',
  },
  probation_review_missing: {
    title: 'Probezeitbeurteilung von {person} anlegen',
    description: 'Die Probezeit endet bald oder hat kein Ende, und niemand beurteilt sie.',
  },
  probation_missing_reviewer: {
    title: 'Beurteilende Person für die Probezeit von {person} bestimmen',
    description: 'Zurzeit kann niemand diese Beurteilung schreiben.',
  },
  employee_offboarding: {
    title: 'Zuständigkeiten von {person} übertragen',
    description:
      'Diese Person geht oder ist gegangen und ist noch für Personen, Abteilungen oder Beurteilungen zuständig.',
  },
  job_change_failed: {
    title: 'Die Stellenänderung von {person} wurde nicht wirksam',
    description: null,
  },
};

const texts: Readonly<Record<LanguageId, Texts>> = { en, de };

/** The title of a kind without its subject, folded for the search. */
export const wordsAround = (kind: ActionableKind, language: LanguageId) =>
  fold((texts[language] ?? en)[kind].title.replaceAll(/\{\w+\}/g, ' '));

/** Title and description in a language. */
export function textOf(
  kind: ActionableKind,
  language: LanguageId,
  names: Readonly<Record<'person' | 'cycle', string>>,
): Text {
  const { title, description } = (texts[language] ?? en)[kind];
  return {
    title: title.replaceAll(/\{(person|cycle)\}/g, (_, name: 'person' | 'cycle') => names[name]),
    description,
  };
}
