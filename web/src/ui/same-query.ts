import { hashKey } from '@tanstack/react-query';

type Query = Readonly<Record<string, unknown>>;

/** True for queries with the same filters, in any order. */
export const isSameQuery = (one: Query, other: Query): boolean => hashKey([one]) === hashKey([other]);
