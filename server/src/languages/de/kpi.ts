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
  'The template cannot be imported because of row {rows}.':
    'Die Vorlage kann wegen Zeile {rows} nicht importiert werden.',
  'The template cannot be imported because of rows {rows}.':
    'Die Vorlage kann wegen der Zeilen {rows} nicht importiert werden.',
  'The description of row {n} is used for the template.':
    'Für die Vorlage wird die Beschreibung aus Zeile {n} verwendet.',
  'Items of "{text}" that are not in the file are removed: {text2}.':
    'Kriterien von „{text}“, die nicht in der Datei stehen, werden entfernt: {text2}.',
  'The right to import KPI templates was withdrawn.': 'Das Recht, KPI-Vorlagen zu importieren, wurde entzogen.',
  'The right to publish the cycle was withdrawn.': 'Das Recht, den Zyklus zu veröffentlichen, wurde entzogen.',
  'The template is still to be published in open cycles: {list}.':
    'Die Vorlage soll in offenen Zyklen noch veröffentlicht werden: {list}.',
  'KPI cycle created successfully.': 'Der KPI-Zyklus wurde angelegt.',
  'KPI cycle updated successfully.': 'Der KPI-Zyklus wurde geändert.',
  'KPI cycle published successfully.': 'Der KPI-Zyklus wurde veröffentlicht.',
  'Publishing started.': 'Die Veröffentlichung läuft.',
  'Department assigned successfully.': 'Die Abteilung nimmt teil.',
  'The two weights must add up to 100.': 'Die beiden Gewichte müssen zusammen 100 ergeben.',
  'The :attribute field must be greater than pip below pct.': '„:attribute“ muss größer sein als „Förderbedarf unter“.',
  'The :attribute field cannot be changed.': '„:attribute“ kann nicht geändert werden.',
  'The :attribute field cannot be changed once the cycle is published.':
    '„:attribute“ kann nicht mehr geändert werden, wenn der Zyklus veröffentlicht ist.',
  'A closed cycle cannot be changed.': 'Ein abgeschlossener Zyklus kann nicht geändert werden.',
  'A closed cycle cannot be published.': 'Ein abgeschlossener Zyklus kann nicht veröffentlicht werden.',
  'A cycle that was published cannot be deleted.': 'Ein veröffentlichter Zyklus kann nicht gelöscht werden.',
  'This cycle is being published already.': 'Dieser Zyklus wird gerade veröffentlicht.',
  'What publishing would do has changed meanwhile. Please look at it again.':
    'Was die Veröffentlichung bewirkt, hat sich inzwischen geändert. Bitte sehen Sie es sich noch einmal an.',
  '{text} belongs to another company than the cycle.': '{text} gehört zu einem anderen Unternehmen als der Zyklus.',
  '{text} is inactive.': '{text} ist inaktiv.',
  '{text} was published already.': '{text} wurde schon veröffentlicht.',
  'No department takes part.': 'Keine Abteilung nimmt teil.',
  '{text} has a template of another company.': '{text} hat eine Vorlage eines anderen Unternehmens.',
  'Your own evaluation is still open. Somebody else has to close this cycle.':
    'Ihre eigene Beurteilung ist noch offen. Jemand anderes muss diesen Zyklus abschließen.',
  '{text} has no template.': '{text} hat keine Vorlage.',
  'The template of {text} is not active.': 'Die Vorlage von {text} ist nicht aktiv.',
  'Nobody in these departments is eligible.': 'In diesen Abteilungen kann niemand teilnehmen.',
  '{text} has no reviewer.': 'Für {text} gibt es niemanden, der beurteilt.',
  '{text} may not review; {text2} is used.': '{text} darf nicht beurteilen; {text2} übernimmt das.',
  'The window of the self-assessment closed on {date}.': 'Die Selbsteinschätzung endete am {date}.',
  'KPI cycle closed successfully.': 'Der KPI-Zyklus wurde abgeschlossen.',
  'KPI cycle reopened successfully.': 'Der KPI-Zyklus wurde wieder geöffnet.',
  'Reminders sent.': 'Die Erinnerungen wurden verschickt.',
  'Only a published cycle can be closed.': 'Nur ein veröffentlichter Zyklus kann abgeschlossen werden.',
  'Only a closed cycle can be opened again.': 'Nur ein abgeschlossener Zyklus kann wieder geöffnet werden.',
  'Only people of a published cycle can be reminded.':
    'Erinnert werden kann nur, wer an einem veröffentlichten Zyklus teilnimmt.',
  'This cycle is being published.': 'Dieser Zyklus wird gerade veröffentlicht.',
  'Evidence added successfully.': 'Der Nachweis wurde hinzugefügt.',
  'The :attribute field is required where there is neither a link nor a note.':
    '„:attribute“ ist erforderlich, wenn es weder eine Adresse noch eine Notiz gibt.',
  'The :attribute has {n} pieces of evidence already, the most there may be.':
    '„:attribute“ hat schon {n} Nachweise; mehr sind nicht möglich.',
  'The :attribute is one too many: an evaluation has at most {n} pieces of evidence.':
    '„:attribute“: Eine Beurteilung kann höchstens {n} Nachweise haben.',
  'This piece of evidence belongs to a step that is over.': 'Dieser Nachweis gehört zu einem Schritt, der vorbei ist.',
};
