import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { addPasskey, signInWith } from '../../testing/passkey.ts';
import { togetherIn } from '../../testing/together.ts';

/** A person signs in while the sign-in is switched off: no session remains that would work after it is on again. */

const { as, make, owner } = await startApp();
const acme = await make.entity();
const hr = await as(
  (await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id,
);
const password = 'Str0ng!Passw0rd';

const ways = ['passkey', 'password'] as const;
const ends = {
  block: {
    off: (id: number) => hr.put(`/api/employees/${id}/sign-in-block`, { reason: 'Reported a stolen laptop.' }),
    on: (id: number) => hr.delete(`/api/employees/${id}/sign-in-block`),
  },
  deactivation: {
    off: (id: number) => hr.post(`/api/employees/${id}/deactivate`, { reason: 'Away for a year.' }),
    on: (id: number) => hr.post(`/api/employees/${id}/reactivate`, { reason: 'Back at work again.' }),
  },
};

test.each(ways.flatMap((way) => (['block', 'deactivation'] as const).map((end) => [way, end] as const)))(
  'a sign-in with a %s that meets a %s begins no session',
  async (way, end) => {
    const person = await make.employee({ entity_id: acme.id, password });
    const browser = await as();
    const signIn =
      way === 'passkey'
        ? signInWith.bind(null, browser, (await addPasskey(await as(person.user_id), 'http://localhost:8000')).passkey)
        : () => browser.post('/api/login', { email: person.email, password });
    const [off, entered] = await togetherIn(owner)(() => ends[end].off(person.id), signIn);
    expect([off.status, entered.status]).toEqual([200, 422]);
    const on = await ends[end].on(person.id);
    expect([200, 204], JSON.stringify(on.body)).toContain(on.status);
    expect((await browser.get('/api/me')).status).toBe(401);
  },
);
