import type { Texts } from '../matcher.ts';

/** Why a CSV file or a workbook cannot be read. */
export const files: Texts = {
  'The file is not a text file.': 'Die Datei ist keine Textdatei.',
  'The file is not encoded in UTF-8. Save it as "CSV UTF-8" and try again.':
    'Die Datei ist nicht in UTF-8 kodiert. Speichern Sie sie als „CSV UTF-8“, und versuchen Sie es noch einmal.',
  'The row in line {n} is too long; perhaps a quote is not closed.':
    'Die Zeile {n} ist zu lang; vielleicht fehlt ein schließendes Anführungszeichen.',
  'The row in line {n} opens a quote that is never closed.':
    'In Zeile {n} beginnt ein Anführungszeichen, das nie geschlossen wird.',
  'Line {n} cannot be read as CSV.': 'Zeile {n} kann nicht als CSV gelesen werden.',
  'The file takes too long to read.': 'Das Lesen der Datei dauert zu lange.',
  'The file needs too much memory to be read.': 'Das Lesen der Datei braucht zu viel Speicher.',
  'The file has more than {n} rows.': 'Die Datei hat mehr als {n} Zeilen.',
  'The file is empty.': 'Die Datei ist leer.',
  'The file has a header but no rows.': 'Die Datei hat eine Kopfzeile, aber keine weiteren Zeilen.',
  'Row {n} has a cell of more than {n2} characters.': 'Zeile {n} hat eine Zelle mit mehr als {n2} Zeichen.',
  'The file has more than {n} columns.': 'Die Datei hat mehr als {n} Spalten.',
  'Column {n} has no heading in the first row.': 'Spalte {n} hat in der ersten Zeile keine Überschrift.',
  'The heading "{text}" occurs twice.': 'Die Überschrift „{text}“ kommt zweimal vor.',
  'The file is protected by a password or in the old .xls format.':
    'Die Datei ist mit einem Passwort geschützt oder hat das alte Format .xls.',
  'The file is not an XLSX workbook.': 'Die Datei ist keine XLSX-Arbeitsmappe.',
  'The file is protected by a password.': 'Die Datei ist mit einem Passwort geschützt.',
  'The workbook contains a part twice.': 'Die Arbeitsmappe enthält einen Teil doppelt.',
  'The workbook contains macros.': 'Die Arbeitsmappe enthält Makros.',
  'The workbook is damaged.': 'Die Arbeitsmappe ist beschädigt.',
  'The workbook is too large when unpacked.': 'Die Arbeitsmappe ist entpackt zu groß.',
  'The workbook is damaged: a cell has no place.': 'Die Arbeitsmappe ist beschädigt: Eine Zelle hat keinen Platz.',
  'Row {n} has a cell with too much text.': 'Zeile {n} hat eine Zelle mit zu viel Text.',
  'The workbook is damaged: its rows are out of order after row {n}.':
    'Die Arbeitsmappe ist beschädigt: Nach Zeile {n} stimmt die Reihenfolge nicht.',
  'The workbook is damaged: a text is missing.': 'Die Arbeitsmappe ist beschädigt: Ein Text fehlt.',
  'The workbook contains too much text.': 'Die Arbeitsmappe enthält zu viel Text.',
  'The workbook has no worksheet.': 'Die Arbeitsmappe hat kein Tabellenblatt.',
  'The workbook contains a document type definition.': 'Die Arbeitsmappe enthält eine Dokumenttypdefinition.',
  'The workbook is damaged: a part of it is not well-formed XML in UTF-8.':
    'Die Arbeitsmappe ist beschädigt: Ein Teil ist kein wohlgeformtes XML in UTF-8.',
};
