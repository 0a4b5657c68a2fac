import type { Texts } from '../matcher.ts';

/** What people are told, and by which channels. */
export const notifications: Texts = {
  'Notification preferences updated successfully.': 'Ihre Einstellungen zu Benachrichtigungen wurden geändert.',
  'Notification setting updated successfully.': 'Die Einstellung wurde geändert.',
  'Notification settings updated successfully.': 'Die Einstellungen wurden geändert.',
  'Test sent successfully.': 'Die Probe wurde gesendet.',
  'Nobody is told of this event: both channels are off.':
    'Von diesem Ereignis erfährt niemand: Beide Kanäle sind ausgeschaltet.',
  'This channel cannot be switched off: people must see what they are asked to do and what happens to their account.':
    'Dieser Kanal lässt sich nicht ausschalten: Man muss sehen, was zu tun ist und was mit dem eigenen Konto geschieht.',
  'Mails about the security of your account cannot be switched off.':
    'E-Mails zur Sicherheit Ihres Kontos lassen sich nicht ausschalten.',
};
