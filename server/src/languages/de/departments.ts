import type { Texts } from '../matcher.ts';

/** Companies and departments. */
export const departments: Texts = {
  'Company created successfully.': 'Das Unternehmen wurde angelegt.',
  'Company updated successfully.': 'Das Unternehmen wurde geändert.',
  'This company is inactive already.': 'Dieses Unternehmen ist schon inaktiv.',
  'This department is inactive already.': 'Diese Abteilung ist schon inaktiv.',
  'Department created successfully.': 'Die Abteilung wurde angelegt.',
  'Department updated successfully.': 'Die Abteilung wurde geändert.',
  'Manager assigned successfully.': 'Die Führungskraft wurde zugewiesen.',
  'Team lead assigned successfully.': 'Die Teamleitung wurde zugewiesen.',
  '{text} cannot be deleted: it still has {list}.': '{text} kann nicht gelöscht werden. Vorhanden: {list}.',
  'The manager and the team lead of a department must be two different persons.':
    'Führungskraft und Teamleitung einer Abteilung müssen zwei verschiedene Personen sein.',
  '{text} has no role that allows to {list}.': '{text} hat keine Rolle mit diesen Rechten: {list}.',
  'The selected :attribute has a department with the name or code of {text} already.':
    'Bei „:attribute“ gibt es schon eine Abteilung mit dem Namen oder Kürzel von {text}.',
  'The selected :attribute is outside of your scope for people.':
    'Die Auswahl bei „:attribute“ liegt außerhalb Ihres Zuständigkeitsbereichs für Personen.',
  '{text} holds {list} that would move too.': 'Mit {text} würden auch umziehen: {list}.',
  'The selected :attribute is the department or stands below it.':
    'Die Auswahl bei „:attribute“ ist die Abteilung selbst oder steht unter ihr.',
  'Departments may stand at most {n} levels deep.': 'Abteilungen dürfen höchstens {n} Ebenen tief stehen.',
  '{text} still has {list}.': 'In {text} gibt es noch {list}.',
  'There is still {list}.': 'Noch vorhanden: {list}.',
  'There are still {list}.': 'Noch vorhanden: {list}.',
};
