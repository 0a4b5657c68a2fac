import type { Texts } from '../matcher.ts';

/** Messages any address may answer. */
export const general: Texts = {
  'Bad request.': 'Ungültige Anfrage.',
  'Request timeout.': 'Zeitüberschreitung der Anfrage.',
  'Unauthenticated.': 'Sie sind nicht angemeldet.',
  'This action is unauthorized.': 'Dazu sind Sie nicht berechtigt.',
  'Password change required.': 'Bitte wählen Sie zuerst ein eigenes Passwort.',
  'Not found.': 'Nicht gefunden.',
  'Method not allowed.': 'Methode nicht erlaubt.',
  'CSRF token mismatch.': 'Das CSRF-Token stimmt nicht.',
  'The request body is too large.': 'Die Anfrage ist zu groß.',
  'Request header fields too large.': 'Die Kopfzeilen der Anfrage sind zu groß.',
  'Service Unavailable': 'Dienst nicht verfügbar',
  'Server Error': 'Serverfehler',
  'Too Many Attempts.': 'Zu viele Versuche.',
  'Too many login attempts. Please try again in {n} seconds.':
    'Zu viele Anmeldeversuche. Bitte versuchen Sie es in {n} Sekunden erneut.',
  'Live validation is not supported.': 'Die Prüfung während der Eingabe wird nicht unterstützt.',
  'Operation successful.': 'Vorgang erfolgreich.',
  'The record was changed meanwhile. Please look at it again.':
    'Der Eintrag wurde inzwischen geändert. Bitte sehen Sie ihn sich noch einmal an.',
  'There must always be one active administrator.': 'Es muss immer eine aktive Person mit Administrationsrolle geben.',
  'The :attribute has already been used.': '„:attribute“ wurde schon verwendet.',
  'The :attribute has already been used with a different request.':
    '„:attribute“ wurde schon für eine andere Anfrage verwendet.',
  'Notifications marked as read successfully.': 'Die Benachrichtigungen sind als gelesen markiert.',
  'Notification marked as read successfully.': 'Die Benachrichtigung ist als gelesen markiert.',
  'View saved successfully.': 'Die Ansicht wurde gespeichert.',
  'View updated successfully.': 'Die Ansicht wurde geändert.',
  'There are {n} saved views already. Please delete one first.':
    'Es gibt schon {n} gespeicherte Ansichten. Bitte löschen Sie zuerst eine.',
  'The report covers 10 years at most.': 'Der Bericht umfasst höchstens 10 Jahre.',
};
