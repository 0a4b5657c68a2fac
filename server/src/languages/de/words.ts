import type { Texts } from '../matcher.ts';

/** States as messages name them, in the words of the application. */
export const words: Texts = {
  active: 'Aktiv',
  inactive: 'Inaktiv',
  probationary: 'In Probezeit',
  confirmed: 'Übernommen',
  resigned: 'Eigenkündigung',
  terminated: 'Entlassen',
  scheduled: 'Vorgemerkt',
  current: 'Aktuell',
  past: 'Vergangen',
  cancelled: 'Abgesagt',
  processing: 'In Arbeit',
  'needs mapping': 'Spalten zuzuordnen',
  preview: 'Zu bestätigen',
  completed: 'Abgeschlossen',
  failed: 'Fehlgeschlagen',
  undone: 'Zurückgenommen',
  expired: 'Verfallen',
  draft: 'Entwurf',
  archived: 'Archiviert',
};
