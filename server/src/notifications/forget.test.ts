import { expect, test } from 'vitest';
import { deleteReadNotifications } from '../jobs/housekeeping.ts';
import { startApp } from '../testing/app.ts';

const { make, deps, owner } = await startApp();
const now = Temporal.Now.instant();

test('notifications read more than a year ago are deleted with their mail; unread ones stay', async () => {
  const { user_id } = await make.employee();
  await owner.query(
    `with notified as (
       insert into notifications (user_id, event, severity, subject_type, subject_id, url, dedupe_key, created_at, read_at)
       select $1, 'role_changed', 'info', 'account', t.days, '/profile', t.name, now() - interval '3 years',
              now() - make_interval(days => t.days)
       from (values ('old', 366), ('young', 364), ('unread', null)) as t (name, days) returning id)
     insert into notification_deliveries (notification_id, channel, status) select id, 'email', 'sent' from notified`,
    [user_id],
  );
  await deleteReadNotifications({ deps, now });
  await deleteReadNotifications({ deps, now });
  const { rows } = await owner.query<{ dedupe_key: string; mails: number }>(
    `select dedupe_key, (select count(*)::int from notification_deliveries d where d.notification_id = n.id) as mails
     from notifications n order by dedupe_key`,
  );
  expect(rows).toEqual([
    { dedupe_key: 'unread', mails: 1 },
    { dedupe_key: 'young', mails: 1 },
  ]);
});
