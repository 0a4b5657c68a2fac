import type { Texts } from '../matcher.ts';

/** Probation reviews, their signatures and letters. */
export const probation: Texts = {
  'The :attribute field shows nothing.': '„:attribute“ ist leer: Es ist nichts zu sehen.',
  'The :attribute field must not have more than {n} million pixels.':
    '„:attribute“ darf nicht mehr als {n} Millionen Bildpunkte haben.',
  'A probation review of this person is open and decides.':
    'Für diese Person ist eine Probezeitbeurteilung offen; sie entscheidet.',
  'A probation review ended the employment. It continues when that decision is taken back.':
    'Eine Probezeitbeurteilung hat die Beschäftigung beendet. Sie geht weiter, wenn diese Entscheidung zurückgenommen wird.',
  'The :attribute field changes by the outcome of the open probation review.':
    '„:attribute“ ändert sich durch das Ergebnis der offenen Probezeitbeurteilung.',
  'The :attribute field stays, because the confirmation is decided already.':
    '„:attribute“ bleibt, weil die Übernahme schon entschieden ist.',
  'The :attribute field must be another day, because a probation review has decided on this one.':
    '„:attribute“ muss ein anderer Tag sein: Über diesen hat schon eine Probezeitbeurteilung entschieden.',
  'The person in row {n} has probation reviews.': 'Für die Person in Zeile {n} gibt es Probezeitbeurteilungen.',
  'The selected :attribute cannot take over probation reviews outside of your scope.':
    'Die Person bei „:attribute“ kann keine Probezeitbeurteilungen außerhalb Ihres Zuständigkeitsbereichs übernehmen.',
  'The selected :attribute cannot take over the probation review of oneself.':
    'Die Person bei „:attribute“ kann nicht die eigene Probezeitbeurteilung übernehmen.',
  'The selected :attribute cannot take over probation reviews without the right to submit them.':
    'Die Person bei „:attribute“ kann keine Probezeitbeurteilungen übernehmen, weil ihr das Recht fehlt, sie einzureichen.',
  'Probation review created successfully.': 'Die Probezeitbeurteilung wurde angelegt.',
  'Review recalled successfully.': 'Die Beurteilung wurde zurückgezogen.',
  'Review sent back successfully.': 'Die Beurteilung wurde zurückgegeben.',
  'Probation decided successfully.': 'Über die Probezeit wurde entschieden.',
  'Result acknowledged successfully.': 'Das Ergebnis wurde zur Kenntnis genommen.',
  'Review cancelled successfully.': 'Die Beurteilung wurde abgebrochen.',
  'Decision taken back successfully.': 'Die Entscheidung wurde zurückgenommen.',
  'This review is with the reviewer.': 'Diese Beurteilung liegt bei der beurteilenden Person.',
  'This review is with HR.': 'Diese Beurteilung liegt bei der Personalabteilung.',
  'This review was sent back to the reviewer.': 'Diese Beurteilung wurde an die beurteilende Person zurückgegeben.',
  'This review was decided already.': 'Über diese Beurteilung wurde schon entschieden.',
  'This review is cancelled.': 'Diese Beurteilung ist abgebrochen.',
  'The decision of this review was taken back.': 'Die Entscheidung dieser Beurteilung wurde zurückgenommen.',
  'This person is not on probation any more.': 'Diese Person ist nicht mehr in der Probezeit.',
  'The result was acknowledged already.': 'Das Ergebnis wurde schon zur Kenntnis genommen.',
  'A later review of this person exists.': 'Es gibt eine spätere Beurteilung dieser Person.',
  'This review was worked on already and can only be cancelled.':
    'An dieser Beurteilung wurde schon gearbeitet; sie kann nur noch abgebrochen werden.',
  'This person is not on probation.': 'Diese Person ist nicht in der Probezeit.',
  'The probation of this person has no end date.': 'Für die Probezeit dieser Person ist kein Ende eingetragen.',
  'The probation of this person was decided already.': 'Über die Probezeit dieser Person wurde schon entschieden.',
  'This person has an open probation review already.':
    'Für diese Person gibt es schon eine offene Probezeitbeurteilung.',
  'The probation of this person cannot be extended any more.':
    'Die Probezeit dieser Person kann nicht mehr verlängert werden.',
  'An extension begins on {date}, the day after the probation ends.':
    'Eine Verlängerung beginnt am {date}, dem Tag nach dem Ende der Probezeit.',
  'The probation would end on {date}, which is not in the future.':
    'Die Probezeit würde am {date} enden; das liegt nicht in der Zukunft.',
  'What became of this person since goes beyond the decision, so that it cannot be taken back.':
    'Seit der Entscheidung ist mit dieser Person mehr geschehen; sie kann nicht mehr zurückgenommen werden.',
  'A review is signed at most {n} times by one person in one round.':
    'Eine Beurteilung wird in einem Durchgang von einer Person höchstens {n}-mal unterschrieben.',
  'Probation review signed successfully.': 'Die Probezeitbeurteilung wurde unterschrieben.',
  'A probation review decided this. It goes when that decision is taken back.':
    'Das hat eine Probezeitbeurteilung entschieden. Es entfällt, wenn diese Entscheidung zurückgenommen wird.',
  'The selected :attribute does not fit the outcome of this review.':
    '„:attribute“ passt nicht zum Ergebnis dieser Beurteilung.',
  'The :attribute field names a placeholder that does not exist: {text}.':
    '„:attribute“ nennt einen Platzhalter, den es nicht gibt: {text}.',
  'Letter template updated successfully.': 'Die Vorlage des Schreibens wurde gespeichert.',
};
