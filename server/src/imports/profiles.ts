import { fieldsShownBy, messages } from '@tenure/contract';
import type { ImportProfile, importProfiles, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { reachesEntity, reachOf } from '../access/actor.ts';
import type { Actor } from '../access/actor.ts';
import { entitiesIn } from '../access/scope.ts';
import { changesBetween, record as recordAudit } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import { every, holdsWords, oneOfIds, orderedBy, selectPage } from '../db/lists.ts';
import { refTo } from '../db/refs.ts';
import type { HandlerCtx, ReadCtx, WriteCtx } from '../http/context.ts';
import { invalid, notFound } from '../http/errors.ts';
import { fieldOf } from './columns.ts';
import type { Defaults, Mapping } from './columns.ts';
import type { ImportRecord, Values } from './record.ts';

/** Import profiles: each belongs to a company, and everyone who imports its people can use and delete it. */

const privateFields: ReadonlySet<string> = new Set(fieldsShownBy['employees.view_sensitive']);

type Shown = Omit<ImportProfile, 'allowed_actions'>;

/** Profiles `p` of the actor's companies. */
export const profilesFor = (actor: Actor) => entitiesIn(reachOf(actor, 'employees.import'), 'p.entity_id');
const columns = sql`p.id, p.entity_id, ${refTo('n')} as entity, p.name, p.mapping, p.defaults, p.values, p.date_format,
  p.revision, p.created_at, p.updated_at`;
const tables = sql`import_profiles p join entities n on n.id = p.entity_id`;
const present = (row: Shown): ImportProfile => ({ ...row, allowed_actions: ['delete'] });

type Query = QueryOut<typeof importProfiles.list>;
const sorts: Record<NonNullable<Query['sort_by']>, RawBuilder<unknown>> = {
  name: sql`fold(p.name)`,
  created_at: sql`p.created_at`,
};

/** A page of the profiles of the actor's companies. */
export async function listProfiles({ db, actor }: ReadCtx, query: Query) {
  const where = every([
    profilesFor(actor),
    ...oneOfIds(sql`p.entity_id`, query.entity_id),
    ...holdsWords([sql`p.name`], query.search),
  ]);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Shown>`
      select ${columns} from ${tables} where ${where}
      ${orderedBy(sorts[query.sort_by ?? 'name'], query.sort_direction, sql`p.id`)}`,
    total: sql`select count(*) from import_profiles p where ${where}`,
  });
  return { rows: rows.map(present), total };
}

async function findProfile({ db, actor }: { db: Db; actor: Actor }, id: number): Promise<ImportProfile | undefined> {
  const { rows } = await sql<Shown>`
    select ${columns} from ${tables} where p.id = ${id} and ${profilesFor(actor)}`.execute(db);
  return rows[0] && present(rows[0]);
}

/** One profile. Throws 404 outside the actor's companies. */
export async function readProfile(ctx: ReadCtx, id: number): Promise<ImportProfile> {
  const found = await findProfile(ctx, id);
  if (!found) throw notFound();
  return found;
}

/** Stores how the file of an import is read. Returns the id of the profile. */
export async function keepProfile(ctx: HandlerCtx<typeof importProfiles.create>, found: ImportRecord): Promise<number> {
  const { entity_id, name } = ctx.body;
  if (!reachesEntity(reachOf(ctx.actor, 'employees.import'), entity_id)) throw invalid('entity_id', messages.selected);
  const mapping = Object.fromEntries(found.columns.map((column) => [column.header, fieldOf(column) ?? null]));
  // everyone who imports for the company can read a profile, even without access to private details
  const defaults = Object.fromEntries(Object.entries(found.defaults).filter(([field]) => !privateFields.has(field)));
  const kept = { mapping, defaults, values: found.values };
  const { id } = await ctx.db
    .insertInto('import_profiles')
    .values({
      entity_id,
      name,
      date_format: found.date_format,
      mapping: JSON.stringify(kept.mapping),
      defaults: JSON.stringify(kept.defaults),
      values: JSON.stringify(kept.values),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordAudit(ctx, {
    action: 'import_profile.created',
    subject_id: id,
    subject_label: name,
    entity_id,
    changes: changesBetween({}, { entity_id, name, date_format: found.date_format, ...kept }),
  });
  return id;
}

/** Deletes a profile; imports that used it stay as they are. */
export async function deleteProfile(ctx: WriteCtx, { id, name, entity_id }: ImportProfile): Promise<void> {
  await ctx.db.deleteFrom('import_profiles').where('id', '=', id).execute();
  await recordAudit(ctx, {
    action: 'import_profile.deleted',
    subject_id: id,
    subject_label: name,
    entity_id,
    changes: changesBetween({ name }, { name: null }),
  });
}

type Sent = {
  profile_id?: number | null | undefined;
  mapping?: Mapping | null | undefined;
  defaults?: Defaults | null | undefined;
  values?: Values | null | undefined;
  date_format?: ImportRecord['date_format'] | undefined;
};

/** The sent settings, on top of those of the profile that they name. Leaves out headings that the file lacks. */
export async function withProfile<Body extends Sent>(
  acting: { db: Db; actor: Actor },
  { profile_id, ...sent }: Body,
  headings: readonly string[],
): Promise<Omit<Body, 'profile_id'>> {
  if (profile_id === undefined || profile_id === null) return sent;
  const profile = await findProfile(acting, profile_id);
  if (!profile) throw invalid('profile_id', messages.selected);
  const known = new Set(headings.map((heading) => heading.toLowerCase()));
  const inFile = <T>(byHeading: Readonly<Record<string, T>> | null) =>
    Object.fromEntries(Object.entries(byHeading ?? {}).filter(([heading]) => known.has(heading.toLowerCase())));
  return {
    ...sent,
    mapping: { ...inFile(profile.mapping), ...sent.mapping },
    values: { ...inFile(profile.values), ...sent.values },
    defaults: { ...profile.defaults, ...sent.defaults },
    date_format: sent.date_format ?? profile.date_format,
  };
}
