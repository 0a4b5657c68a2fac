import { ActionableItem } from './actionable-items.ts';
import { endpoint } from './endpoint.ts';
import { item } from './envelope.ts';
import { Notification } from './notifications.ts';
import { PermissionRow, readRoles } from './roles.ts';

const own = { method: 'GET', permission: 'signed in', scope: 'own', status: 200 } as const;

/** Single records that the application reads in lists; in a separate file, so that browsers do not load them. */
export const singleReads = {
  notification: endpoint({
    ...own,
    path: '/notifications/:id',
    summary: 'Read an own notification; it stays unread',
    reply: item(Notification),
  }),
  permission: endpoint({
    ...readRoles,
    method: 'GET',
    path: '/permissions/:id',
    summary: 'Read a permission of the catalogue',
    reply: item(PermissionRow),
    status: 200,
  }),
  actionableItem: endpoint({
    ...own,
    path: '/actionable-items/:id',
    texts: { id: '[a-z_]+:[1-9]\\d{0,15}' },
    summary: 'Read a task of the user by its kind and the id of its subject, as in `kpi_close:7`',
    reply: item(ActionableItem),
  }),
};
