import type { QueryOut, Role, RoleRow, roles } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { reachOf } from '../../access/actor.ts';
import { visiblePeople } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import type { Ctx, ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import type { LanguageId } from '../../languages/catalogue.ts';
import { seededNamesIn } from '../../languages/role-name.ts';
import { storedRules } from '../../sso/role-rules.ts';
import { can } from './policy.ts';

type Stored = Omit<RoleRow, 'allowed_actions'> & { is_held: boolean };
type ListQuery = QueryOut<typeof roles.list>;

const sorts: Record<Exclude<NonNullable<ListQuery['sort_by']>, 'name'>, RawBuilder<unknown>> = {
  users_count: sql`users_count`,
  created_at: sql`r.created_at`,
};

/** The visible holders of each role, counted in one query; programs and people outside a limited scope do not count. */
const holders = (actor: Actor): RawBuilder<unknown> =>
  reachOf(actor, 'employees.view', 'employees.view_all').everything
    ? sql`select a.role_id, count(*) as people from role_assignments a join users u on u.id = a.user_id
          where u.account_kind <> 'service' group by a.role_id`
    : sql`select a.role_id, count(*) as people from employees e join role_assignments a on a.user_id = e.user_id
          where ${visiblePeople(actor)} group by a.role_id`;

const rolesFor = (actor: Actor) => sql`roles r left join (${holders(actor)}) as h on h.role_id = r.id`;

const columns = sql`
  r.id, r.name, r.description, r.scope, r.managed_depth, r.is_system, r.revision, r.created_at, r.updated_at,
  coalesce(h.people, 0) as users_count,
  exists (select from role_assignments a where a.role_id = r.id)
    or exists (select from (${storedRules}) as s where s.role_id = r.id) as is_held,
  (select count(*) from role_permissions p where p.role_id = r.id) as permissions_count`;

const permissions = sql`
  array(select p.permission from role_permissions p where p.role_id = r.id order by p.permission) as permissions`;

function presenter(actor: Actor) {
  const actions = can(actor);
  return <T extends Stored>({ is_held, ...row }: T) => ({ ...row, allowed_actions: actions({ ...row, is_held }) });
}

/** The name of a role as the reader sees it. */
const shownName = (language: LanguageId) =>
  sql`coalesce(${JSON.stringify(seededNamesIn(language))}::jsonb ->> r.name, r.name)`;

/** A page of the roles, with their numbers of holders. */
export async function listRoles(
  { db, actor, request }: ReadCtx & Pick<Ctx, 'request'>,
  query: ListQuery,
): Promise<{ rows: RoleRow[]; total: number }> {
  const shown = shownName(request.language);
  const where = every([
    ...oneOfTexts(sql`r.scope`, query.scope),
    ...(query.is_system === undefined ? [] : [sql<SqlBool>`r.is_system = ${query.is_system}`]),
    ...holdsWords([sql`r.name`, shown, sql`r.description`], query.search),
  ]);
  const { sort_by: by = 'name' } = query;
  const sort = by === 'name' || by === null ? sql`fold(${shown}) collate "C"` : sorts[by];
  const order = orderedBy(sort, query.sort_direction, sql`r.id`);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Stored>`select ${columns} from ${rolesFor(actor)} where ${where} ${order}`,
    total: sql`select count(*) from roles r where ${where}`,
  });
  return { rows: rows.map(presenter(actor)), total };
}

type StoredWhole = Stored & Pick<Role, 'permissions'>;

/** All roles with the names of their permissions; the built-in ones first. */
export async function allRoles(db: Db, actor: Actor): Promise<Role[]> {
  const { rows } = await sql<StoredWhole>`
    select ${columns}, ${permissions} from ${rolesFor(actor)}
    order by r.is_system desc, case when r.is_system then r.id end, fold(r.name) collate "C", r.id`.execute(db);
  return rows.map(presenter(actor));
}

/** Reads a role with the names of its permissions. Throws 404 for an unknown id. */
export async function readRole(db: Db, actor: Actor, id: number): Promise<Role> {
  const { rows } = await sql<StoredWhole>`
    select ${columns}, ${permissions} from ${rolesFor(actor)} where r.id = ${id}`.execute(db);
  const [found] = rows.map(presenter(actor));
  if (!found) throw notFound();
  return found;
}
