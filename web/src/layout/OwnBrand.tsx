import { brand } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { load } from '../api/query.ts';
import { showBrand } from '../ui/brand.ts';

const fiveMinutes = 300_000;

/** Shows the brand of the user's company, and follows its changes. */
export function OwnBrand() {
  const { data } = useQuery({ ...load(brand.own, {}), staleTime: fiveMinutes });
  useEffect(() => {
    // if its colours cannot be loaded, the current ones stay
    if (data) void showBrand(data.data).catch(() => {});
  }, [data]);
  return null;
}
