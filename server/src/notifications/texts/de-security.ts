/** What people read about the security of their accounts. */
export const account_security_notice = {
  kind: 'Sicherheit Ihres Kontos',
  title: 'Ihr Konto wurde von einem neuen Gerät aus benutzt',
  body: 'Adresse {ip}, {device}. Wenn Sie das nicht waren, ändern Sie Ihr Passwort, und beenden Sie die anderen Sitzungen.',
  failures: {
    title: 'Ihr Konto wurde nach {count, plural, one {# Fehlversuch} other {# Fehlversuchen}} geöffnet',
    body: 'Adresse {ip}, {device}. Wenn Sie das nicht waren, ändern Sie Ihr Passwort, und beenden Sie die anderen Sitzungen.',
  },
  password: {
    title: 'Ihr Passwort wurde geändert',
    body: 'Alle anderen Sitzungen wurden beendet. Wenn Sie das nicht waren, sagen Sie es bitte sofort der Personalabteilung.',
  },
  email: {
    title: 'Ihre E-Mail-Adresse wurde geändert',
    body: 'Sie melden sich jetzt mit {address} an. Wenn das nicht stimmt, sagen Sie es bitte sofort der Personalabteilung.',
  },
  voided: {
    title: 'Ihr Passwort gilt nicht mehr',
    body: 'Ihr Konto darf mehr als zuvor, und jemand anderes könnte Ihr Passwort kennen. Alle Ihre Sitzungen wurden beendet. Ein neues Passwort bekommen Sie von der Personalabteilung oder Administration.',
  },
  voided_other: {
    title: 'Das Passwort von {person} gilt nicht mehr',
    body: 'Das Konto darf mehr als die Person, die sein Passwort ausgestellt hat. {person} braucht ein neues, von jemandem mit mindestens ebenso vielen Rechten.',
  },
};
