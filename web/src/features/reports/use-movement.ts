import { reports } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { load } from '../../api/query.ts';
import type { ReportsSearch } from './search.ts';

/** The report behind two charts. */
export const useMovement = ({ entity_id, from, to }: ReportsSearch) =>
  useQuery({ ...load(reports.movement, { query: { entity_id, from, to } }), placeholderData: keepPreviousData });
