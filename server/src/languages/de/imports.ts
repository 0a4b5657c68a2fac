import type { Texts } from '../matcher.ts';

/** Imports: what became of one, and what is wrong with a row. */
export const imports: Texts = {
  'Import started.': 'Der Import hat begonnen.',
  'Import needs a mapping of its columns.': 'Die Spalten müssen noch zugeordnet werden.',
  'Import checked: {list} can be imported.': 'Import geprüft. Importierbar: {list}.',
  'Import checked: {list} can be imported, {list2} has errors.':
    'Import geprüft. Importierbar: {list}. Mit Fehlern: {list2}.',
  'Import checked: {list} can be imported, {list2} have errors.':
    'Import geprüft. Importierbar: {list}. Mit Fehlern: {list2}.',
  'Import completed: {n} created, {n2} updated, {n3} skipped, {n4} failed.':
    'Import abgeschlossen: {n} angelegt, {n2} geändert, {n3} übersprungen, {n4} fehlgeschlagen.',
  'Import failed.': 'Der Import ist fehlgeschlagen.',
  'Import undone.': 'Der Import wurde zurückgenommen.',
  'Import undone in part: {list} stayed as imported.':
    'Import teilweise rückgängig gemacht. Unverändert geblieben: {list}.',
  'Import expired.': 'Der Import ist verfallen.',
  'Row updated successfully.': 'Die Zeile wurde geändert.',
  'An import that is {word} cannot be discarded.': 'Ein Import im Status „{word}“ kann nicht verworfen werden.',
  'An import that is {word} cannot be changed.': 'Ein Import im Status „{word}“ kann nicht geändert werden.',
  'An import that is {word} cannot be committed.': 'Ein Import im Status „{word}“ kann nicht ausgeführt werden.',
  'An import that is {word} cannot be taken back.': 'Ein Import im Status „{word}“ kann nicht zurückgenommen werden.',
  'An import can be taken back for seven days.': 'Ein Import kann sieben Tage lang zurückgenommen werden.',
  'The import cannot be taken back.': 'Der Import kann nicht zurückgenommen werden.',
  'The person in row {n} is not permitted.': 'Die Person in Zeile {n} liegt außerhalb Ihrer Berechtigung.',
  'The person in row {n} was changed since.': 'Die Person in Zeile {n} wurde seither geändert.',
  'The person in row {n} has signed in or may do so.': 'Die Person in Zeile {n} hat sich angemeldet oder darf es.',
  'The person in row {n} heads a department.': 'Die Person in Zeile {n} leitet eine Abteilung.',
  'The person in row {n} is the manager of others.': 'Der Person in Zeile {n} sind andere unterstellt.',
  'The person in row {n} cannot have the earlier values again.':
    'Die Person in Zeile {n} kann die früheren Werte nicht mehr erhalten.',
  'The person in row {n} has files.': 'Die Person in Zeile {n} hat Dateien.',
  '{n} more row stands in the way.': '{n} weitere Zeile steht im Weg.',
  '{n} more rows stand in the way.': '{n} weitere Zeilen stehen im Weg.',
  'The rows would now do something else than was shown. Please look at them again.':
    'Die Zeilen würden jetzt etwas anderes bewirken als angezeigt. Bitte sehen Sie sie sich noch einmal an.',
  'This row would now do something else than was shown.':
    'Diese Zeile würde jetzt etwas anderes bewirken als angezeigt.',
  'Row {n} changed.': 'Zeile {n} hat sich geändert.',
  'Every row must be without errors in an import of all or nothing.':
    'Bei einem Import ganz oder gar nicht muss jede Zeile ohne Fehler sein.',
  'Some rows have errors; nothing was imported.': 'Einige Zeilen haben Fehler; es wurde nichts importiert.',
  'The upload was cut off.': 'Das Hochladen wurde abgebrochen.',
  'An unexpected fault ended the import.': 'Ein unerwarteter Fehler hat den Import beendet.',
  'The right to import people was withdrawn.': 'Das Recht, Personen zu importieren, wurde entzogen.',
  'Row {n}: {message}': 'Zeile {n}: {message}',
  'This file is being imported already (import {n}).': 'Diese Datei wird schon importiert (Import {n}).',
  'This file is being imported already.': 'Diese Datei wird schon importiert.',
  'The file has no column for the :attribute field.': 'Die Datei hat keine Spalte für „:attribute“.',
  'This row is not permitted.': 'Diese Zeile liegt außerhalb Ihrer Berechtigung.',
  'The :attribute has already been taken by a deleted employee.':
    '„:attribute“ ist schon an eine gelöschte Person vergeben.',
  'The :attribute has already been taken by an inactive employee.':
    '„:attribute“ ist schon an eine inaktive Person vergeben.',
  'The :attribute has already been taken by a joining employee.':
    '„:attribute“ ist schon an eine Person vergeben, die erst eintritt.',
  'The :attribute has already been taken by an active employee.':
    '„:attribute“ ist schon an eine aktive Person vergeben.',
  'The :attribute has already been taken by a deleted employee ({text}).':
    '„:attribute“ ist schon an eine gelöschte Person vergeben ({text}).',
  'The :attribute has already been taken by an inactive employee ({text}).':
    '„:attribute“ ist schon an eine inaktive Person vergeben ({text}).',
  'The :attribute has already been taken by a joining employee ({text}).':
    '„:attribute“ ist schon an eine Person vergeben, die erst eintritt ({text}).',
  'The :attribute has already been taken by an active employee ({text}).':
    '„:attribute“ ist schon an eine aktive Person vergeben ({text}).',
  'The :attribute has already been taken by an account without an employee.':
    '„:attribute“ ist schon an ein Konto ohne Personalakte vergeben.',
  'The :attribute field has a duplicate value (rows {text} and more).':
    '„:attribute“ kommt mehrfach vor (Zeilen {text} und weitere).',
  'The :attribute field has a duplicate value (rows {text}).': '„:attribute“ kommt mehrfach vor (Zeilen {text}).',
  'The reporting managers of the rows {rows} form a circle.':
    'Die Vorgesetzten der Zeilen {rows} sind einander im Kreis unterstellt.',
  'The reporting manager in row {n} cannot be imported.':
    'Die/der Vorgesetzte in Zeile {n} kann nicht importiert werden.',
  'The department "{text}" will be created.': 'Die Abteilung „{text}“ wird angelegt.',
  'The role Admin is not given or taken by an import.':
    'Die Rolle Admin wird durch einen Import weder gegeben noch genommen.',
  'This role is not permitted.': 'Diese Rolle dürfen Sie nicht vergeben.',
  'The :attribute field contains a formula.': '„:attribute“ enthält eine Formel.',
  'The column "{text}" is not imported.': 'Die Spalte „{text}“ wird nicht importiert.',
  '{n} cell to the right of the last heading is not imported.':
    '{n} Zelle rechts von der letzten Überschrift wird nicht importiert.',
  '{n} cells to the right of the last heading are not imported.':
    '{n} Zellen rechts von der letzten Überschrift werden nicht importiert.',
};
