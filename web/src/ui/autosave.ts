import { ApiError, isOutdated } from '../api/api-error.ts';
import { compareVersions, type Difference, type Texts } from './versions.ts';

/** The service's version of the side that is written here. */
type Base<Side> = { side: Side | undefined; texts: Texts; revision: number };
type Conflict<Side> = { theirs: Base<Side>; differences: Difference[]; merged: Texts };

export type AutosaveState<Side extends string = string> = {
  base: Base<Side>;
  values: Texts;
  phase: 'still' | 'unsaved' | 'saving' | 'saved' | 'failed';
  savedAt: Date | undefined;
  error: ApiError | undefined;
  /** The service's messages by field name. */
  errors: Readonly<Record<string, string>>;
  conflict: Conflict<Side> | undefined;
  /** Edits for an earlier step, which can no longer be saved. */
  unsavable: Texts | undefined;
};

/** New texts, or a function of the current ones. */
export type Change = Texts | ((now: Texts) => Texts);

/** The draft that is kept when a session ends. */
export type AutosaveDraft<Side extends string = string> = Pick<AutosaveState<Side>, 'base' | 'values'>;

/** How a record is converted to texts and back to a request body. */
export type DraftOptions<Row, Body, Side extends string> = {
  /** The side that the user may write now; undefined if the record is read-only. */
  sideOf: (row: Row) => Side | undefined;
  textsOf: (row: Row, side: Side) => Texts;
  bodyOf: (values: Texts, changed: readonly string[], side: Side) => Body;
  /** Maps messages about a request body to form names, if those differ. */
  namedErrors?: (errors: Readonly<Record<string, string>>, changed: readonly string[]) => Record<string, string>;
};

type Saving<Row, Body> = { send: (body: Body & { revision: number }) => Promise<Row>; reread: () => Promise<Row> };

const pause = 800;
const retryDelay = 15_000;

/** The names of the texts that differ. */
const changedNames = (base: Texts, values: Texts): string[] =>
  Object.keys(values).filter((name) => (values[name] ?? '').trim() !== (base[name] ?? '').trim());

const changedTexts = ({ base, values }: AutosaveDraft): Texts =>
  Object.fromEntries(changedNames(base.texts, values).map((name) => [name, values[name] ?? '']));

type Store<Side extends string> = ReturnType<typeof createStore<Side>>;

/** The state of a draft and its subscribers. */
function createStore<Side extends string>(start: AutosaveState<Side>) {
  let state = start;
  const listeners = new Set<() => void>();
  return {
    read: () => state,
    set: (patch: Partial<AutosaveState<Side>>) => {
      state = { ...state, ...patch };
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isDirty: () => changedNames(state.base.texts, state.values).length > 0,
  };
}

function startOf<Side extends string>(fresh: Base<Side>, kept: AutosaveDraft<Side> | undefined): AutosaveState<Side> {
  const start = kept && kept.base.side === fresh.side ? kept : { base: fresh, values: fresh.texts };
  return {
    ...start,
    phase: changedNames(start.base.texts, start.values).length > 0 ? 'unsaved' : 'still',
    savedAt: undefined,
    error: undefined,
    errors: {},
    conflict: undefined,
    unsavable: kept && start !== kept ? changedTexts(kept) : undefined,
  };
}

type Answers<Row, Side extends string> = ReturnType<typeof followAnswers<Row, Side>>;

/** Merges answers of the service into the draft. Over 40 lines: four steps around one store. */
function followAnswers<Row, Side extends string>(store: Store<Side>, baseOf: (row: Row) => Base<Side>) {
  const { read, set, isDirty } = store;

  /** The sent texts become the base as they were typed; other fields come from the answer. */
  const adopt = (answer: Row, sent: Texts) => {
    const next = baseOf(answer);
    const { values: now, base } = read();
    const touched = (name: string) => name in sent || (now[name] ?? '') !== (base.texts[name] ?? '');
    const values = Object.fromEntries(
      Object.entries(next.texts).map(([name, text]) => [name, touched(name) ? (now[name] ?? '') : text]),
    );
    set({ base: { ...next, texts: { ...next.texts, ...sent } }, values, savedAt: new Date() });
    set({ phase: isDirty() ? 'unsaved' : 'saved', error: undefined, errors: {} });
  };
  const moveToUnsavable = (next: Base<Side>) => {
    const lost = changedTexts(read());
    set({ base: next, values: next.texts, phase: 'still', error: undefined, errors: {}, conflict: undefined });
    if (Object.keys(lost).length > 0) set({ unsavable: { ...read().unsavable, ...lost } });
  };

  /** Merges another version into this one; false if the user must resolve a conflict. */
  const merge = (answer: Row): boolean => {
    const theirs = baseOf(answer);
    const { base, values } = read();
    if (theirs.side !== base.side) {
      moveToUnsavable(theirs);
      return false;
    }
    const { merged, differences } = compareVersions(base.texts, values, theirs.texts);
    if (differences.length > 0) {
      set({ phase: 'failed', error: undefined, conflict: { theirs, differences, merged } });
      return false;
    }
    set({ base: theirs, values: merged });
    return true;
  };

  /** The record was refetched. */
  const newer = (answer: Row) => {
    const next = baseOf(answer);
    const { base } = read();
    if (next.side !== base.side) moveToUnsavable(next);
    else if (next.revision > base.revision && !isDirty()) set({ base: next, values: next.texts });
  };
  return { adopt, merge, newer };
}

/** Sends unsaved changes, one request at a time. Over 40 lines: the steps call each other and share one timer. */
function createSender<Row, Body extends object, Side extends string>(
  { read, set, isDirty }: Store<Side>,
  { adopt, merge }: Answers<Row, Side>,
  { bodyOf, namedErrors }: Pick<DraftOptions<Row, Body, Side>, 'bodyOf' | 'namedErrors'>,
  { send, reread }: Saving<Row, Body>,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let under: Promise<boolean> | undefined;
  const later = (wait: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), wait);
  };
  const refused = async (problem: unknown, changed: readonly string[]): Promise<boolean> => {
    if (!(problem instanceof ApiError)) throw problem;
    const isStale: boolean = isOutdated(problem, read().base.revision);
    if (isStale) return merge(await reread()) ? attempt() : false;
    const { fieldErrors } = problem;
    set({ phase: 'failed', error: problem, errors: namedErrors?.(fieldErrors, changed) ?? fieldErrors });
    if (problem.status === 0 || problem.status === 429 || problem.status >= 500) later(retryDelay);
    return false;
  };
  const attempt = async (): Promise<boolean> => {
    const { base, values, savedAt } = read();
    const changed = changedNames(base.texts, values);
    if (!base.side || changed.length === 0) {
      set({ phase: savedAt ? 'saved' : 'still', error: undefined, errors: {} });
      return !isDirty();
    }
    set({ phase: 'saving' });
    const sent = Object.fromEntries(changed.map((name) => [name, values[name] ?? '']));
    try {
      adopt(await send({ ...bodyOf(values, changed, base.side), revision: base.revision }), sent);
    } catch (problem) {
      return refused(problem, changed);
    }
    if (isDirty()) later(pause);
    return true;
  };
  const attemptOrFail = async (): Promise<boolean> => {
    try {
      return await attempt();
    } catch (problem) {
      // the other version could not be read
      set({ phase: 'failed', error: problem instanceof ApiError ? problem : undefined });
      later(retryDelay);
      return false;
    }
  };
  const save = (): Promise<boolean> => {
    clearTimeout(timer);
    if (read().conflict) return Promise.resolve(false);
    under ??= attemptOrFail().finally(() => {
      under = undefined;
    });
    return under;
  };
  return { later, save, underWay: () => under, stop: () => clearTimeout(timer) };
}

/**
 * The draft of one record, which saves itself shortly after the last change, one request at a time. Concurrent changes
 * are merged. If both changed the same field, there is a `conflict`, and no request is sent until it is resolved.
 * Over 40 lines: it lists what a form can do with the parts above.
 */
export function createAutosave<Row extends { revision: number }, Body extends object, Side extends string>(
  row: Row,
  plan: DraftOptions<Row, Body, Side>,
  saving: Saving<Row, Body>,
  kept?: AutosaveDraft<Side>,
) {
  const baseOf = (one: Row): Base<Side> => {
    const side = plan.sideOf(one);
    return { side, texts: side ? plan.textsOf(one, side) : {}, revision: one.revision };
  };
  const store = createStore(startOf(baseOf(row), kept));
  const { read, set, isDirty } = store;
  const answers = followAnswers(store, baseOf);
  const { later, save, underWay, stop } = createSender(store, answers, plan, saving);
  return {
    subscribe: store.subscribe,
    read,
    isDirty,
    change: (wanted: Change) => {
      const { base, values, errors: before } = read();
      // an undo may come after the record became read-only
      if (!base.side) return;
      const patch = typeof wanted === 'function' ? wanted(values) : wanted;
      const errors = Object.fromEntries(Object.entries(before).filter(([name]) => !(name in patch)));
      set({ values: { ...values, ...patch }, errors, phase: 'unsaved' });
      later(pause);
    },
    /** Saves all unsaved changes; true if none is left. */
    flush: async (): Promise<boolean> => {
      const sending = underWay();
      if (sending) await sending;
      // oxlint-disable-next-line no-await-in-loop -- one request at a time
      while (isDirty()) if (!(await save())) return false;
      return true;
    },
    /** The record was refetched. */
    newer: (answer: Row) => {
      if (!underWay() && !read().conflict) answers.newer(answer);
    },
    /** Continues with the values chosen in a conflict. */
    resolve: (chosen: Texts) => {
      const { conflict } = read();
      if (!conflict) return;
      set({ base: conflict.theirs, values: { ...conflict.merged, ...chosen }, conflict: undefined, phase: 'unsaved' });
      void save();
    },
    backToForm: () => set({ conflict: undefined, phase: 'failed' }),
    discardUnsavable: () => set({ unsavable: undefined }),
    stop,
  };
}

export type Autosave<Row extends { revision: number }, Side extends string = string> = ReturnType<
  typeof createAutosave<Row, object, Side>
>;
