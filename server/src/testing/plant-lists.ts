import { createToken } from '../access/api-tokens.ts';
import type { TestApp } from './app.ts';
import type { PlantedIds } from './canaries.ts';
import type { MadeEmployee } from './make.ts';
import { provisioning } from './provisioning.ts';

/** Administrators' records in addition to the canaries: two of each, so that a filter excludes one. */

/** Runs an insert as the owner of the database; returns the ids. */
const inserter =
  ({ owner }: TestApp) =>
  async (text: string, values: unknown[] = []) =>
    (await owner.query<{ id: number }>(`${text} returning id`, values)).rows.map(({ id }) => id);

/** A service account with a token in use and one that expires soon. */
async function plantProgram(service: TestApp, reader: MadeEmployee): Promise<number> {
  const [id = 0] = await inserter(service)(
    `insert into users (email, account_kind) values ('program@service.invalid', 'service')`,
  );
  await service.owner.query(`insert into service_accounts (user_id, name, owner_ids) values ($1, 'Program', $2)`, [
    id,
    [reader.user_id],
  ]);
  for (const [name, days] of [
    ['Reader', 90],
    ['Writer', 5],
  ] as const)
    await createToken(service.deps.db, {
      user_id: id,
      kind: 'service',
      name,
      permissions: ['employees.view'],
      entity_ids: null,
      days,
      created_by: reader.user_id,
      session_id: null,
    });
  return id;
}

/** Gives the reader every permission, and plants what the lists of administrators need. */
export async function plantLists(
  service: TestApp,
  { reader, planted }: { reader: MadeEmployee; planted: PlantedIds },
): Promise<PlantedIds> {
  const insert = inserter(service);
  await service.owner.query(
    `insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Admin'`,
    [reader.user_id],
  );
  const connection = await provisioning(service)();
  const account = await plantProgram(service, reader);
  const by = [reader.user_id];
  return {
    entity: planted.entities ?? [],
    'sign-in-policies': planted.entities ?? [],
    'scim-connections': [connection.id],
    'service-accounts': [account],
    imports: await insert(
      `insert into imports (type, status, file_name, file_size, file_hash, format, dry_run, mode, on_conflict,
                            date_format, create_departments, columns, created_by, created_by_name)
       select type, status, status || '.csv', 1, '', 'csv', false, 'partial', 'fail', 'YYYY-MM-DD', false, '[]', $1, 'HR'
       from unnest(array['employees', 'job_history', 'kpi_templates', 'former_results', 'attachments']) as type,
         unnest(array['completed', 'expired']) as status`,
      by,
    ),
    'identity-providers': await insert(
      `insert into identity_providers (name, issuer, client_id, metadata)
       select name, 'https://' || name || '.example', 'x', '{}' from unnest(array['Login', 'Entrance']) as name`,
    ),
    webhooks: await insert(
      `insert into webhooks (name, url, service_account_id, status)
       select status, 'https://hooks.example', $1, status from unnest(array['active', 'paused']) as status`,
      [account],
    ),
    'kpi-evaluation-bulks': await insert(
      `insert into kpi_evaluation_bulks (kind, request, total, in_background, created_by, created_by_name, status, finished_at)
       values ('remind', '{}', 0, true, $1, 'HR', 'processing', null), ('remind', '{}', 0, true, $1, 'HR', 'completed', now())`,
      by,
    ),
  };
}
