import type { Texts } from '../matcher.ts';

/** Signing in, passwords, the own profile. */
export const account: Texts = {
  'Logged in successfully.': 'Sie sind angemeldet.',
  'Logged out successfully.': 'Sie sind abgemeldet.',
  'These credentials do not match our records.': 'Diese Anmeldedaten sind uns nicht bekannt.',
  'The password is incorrect.': 'Das Passwort ist falsch.',
  'Profile updated successfully.': 'Das Profil wurde geändert.',
  'Password changed successfully.': 'Das Passwort wurde geändert.',
  'The :attribute field must contain at least one uppercase and one lowercase letter.':
    '„:attribute“ muss mindestens einen Groß- und einen Kleinbuchstaben enthalten.',
  'The :attribute field must contain at least one number.': '„:attribute“ muss mindestens eine Ziffer enthalten.',
  'The :attribute field must contain at least one symbol.': '„:attribute“ muss mindestens ein Sonderzeichen enthalten.',
  'The given :attribute has appeared in a data leak. Please choose a different :attribute.':
    'Dieses Passwort ist in einem Datenleck aufgetaucht. Bitte wählen Sie ein anderes.',
  'The :attribute field must not contain your name, your email, your employee number or the name of the company.':
    '„:attribute“ darf weder Ihren Namen, Ihre E-Mail-Adresse, Ihre Personalnummer noch den Namen des Unternehmens enthalten.',
  'The :attribute field and current password must be different.':
    '„:attribute“ und das aktuelle Passwort müssen verschieden sein.',
  'This person may not sign in.': 'Diese Person darf sich nicht anmelden.',
  'One-time password issued. It is shown only this once.':
    'Das Einmalpasswort wurde ausgestellt. Es wird nur dieses eine Mal angezeigt.',
  'A link to choose a new password is on its way to the person.':
    'Ein Link zur Wahl eines neuen Passworts ist unterwegs zu der Person.',
  'Sent {n} link to choose a new password.': '{n} Link zur Wahl eines neuen Passworts wurde gesendet.',
  'Sent {n} links to choose a new password.': '{n} Links zur Wahl eines neuen Passworts wurden gesendet.',
  'No mail goes to this person now. A one-time password can be issued instead.':
    'An diese Person gehen zurzeit keine E-Mails. Stattdessen kann ein Einmalpasswort ausgestellt werden.',
  'Nothing was issued.': 'Es wurde nichts ausgestellt.',
  'The :attribute field cannot be mail: no mail server is set up.':
    '„:attribute“ kann nicht E-Mail sein: Es ist kein Mailserver eingerichtet.',
  'This link is not valid any more.': 'Dieser Link ist nicht mehr gültig.',
  'Your password was set. You can sign in with it now.':
    'Ihr Passwort wurde gesetzt. Sie können sich jetzt damit anmelden.',
  'Issued {n} one-time password, shown only this once.':
    '{n} Einmalpasswort wurde ausgestellt und wird nur dieses eine Mal angezeigt.',
  'Issued {n} one-time passwords, shown only this once.':
    '{n} Einmalpasswörter wurden ausgestellt und werden nur dieses eine Mal angezeigt.',
};
