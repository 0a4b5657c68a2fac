type Said = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Said =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (said: unknown, name: string): unknown =>
  isObject(said) && Object.hasOwn(said, name) ? said[name] : undefined;

/**
 * A claim by its name, else by a path of names separated by dots, as in `realm_access.roles`. The name comes first,
 * because it may contain dots itself, as URLs do.
 */
export const claimAt = (claims: Said, name: string): unknown =>
  own(claims, name) ?? name.split('.').reduce<unknown>(own, claims);
