import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { complete } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const hr = ['employees.view', 'employees.reset_password', 'employees.import', 'entities.view', 'departments.view'];
const other = { ...complete, id: 58, display_name: 'Jon Reed', employee_number: 'ACME-058' };
const refOf = ({ id, employee_number, display_name: name }: typeof complete) => ({ id, employee_number, name });
const expires_at = '2026-12-01T09:00:00.000Z';
const url = 'POST /api/employees/reset-passwords';
const refused = [{ employee_id: 58, reason: 'This person can’t sign in.' }];

type Body = { employee_ids: number[]; dry_run?: boolean; delivery?: 'mail' | 'screen' };

/** A service that issues passwords to every person except Jon Reed. */
function issuing(mail_is_on: boolean) {
  return ({ body }: { body: unknown }) => {
    const { employee_ids, dry_run, delivery = 'screen' } = body as Body;
    const granted = dry_run ? [] : employee_ids.filter((id) => id !== 58);
    const all = granted.map((employee_id) => ({ employee_id, email: 'lena.park@acme.example', expires_at }));
    return itemOf({
      delivery,
      mail_is_on,
      link_hours: 24,
      issued: delivery === 'screen' ? all.map((one) => ({ ...one, one_time_password: 'Once#Only2Once#Only2' })) : [],
      sent: delivery === 'mail' ? all : [],
      refused: employee_ids.includes(58) ? refused : [],
      people: [complete, other].filter(({ id }) => employee_ids.includes(id)).map(refOf),
    });
  };
}

function service(mailIsOn = false) {
  return serve({
    'GET /api/me': signedInAs(hr),
    'GET /api/employees': listOf([complete, other]),
    'GET /api/entities': listOf([]),
    'GET /api/departments': listOf([]),
    'GET /api/saved-views': listOf([]),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    [url]: issuing(mailIsOn),
  });
}

async function openFor(people: readonly string[]) {
  const opened = start('/employees');
  for (const name of people) await opened.user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
  await opened.user.click(screen.getByRole('button', { name: 'Reset passwords…' }));
  return { ...opened, dialog: await screen.findByRole('dialog', { name: 'Reset passwords' }) };
}

test('the selected people get one-time passwords, shown once, to print and download; refused people are listed', async () => {
  const served = service();
  const { user, dialog } = await openFor(['Lena Park', 'Jon Reed']);
  expect(await within(dialog).findByText('You can reset 1 password.')).toBeDefined();
  expect(within(dialog).getByText(/Current passwords stop working now/)).toBeDefined();
  expect(within(dialog).queryByRole('radio')).toBeNull();
  const none = within(dialog).getByRole('region', { name: 'People whose password can’t be reset' });
  expect(none.textContent).toMatch(/Jon Reed · ACME-058.*This person can’t sign in\./);
  await user.click(within(dialog).getByRole('button', { name: 'Create 1 slip' }));

  expect(await within(dialog).findByText('1 slip created.')).toBeDefined();
  const row = within(dialog).getByRole('row', { name: /Lena Park/ });
  expect(row.textContent).toContain('Once#Only2Once#Only2');
  expect(within(dialog).getByRole('region', { name: 'People whose password can’t be reset' }).textContent).toContain(
    'Jon Reed',
  );
  expect(served.to(url).map(({ body }) => body)).toEqual([
    { employee_ids: [57, 58], dry_run: true },
    { employee_ids: [57], delivery: 'screen' },
  ]);

  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  expect(await screen.findByRole('alert')).toHaveProperty(
    'textContent',
    'You haven’t printed or downloaded these passwords. You can’t see them again.',
  );
  await user.click(screen.getByRole('button', { name: 'Keep open' }));

  const print = vi.fn<() => void>();
  vi.stubGlobal('print', print);
  await user.click(within(dialog).getByRole('button', { name: 'Print slips' }));
  expect(print).toHaveBeenCalledOnce();
  const [slip] = [...document.querySelectorAll('article')];
  for (const text of [
    'Lena Park',
    'ACME-057',
    'lena.park@acme.example',
    '/login',
    'Once#Only2Once#Only2',
    'Valid until',
  ])
    expect(slip?.textContent).toContain(text);

  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('region', { name: 'Selected employees' })).toBeNull();
  expect(document.querySelector('article')).toBeNull();
});

test('the file has one line per person, and no value that a spreadsheet would evaluate', async () => {
  service();
  const files: Blob[] = [];
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (file: Blob) => `blob:${files.push(file)}`,
      revokeObjectURL: () => undefined,
    }),
  );
  const { user, dialog } = await openFor(['Lena Park']);
  await user.click(await within(dialog).findByRole('button', { name: 'Create 1 slip' }));
  await user.click(await within(dialog).findByRole('button', { name: 'Download as CSV' }));
  const text = await files[0]?.text();
  const [head, line, ...rest] = text?.trimEnd().split('\r\n') ?? [];
  expect(head).toContain('"Person","Employee number","Sign-in email","Sign in at","One-time password","Valid until"');
  expect(line).toMatch(
    /^"Lena Park","ACME-057","lena\.park@acme\.example","http.*\/login","Once#Only2Once#Only2","1 Dec 2026/,
  );
  expect(rest).toEqual([]);
});

test('with mail on, links are preselected, and no password is shown', async () => {
  const served = service(true);
  const { user, dialog } = await openFor(['Lena Park']);
  expect(await within(dialog).findByRole('radio', { name: 'By email' })).toHaveProperty('checked', true);
  expect(within(dialog).getByText('You won’t see any passwords.')).toBeDefined();
  await user.click(within(dialog).getByRole('radio', { name: 'On paper' }));
  expect(within(dialog).getByRole('button', { name: 'Create 1 slip' })).toBeDefined();
  await user.click(within(dialog).getByRole('radio', { name: 'By email' }));
  await user.click(within(dialog).getByRole('button', { name: 'Send 1 link' }));
  expect(await within(dialog).findByText('1 link sent.')).toBeDefined();
  expect(within(dialog).queryByRole('table')).toBeNull();
  expect(served.to(url).at(-1)?.body).toEqual({ employee_ids: [57], delivery: 'mail' });
  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('many passwords are issued in parts; issued ones stay after a failure, and the rest can be retried', async () => {
  const served = service();
  const people = Array.from({ length: 30 }, (_, n) => ({ ...complete, id: 100 + n, display_name: `Person ${n}` }));
  served.replies['GET /api/employees'] = listOf(people);
  let fails = true;
  served.replies[url] = ({ body }) => {
    const { employee_ids, dry_run } = body as Body;
    if (!dry_run && employee_ids.length < 25 && fails) return { status: 503, body: { message: 'Away.' } };
    return itemOf({
      delivery: 'screen',
      mail_is_on: false,
      link_hours: 168,
      issued: dry_run
        ? []
        : employee_ids.map((employee_id) => ({
            employee_id,
            email: `p${employee_id}@acme.example`,
            one_time_password: `Once#${employee_id}`,
            expires_at,
          })),
      sent: [],
      refused: [],
      people: people.filter(({ id }) => employee_ids.includes(id)).map(refOf),
    });
  };
  const { user } = start('/employees');
  await user.click(await screen.findByRole('checkbox', { name: /Select all on this page/ }));
  await user.click(screen.getByRole('button', { name: 'Reset passwords…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Reset passwords' });
  await user.click(await within(dialog).findByRole('button', { name: 'Create 30 slips' }));
  expect(
    await within(dialog).findByText('Stopped with 5 people left. The passwords created so far are below.'),
  ).toBeDefined();
  expect(within(dialog).getAllByRole('row')).toHaveLength(26);
  fails = false;
  await user.click(within(dialog).getByRole('button', { name: 'Continue' }));
  expect(await within(dialog).findByText('30 slips created.')).toBeDefined();
  expect(within(dialog).getAllByRole('row')).toHaveLength(31);
  expect(served.to(url).map(({ body }) => (body as Body).employee_ids.length)).toEqual([30, 25, 5, 5]);
});

test('a user who may not reset passwords is not offered the action', async () => {
  const served = service();
  served.replies['GET /api/me'] = signedInAs(['employees.view', 'employees.update']);
  const { user } = start('/employees');
  await user.click(await screen.findByRole('checkbox', { name: 'Select Lena Park' }));
  expect(screen.getByRole('button', { name: 'Move' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Reset passwords…' })).toBeNull();
});

test('an invitation is offered by mail and on paper, each with the people it can reach', async () => {
  const served = service(true);
  const asked = 'POST /api/employees/invite';
  const joining = [{ employee_id: 57, reason: 'No mail goes to this person now.' }];
  served.replies[asked] = ({ body }: { body: unknown }) => {
    const { delivery = 'mail', dry_run } = body as Body;
    const sent = dry_run ? [] : [{ employee_id: 58, email: 'jon.reed@acme.example', expires_at }];
    const refusals = delivery === 'mail' && dry_run ? joining : [];
    const people = [complete, other].map(refOf);
    return itemOf({ delivery, mail_is_on: true, link_hours: 168, issued: [], sent, refused: refusals, people });
  };
  const { user } = start('/employees');
  for (const name of ['Lena Park', 'Jon Reed'])
    await user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
  await user.click(screen.getByRole('button', { name: 'Invite…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite people' }));
  expect(await dialog.findByText('1 person can be invited.')).toBeDefined();
  expect(dialog.getByText('No mail goes to this person now.')).toBeDefined();
  await user.click(dialog.getByRole('radio', { name: 'On paper' }));
  expect(dialog.getByText('2 people can be invited.')).toBeDefined();
  expect(dialog.queryByText('No mail goes to this person now.')).toBeNull();
  await user.click(dialog.getByRole('radio', { name: 'By email' }));
  await user.click(dialog.getByRole('button', { name: 'Send 1 invitation' }));
  expect(await dialog.findByText('1 invitation sent.')).toBeDefined();
  expect(served.to(asked).map(({ body }) => body)).toEqual([
    { employee_ids: [57, 58], dry_run: true },
    { employee_ids: [57, 58], dry_run: true, delivery: 'screen' },
    { employee_ids: [58], delivery: 'mail' },
  ]);
  // nothing secret is shown, so it closes at once
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each([
  [[57], '1 person signs in through Acme ID: the email names it and has no link.'],
  [[57, 58], '2 people sign in through Acme ID: their email names it and has no link.'],
])('an invitation says who signs in through a provider: their mail has no link (%j)', async (ids, line) => {
  const lacking = { ...complete, user: { ...complete.user, has_password: false } };
  const served = serve({
    'GET /api/me': signedInAs(hr),
    'GET /api/employees': listOf([lacking, other]),
    'GET /api/entities': listOf([]),
    'GET /api/departments': listOf([]),
    'GET /api/saved-views': listOf([]),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'POST /api/employees/invite': ({ body }) =>
      itemOf({
        delivery: (body as Body).delivery ?? 'mail',
        mail_is_on: true,
        link_hours: 168,
        issued: [],
        sent: [],
        refused: [],
        people: [complete, other].map(refOf),
        ...((body as Body).delivery !== 'screen' && {
          through_provider: ids.map((employee_id) => ({ employee_id, provider: 'Acme ID' })),
        }),
      }),
  });
  const opened = start('/employees');
  for (const name of ['Lena Park', 'Jon Reed'])
    await opened.user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }));
  await opened.user.click(screen.getByRole('button', { name: 'Invite…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Invite people' });
  expect(await within(dialog).findByText(line)).toBeDefined();
  // a link is mentioned only if one is sent
  expect(within(dialog).queryAllByText(/link (to choose|that works)/)).toHaveLength(ids.length === 2 ? 0 : 2);
  await opened.user.click(within(dialog).getByRole('radio', { name: 'On paper' }));
  expect(within(dialog).queryByText(line)).toBeNull();
  expect(served.to('POST /api/employees/invite')).toHaveLength(2);
});
