type Said = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Said =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (said: unknown, name: string): unknown =>
  isObject(said) && Object.hasOwn(said, name) ? said[name] : undefined;

/**
 * A claim by its name, else by a path through objects with dots between the names, as in `realm_access.roles`. The name
 * comes first: it may have dots itself, as addresses have.
 */
export const claimAt = (claims: Said, name: string): unknown =>
  own(claims, name) ?? name.split('.').reduce<unknown>(own, claims);
