import { text } from '@tenure/contract';
import type { ProviderTest } from '@tenure/contract';
import { sql } from 'kysely';
import { loadHolder } from '../../access/rights.ts';
import { holds } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import type { ServiceCtx } from '../../http/context.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { findByAddress, findIdentity } from '../../sso/identities.ts';
import { logFailure } from './answer.ts';
import type { Answered, CompleteCtx } from './answer.ts';

/** Tests of a provider: the complete flow, and the data that it returned. */

type Stored = Omit<ProviderTest, 'tested_at' | 'confirms'> & { confirms?: boolean };

/** Claims about the token and not about the person. */
const technical = new Set(['at_hash', 'c_hash', 's_hash', 'nonce', 'jti']);
const maxClaims = 50;

const shown = (claims: Answered['claims']): Stored['claims'] =>
  Object.entries(claims)
    .filter(([name, value]) => value !== undefined && !technical.has(name))
    .slice(0, maxClaims)
    .map(([name, value]) => ({
      name: name.slice(0, 100),
      value: (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 500),
    }));

async function foundBy(db: Db, { provider, profile }: Answered): Promise<Stored['found']> {
  const known = await findIdentity(db, provider, profile.subject);
  if (known) return known.may_sign_in ? { name: known.name, by: 'subject' } : null;
  const account = profile.trusted_email === null ? undefined : await findByAddress(db, provider, profile.trusted_email);
  return account ? { name: account.name, by: 'address' } : null;
}

/** Stores the test result. Throws 422 on `sso` for a session that did not begin it, and while viewing as a role. */
export async function storeTest(ctx: CompleteCtx, answered: Answered): Promise<void> {
  const { provider, flow, profile, claims } = answered;
  const { live } = ctx.credentials;
  const isSame = live && live.user_id === flow.user_id && live.viewed_role_id === null;
  const holder = isSame ? await loadHolder(ctx.db, live.user_id) : undefined;
  if (!holder || !holds(holder, 'identity.manage')) {
    logFailure(ctx, 'other_session');
    throw invalid('sso', text('sso.expired'));
  }
  await ctx.db.transaction().execute(async (db) => {
    const found = await foundBy(db, answered);
    const { subject, trusted_email: address, factors, signed_in_at } = profile;
    const confirms = signed_in_at !== null;
    const result: Stored = { claims: shown(claims), subject, address, factors, confirms, found };
    // it says nothing about a provider that changed meanwhile
    await sql`
      update identity_providers
      set tested_at = now(), tested_by = ${holder.user_id}, test_result = ${JSON.stringify(result)}::jsonb
      where id = ${provider.id} and issuer = ${provider.issuer} and client_id = ${provider.client_id}
        and sso_url is not distinct from ${provider.sso_url} and certificates = ${provider.certificates}::text[]`.execute(
      db,
    );
  });
}

const untested: Stored = { claims: [], subject: null, address: null, factors: 1, found: null };

/** The latest test. Throws 404 without the provider. */
export async function readTest({ db, deps }: Pick<ServiceCtx, 'db' | 'deps'>, id: number): Promise<ProviderTest> {
  const { rows } = await sql<{ tested_at: string | null; test_result: Stored | null }>`
    select tested_at, test_result from identity_providers where id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  const { confirms = null, ...result } = row.test_result ?? untested;
  return { tested_at: row.tested_at, ...result, confirms: deps.config.STEP_UP_MINUTES > 0 ? confirms : null };
}
