import type { Texts } from '../matcher.ts';

/** The steps of KPI evaluations. */
export const kpiSteps: Texts = {
  'Draft saved successfully.': 'Der Entwurf wurde gespeichert.',
  'Self-assessment submitted successfully.': 'Die Selbsteinschätzung wurde abgegeben.',
  'More time requested successfully.': 'Sie haben um mehr Zeit gebeten.',
  'Result accepted successfully.': 'Das Ergebnis wurde angenommen.',
  'Result disputed successfully.': 'Der Widerspruch wurde eingelegt.',
  'Review submitted successfully.': 'Die Beurteilung wurde abgegeben.',
  'Evaluation returned successfully.': 'Die Beurteilung wurde zurückgegeben.',
  'Self-assessment skipped successfully.': 'Die Selbsteinschätzung wurde übersprungen.',
  'Request for more time decided successfully.': 'Über die Bitte um mehr Zeit wurde entschieden.',
  'HR review submitted successfully.': 'Die Prüfung wurde abgeschlossen.',
  'Result counts as accepted now.': 'Das Ergebnis gilt jetzt als angenommen.',
  'Dispute settled successfully.': 'Über den Widerspruch wurde entschieden.',
  'Evaluation completed successfully.': 'Die Beurteilung ist abgeschlossen.',
  'Evaluation completed before its time.': 'Die Beurteilung wurde vorzeitig abgeschlossen.',
  'Evaluation cancelled successfully.': 'Die Beurteilung wurde abgebrochen.',
  'Evaluation restored successfully.': 'Die Beurteilung wurde wiederhergestellt.',
  'Evaluation reopened successfully.': 'Die Beurteilung wurde wieder geöffnet.',
  'Reviewer changed successfully.': 'Eine andere Person beurteilt jetzt.',
  '{n} evaluation completed.': '{n} Beurteilung ist abgeschlossen.',
  '{n} evaluations completed.': '{n} Beurteilungen sind abgeschlossen.',
  '{n} evaluation completed, {n2} refused.': '{n} Beurteilung ist abgeschlossen, {n2} abgelehnt.',
  '{n} evaluations completed, {n2} refused.': '{n} Beurteilungen sind abgeschlossen, {n2} abgelehnt.',
  'This evaluation is in self-assessment.': 'Diese Beurteilung ist in der Selbsteinschätzung.',
  'This evaluation is with the reviewer.': 'Diese Beurteilung liegt bei der beurteilenden Person.',
  'This evaluation is with HR.': 'Diese Beurteilung liegt bei der Personalabteilung.',
  'This evaluation waits for the answer of the employee.': 'Diese Beurteilung wartet auf die Antwort der Person.',
  'This evaluation was accepted already.': 'Diese Beurteilung wurde schon angenommen.',
  'This evaluation is disputed.': 'Gegen diese Beurteilung wurde Widerspruch eingelegt.',
  'This evaluation is completed.': 'Diese Beurteilung ist abgeschlossen.',
  'This evaluation is cancelled.': 'Diese Beurteilung ist abgebrochen.',
  'The cycle of this evaluation is closed.': 'Der Zyklus dieser Beurteilung ist abgeschlossen.',
  'This step opens on {date}.': 'Dieser Schritt beginnt am {date}.',
  'The time for this step is over.': 'Die Zeit für diesen Schritt ist vorbei.',
  'More time can be asked for when the time for this step is over.':
    'Um mehr Zeit bitten können Sie, wenn die Zeit für diesen Schritt vorbei ist.',
  'A request for more time waits for its decision.': 'Über eine Bitte um mehr Zeit ist noch nicht entschieden.',
  'More time can be asked for three times at most.': 'Um mehr Zeit bitten können Sie höchstens dreimal.',
  'No request for more time waits for a decision.': 'Es gibt keine offene Bitte um mehr Zeit.',
  'The time to dispute the result is over.': 'Die Zeit für einen Widerspruch ist vorbei.',
  'The employee still has time to accept or dispute the result.':
    'Die Person hat noch Zeit, das Ergebnis anzunehmen oder ihm zu widersprechen.',
  'The person is not active any more.': 'Die Person ist nicht mehr aktiv.',
  'This person is the reviewer already.': 'Diese Person beurteilt schon.',
  'This evaluation was returned after a dispute already.':
    'Diese Beurteilung wurde schon einmal nach einem Widerspruch zurückgegeben.',
  'The :attribute field cannot be changed in this step.': '„:attribute“ kann in diesem Schritt nicht geändert werden.',
  'The :attribute field must be between {n} and {n2}.': '„:attribute“ muss zwischen {n} und {n2} liegen.',
  'The :attribute field must be a multiple of {n}.': '„:attribute“ muss ein Vielfaches von {n} sein.',
  'The :attribute field must be 0 or 1.': '„:attribute“ muss 0 oder 1 sein.',
  'The :attribute field is computed from the actual value.': '„:attribute“ ergibt sich aus dem Istwert.',
  'The :attribute field must change at least one score.': '„:attribute“ muss mindestens eine Punktzahl ändern.',
  'The selected :attribute cannot take over evaluations outside of your scope.':
    'Die Person bei „:attribute“ kann keine Beurteilungen außerhalb Ihres Zuständigkeitsbereichs übernehmen.',
  'The selected :attribute cannot take over the evaluation of oneself.':
    'Die Person bei „:attribute“ kann nicht die eigene Beurteilung übernehmen.',
  'The selected :attribute cannot take over evaluations without the right to review.':
    'Die Person bei „:attribute“ darf nicht beurteilen und kann keine Beurteilungen übernehmen.',
  'The selected :attribute cannot take over cycles outside of your scope.':
    'Die Person bei „:attribute“ kann keine Zyklen außerhalb Ihres Zuständigkeitsbereichs übernehmen.',
  'The selected :attribute cannot take over cycles without the right to publish them.':
    'Die Person bei „:attribute“ darf keine Zyklen veröffentlichen und kann sie nicht übernehmen.',
  'The person in row {n} has KPI evaluations.': 'Für die Person in Zeile {n} gibt es KPI-Beurteilungen.',
  'The person in row {n} is in charge of a KPI cycle.':
    'Die Person in Zeile {n} ist für einen KPI-Zyklus verantwortlich.',
};
