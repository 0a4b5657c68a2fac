import { employeeImportCorrections, employeeImports, importProfiles, text } from '@tenure/contract';
import { sql } from 'kysely';
import { bind } from '../../http/context.ts';
import { importHandlers } from '../../imports/handlers.ts';
import { findImport } from '../../imports/policy.ts';
import { answerFor } from '../../imports/present.ts';
import { undoImport } from '../../imports/undo.ts';
import { deleteProfile, keepProfile, listProfiles, profilesFor, readProfile } from '../../imports/profiles.ts';
import { taken } from '../../http/look-ups.ts';
import type { Sent } from '../../http/look-ups.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { employeeImportKind } from './kind.ts';
import { sampleFile } from './sample.ts';
import { peopleUndo } from './undo.ts';

const handlers = importHandlers(employeeImportKind);

/** Names are unique within a company; nothing is revealed about names outside the scope. */
const profileName = ({ actor, sent }: Sent) =>
  taken(
    'name',
    sent['name'],
    sql`select from import_profiles p
        where fold(p.name) = fold(${sent['name']}) and ${profilesFor(actor)} and p.entity_id = ${sent['entity_id'] ?? null}::bigint`,
  );

export const importRoutes = [
  bind(importProfiles.list, { handle: async (ctx) => pageOf(ctx, ctx.query, await listProfiles(ctx, ctx.query)) }),
  bind(importProfiles.get, { handle: async (ctx) => read(await readProfile(ctx, ctx.params.id)) }),
  bind(importProfiles.create, {
    find: (ctx) => findImport(employeeImportKind, ctx),
    lookUps: profileName,
    handle: async (ctx, record) => {
      const id = await keepProfile(ctx, record);
      return done(await readProfile(ctx, id), text('imports.profile_kept'));
    },
  }),
  bind(importProfiles.delete, { find: (ctx) => readProfile(ctx, ctx.params.id), handle: deleteProfile }),
  bind(employeeImports.sample, { handle: async ({ query }) => sampleFile(query.format ?? 'csv') }),
  bind(employeeImports.create, handlers.create),
  bind(employeeImports.list, handlers.list),
  bind(employeeImports.get, handlers.get),
  bind(employeeImports.update, handlers.update),
  bind(employeeImports.delete, handlers.delete),
  bind(employeeImports.rows, handlers.rows),
  bind(employeeImports.fixRow, handlers.fixRow),
  bind(employeeImportCorrections.problems, handlers.problems),
  bind(employeeImportCorrections.values, handlers.values),
  bind(employeeImportCorrections.replace, handlers.replace),
  bind(employeeImportCorrections.undoReplacement, handlers.undoReplacement),
  bind(employeeImports.errors, handlers.errors),
  bind(employeeImports.commit, handlers.commit),
  bind(employeeImports.undo, {
    find: (ctx) => findImport(employeeImportKind, ctx, { lock: true }),
    handle: async (ctx, record) => {
      await undoImport(peopleUndo, ctx, record);
      return answerFor(employeeImportKind, ctx);
    },
  }),
];
