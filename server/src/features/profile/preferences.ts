import { maxPreferencesSize, text } from '@tenure/contract';
import type { BodyOut, Preferences, profile } from '@tenure/contract';
import { changesBetween, record } from '../../audit.ts';
import type { WriteCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';

type Sent = NonNullable<BodyOut<typeof profile.update>['preferences']>;

/** Merges sent values into `kept`; null deletes a value. */
function overlaid(kept: object, sent: object): Record<string, unknown> {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    Object.entries({ ...kept, ...Object.fromEntries(given) }).filter(([, value]) => value !== null),
  );
}

/** Merges an update into the preferences; missing values of each list are kept. */
function merged(kept: Preferences, { lists, ...sent }: Sent): Preferences {
  const after: Preferences = overlaid(kept, sent);
  if (lists === undefined) return after;
  const changed = Object.entries(lists ?? {}).map(([list, choice]) => [
    list,
    choice && overlaid(kept.lists?.[list as keyof typeof kept.lists] ?? {}, choice),
  ]);
  const all = lists === null ? {} : overlaid(kept.lists ?? {}, Object.fromEntries(changed) as object);
  const { lists: _before, ...rest } = after;
  return Object.keys(all).length > 0 ? { ...rest, lists: all } : rest;
}

/** Stores the caller's display preferences. */
export async function updatePreferences({ db, actor, request }: WriteCtx, sent: Sent): Promise<void> {
  const { preferences: before } = await db
    .selectFrom('users')
    .select('preferences')
    .$narrowType<{ preferences: Preferences }>()
    .where('id', '=', actor.user_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const after = merged(before, sent);
  const stored = JSON.stringify(after);
  if (Buffer.byteLength(stored) > maxPreferencesSize)
    throw invalid('preferences', text('validation.kilobytes', { most: maxPreferencesSize / 1_024 }));
  const all = {
    appearance: null,
    density: null,
    start_page: null,
    lists: null,
    guide: null,
    birthday: null,
    home: null,
  };
  const changes = changesBetween(before, { ...all, ...after });
  if (Object.keys(changes).length === 0) return;
  await db.updateTable('users').set({ preferences: stored }).where('id', '=', actor.user_id).execute();
  await record(
    { db, actor, request },
    { action: 'account.updated', subject_id: actor.user_id, subject_label: actor.name, changes },
  );
}
