import type { Binding } from './context.ts';

export type Params = Readonly<Record<string, number | string>>;

/** How the record of an answer is read: by the address that begins the path, or by the one below it. */
export type Reading = { route: Route; params: (params: Params, id: number) => Params | undefined };

export type Route = Binding & {
  write: (value: unknown) => string;
  /** How what it answers with is read again. */
  reading?: Reading | undefined;
};
/** Everything bound to one path, by method. */
export type PathBindings = {
  path: string;
  byMethod: ReadonlyMap<string, Route>;
  allow: string;
  /** Parameters that are words. */
  words: ReadonlySet<string>;
};
