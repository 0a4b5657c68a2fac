import type { Texts } from '../matcher.ts';

/** Roles and what they permit. */
export const roles: Texts = {
  'Role created successfully.': 'Die Rolle wurde angelegt.',
  'Role updated successfully.': 'Die Rolle wurde geändert.',
  'Permissions updated successfully.': 'Die Rechte wurden geändert.',
  'Only the role Admin may hold {text}.': 'Nur die Rolle Admin darf dieses Recht haben: {text}.',
  'Whoever holds {text} must hold {text} too.': 'Zum Recht {text} gehört auch das Recht {text}.',
  'The :attribute could be taken for the built-in role {text}.':
    '„:attribute“ lässt sich mit der eingebauten Rolle {text} verwechseln.',
  'The :attribute of the built-in role {text} cannot be changed.':
    '„:attribute“ der eingebauten Rolle {text} lässt sich nicht ändern.',
  'The built-in role {text} cannot be deleted.': 'Die eingebaute Rolle {text} kann nicht gelöscht werden.',
  '{text} cannot be deleted: it is still held by {list}.':
    '{text} kann nicht gelöscht werden. Die Rolle haben noch: {list}.',
};
