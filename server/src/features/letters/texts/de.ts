import type { LetterTexts } from './en.ts';

/** Dasselbe auf Deutsch. */
export const de: LetterTexts = {
  templates: {
    confirmation: {
      title: 'Bestätigung des Arbeitsverhältnisses',
      body: `Guten Tag {{employee_name}},

Ihre Probezeit, die am {{probation_end_date}} endet, haben Sie erfolgreich abgeschlossen. Wir freuen uns, Ihr Arbeitsverhältnis mit {{company}} in der Abteilung {{department}} mit Wirkung vom {{effective_date}} zu bestätigen.

Alle übrigen Bedingungen Ihres Vertrags gelten unverändert weiter.

Wir danken Ihnen für Ihre Arbeit und freuen uns auf die kommende Zeit.`,
    },
    extension: {
      title: 'Verlängerung der Probezeit',
      body: `Guten Tag {{employee_name}},

Ihre Probezeit sollte am {{probation_end_date}} enden. Nach der Beurteilung haben wir entschieden, sie um {{extension_months}} zu verlängern, vom {{effective_date}} bis zum {{new_probation_end_date}}.

Alle übrigen Bedingungen Ihres Vertrags gelten unverändert weiter. {{reviewer_name}} wird mit Ihnen besprechen, was bis dahin erwartet wird.`,
    },
    termination: {
      title: 'Ende des Arbeitsverhältnisses',
      body: `Guten Tag {{employee_name}},

nach der Beurteilung Ihrer Probezeit, die am {{probation_end_date}} endet, haben wir entschieden, Ihr Arbeitsverhältnis mit {{company}} zu beenden. Ihr letzter Arbeitstag ist der {{effective_date}}.

Wir danken Ihnen für Ihre Arbeit und wünschen Ihnen alles Gute.`,
    },
    review_record: {
      title: 'Protokoll einer Probezeitbeurteilung',
      body: `Dies ist die Probezeitbeurteilung von {{employee_name}} ({{employee_number}}) bei {{company}}, wie sie am {{decided_on}} entschieden wurde. Diese Abschrift ist vom {{today}}.`,
    },
  },
  none: '–',
  employee: 'Person',
  company: 'Unternehmen',
  department: 'Abteilung',
  jobTitle: 'Stellenbezeichnung',
  probation: 'Probezeit',
  period: (from, to) => `${from} bis ${to}`,
  until: (to) => `bis ${to}`,
  reviewer: 'Beurteilende Person',
  review: 'Beurteilung',
  reviewOf: (sequence, round) => `Nr. ${sequence}, Durchgang ${round}`,
  reviewDate: 'Tag des Gesprächs',
  assessment: 'Einschätzung',
  rating: 'Bewertung',
  ratingOf: (rating) => `${rating} von 5`,
  score: 'Punktzahl der Kriterien',
  criterion: (rating, weight, comment) => `${rating} (Gewichtung ${weight})${comment === '' ? '' : `: ${comment}`}`,
  strengths: 'Stärken',
  improvements: 'Entwicklungsfelder',
  comments: 'Bemerkungen',
  recommendation: 'Empfehlung',
  decision: 'Entscheidung',
  outcomes: { confirm: 'Bestätigen', extend: 'Verlängern', terminate: 'Beenden' },
  effectiveDate: 'Wirksam ab',
  decided: 'Entschieden',
  byOn: (name, at) => `${name}, ${at}`,
  hrComments: 'Bemerkungen der Personalabteilung',
  acknowledged: 'Zur Kenntnis genommen',
  employeeComment: 'Bemerkung der Person',
  reverted: 'Entscheidung zurückgenommen',
  signatures: 'Unterschriften',
  roles: { manager: 'Beurteilende Person', hr: 'Personalabteilung', employee: 'Person' },
  signed: (role, at, round) => `${role}, unterschrieben am ${at}, Durchgang ${round}`,
  earlier: 'Unterschriften, die nicht mehr gelten',
  voided: (signed, name, at) => `${name}: ${signed}, ungültig seit ${at}`,
  hash: (hash) => `SHA-256 ${hash}`,
  verify: (id, hash, address) =>
    `Dieses Dokument zeigt die Probezeitbeurteilung ${id}. Ihr Inhalt hat den SHA-256-Wert ${hash}. Zum Prüfen öffnen Sie ${address}: Jede Unterschrift muss stimmen, und der Wert der Entscheidung muss dort dieser sein.`,
  page: 'Seite {page} von {pages}',
};
