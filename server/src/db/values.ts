/** Fields without those that were not sent: an absent field keeps its value or gets its default. */
export type Sent<T> = { [K in keyof T]: Exclude<T[K], undefined> };

export const sentOf = <T extends object>(fields: T): Sent<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Sent<T>;
