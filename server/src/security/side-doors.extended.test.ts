import type { Endpoint } from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';
import { aboutHidden, hidePerson, readEndpoints } from '../testing/hidden-person.ts';

/** K6: every reading endpoint with every parameter, requested for a person whom the reader may not see. */

const service = await startApp({ RATE_LIMIT_PER_MINUTE: '100000', DIRECTORY: 'off' });
const { south, plant, hidden, lena, fullHr, attackers } = await hidePerson(service);

/** Values an attacker would put into a parameter: names and search texts. */
const attemptsAt = (name: string) =>
  name.endsWith('_id') || name === 'id'
    ? [hidden.id, hidden.user_id, south.id, plant.id].map(String)
    : ['zyxwald', 'ZYX-1', 'zyxwald@example.com', '1', 'true', 'csv'];

/** Every URL of a reading endpoint with the ids of the hidden person and of the attacker. */
function readingUrls({ path, query }: Endpoint): string[] {
  const ids = [hidden.id, lena.id, hidden.user_id, south.id, plant.id, 1];
  const paths = path.includes(':') ? ids.map((id) => path.replaceAll(/:\w+/g, String(id))) : [path];
  const tries = Object.keys(query?.shape ?? {}).flatMap((name) =>
    attemptsAt(name).map((value) => `?${name}=${encodeURIComponent(value)}`),
  );
  return paths.flatMap((place) =>
    ['', ...(place.includes(`/${lena.id}`) ? [] : tries)].map((rest) => `/api${place}${rest}`),
  );
}
/** Of these or all reading endpoints, those whose responses to a client mention the hidden person. */
async function speaking(client: Client, asked = readEndpoints): Promise<string[]> {
  const found = new Set<string>();
  for (const endpoint of asked)
    for (const url of readingUrls(endpoint)) {
      const { status, bytes } = await client.get(url);
      // a refusal must not repeat a value either
      if (aboutHidden.test(bytes.toString('latin1').replaceAll(/search=[^"&]*|[a-z_]+=zyx[^"&]*/gi, '')))
        found.add(`${endpoint.path} ${status}`);
    }
  return [...found];
}

describe('K6: ways around the list', { timeout: 180_000 }, () => {
  test('who HR of everything finds in every part of the service', async () => {
    const parts = ['/employees', '/employees/export', '/employees/:id', '/search', '/org-chart', '/audit-log'];
    const asked = readEndpoints.filter(({ path }) => parts.includes(path));
    expect(await speaking(fullHr, asked)).toEqual(expect.arrayContaining(asked.map(({ path }) => `${path} 200`)));
    expect(asked).toHaveLength(parts.length);
  });

  test.each(attackers)('%s finds nowhere: no search, chart, export, filter, history or count', async (_who, client) => {
    expect(await speaking(client)).toEqual([]);
  });
});
