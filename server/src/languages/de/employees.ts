import type { Texts } from '../matcher.ts';

/** People, their employment, their job history and their files. */
export const employees: Texts = {
  'Employee created successfully.': 'Die Person wurde angelegt.',
  'Employee updated successfully.': 'Die Person wurde geändert.',
  'Employee confirmed successfully.': 'Die Person wurde fest übernommen.',
  'Employee deactivated successfully.': 'Die Person wurde freigestellt.',
  'Employee reactivated successfully.': 'Die Freistellung wurde beendet.',
  'Employee hired again successfully.': 'Die Person wurde wieder eingestellt.',
  'Employee restored successfully.': 'Die Person wurde wiederhergestellt.',
  'Separation recorded successfully.': 'Der Austritt wurde eingetragen.',
  'Separation withdrawn successfully.': 'Der Austritt wurde zurückgenommen.',
  '{list} changed.': 'Geändert: {list}.',
  '{list} changed, {n} refused.': 'Geändert: {list}. Abgelehnt: {n}.',
  '{list} would change.': 'Es würden sich ändern: {list}.',
  '{list} would change, {n} refused.': 'Es würden sich ändern: {list}. Abgelehnt: {n}.',
  'The :attribute field finds more than {n} people; narrow it down.':
    '„:attribute“ findet mehr als {n} Personen; bitte grenzen Sie die Auswahl ein.',
  'This account may not sign in.': 'Dieses Konto darf sich nicht anmelden.',
  'None of the roles holds the permission.': 'Keine der Rollen hat dieses Recht.',
  'The roles that hold the permission do not reach this person.':
    'Die Rollen mit diesem Recht reichen nicht bis zu dieser Person.',
  'Nobody does this to the own record.': 'Das tut niemand an der eigenen Personalakte.',
  'The account of this person holds Admin, so only an Admin may do this.':
    'Das Konto dieser Person hat die Rolle Admin; das darf daher nur ein Admin.',
  'This person manages or reviews the one of this account.':
    'Diese Person führt oder beurteilt die Person dieses Kontos.',
  'The account of this person may do more than this account.': 'Das Konto dieser Person darf mehr als dieses Konto.',
  'The record is not in a state that allows this.': 'Der Status des Eintrags lässt das nicht zu.',
  'Picture saved successfully.': 'Das Bild wurde gespeichert.',
  'Roles updated successfully.': 'Die Rollen wurden geändert.',
  'File added successfully.': 'Die Datei wurde hinzugefügt.',
  'File updated successfully.': 'Die Angaben zur Datei wurden geändert.',
  'Job changed successfully.': 'Die Stelle wurde geändert.',
  'Job change scheduled successfully.': 'Die Änderung der Stelle ist vorgemerkt.',
  'Nothing would change on this day.': 'An diesem Tag würde sich nichts ändern.',
  'A change that is {word} cannot be cancelled.': 'Eine Änderung im Status „{word}“ kann nicht abgesagt werden.',
  'The employment ends.': 'Die Beschäftigung endet.',
  'Reassigned {n} responsibility.': '{n} Zuständigkeit wurde übertragen.',
  'Reassigned {n} responsibilities.': '{n} Zuständigkeiten wurden übertragen.',
  'Responsibilities were handed over.': 'Aufgaben wurden übergeben.',
  'Whoever scheduled this change may not make it any more.':
    'Wer diese Veränderung geplant hat, darf sie nicht mehr vornehmen.',
  'The person has left.': 'Die Person ist ausgeschieden.',
  'The person is not on probation any more.': 'Die Person ist nicht mehr in der Probezeit.',
  'This person has left.': 'Diese Person ist ausgeschieden.',
  'Only somebody on probation can be confirmed.': 'Nur wer in der Probezeit ist, kann fest übernommen werden.',
  'Only somebody whose employment has ended can be hired again.':
    'Nur wer ausgeschieden ist, kann wieder eingestellt werden.',
  'This person is inactive already.': 'Diese Person ist schon inaktiv.',
  'This person is active already.': 'Diese Person ist schon aktiv.',
  'Somebody else must take over first: {list}.': 'Das muss zuerst jemand anderes übernehmen: {list}.',
  'This person has left and can only be hired again.':
    'Diese Person ist ausgeschieden und kann nur wieder eingestellt werden.',
  'The department of this person is inactive. Move the person first.':
    'Die Abteilung dieser Person ist inaktiv. Versetzen Sie die Person zuerst.',
  'This person has not joined yet.': 'Diese Person ist noch nicht eingetreten.',
  'The :attribute field is for people whose joining date is still to come.':
    '„:attribute“ gilt nur für Personen, deren Eintritt noch bevorsteht.',
  'The department of this person is not active any more.': 'Die Abteilung dieser Person ist nicht mehr aktiv.',
  'The employment of this person was ended already.': 'Die Beschäftigung dieser Person ist schon beendet.',
  'The last working day is past; this person can only be hired again.':
    'Der letzte Arbeitstag ist vorbei; diese Person kann nur wieder eingestellt werden.',
  'There is no separation to withdraw.': 'Es gibt keinen Austritt, der zurückzunehmen wäre.',
  '{text} cannot be deleted: there is still {list}. Separate instead.':
    '{text} kann nicht gelöscht werden. Vorhanden: {list}. Tragen Sie stattdessen den Austritt ein.',
  '{text} cannot be deleted: there are still {list}. Separate instead.':
    '{text} kann nicht gelöscht werden. Vorhanden: {list}. Tragen Sie stattdessen den Austritt ein.',
  'This person is not deleted.': 'Diese Person ist nicht gelöscht.',
  'The selected :attribute cannot take over the department {text}.':
    'Die Person bei „:attribute“ kann die Abteilung {text} nicht übernehmen.',
  'The selected :attribute cannot take over departments outside of your scope.':
    'Die Person bei „:attribute“ kann keine Abteilungen außerhalb Ihres Zuständigkeitsbereichs übernehmen.',
  'The selected :attribute cannot take over people outside of your scope.':
    'Die Person bei „:attribute“ kann niemanden außerhalb Ihres Zuständigkeitsbereichs übernehmen.',
  'The selected :attribute cannot take over people that stand above.':
    'Die Person bei „:attribute“ kann niemanden übernehmen, der über ihr steht.',
  'The selected :attribute reports to this person.': 'Die Person bei „:attribute“ ist dieser Person unterstellt.',
  'The probation end date is in the past.': 'Das Ende der Probezeit liegt in der Vergangenheit.',
  'The :attribute is one too many: a person has at most {n}.':
    '„:attribute“: Eine Person kann höchstens {n} Dateien haben.',
  'The :attribute is too much: the files of a person hold at most {n} MB.':
    '„:attribute“: Die Dateien einer Person dürfen zusammen höchstens {n} MB groß sein.',
};
