import { evaluationSteps, kpiEvidence } from '@tenure/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { itemOf, serve } from '../testing/service.ts';
import { useSend } from './query.ts';

const wrapper = ({ children }: { children: React.ReactNode }) => (
  <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
);
const accept = 'POST /api/kpi-evaluations/9/accept';
const evidence = 'POST /api/kpi-evaluations/9/evidence';

test('a second click before the answer sends nothing again, and is answered once', async () => {
  const service = serve({ [accept]: itemOf({ id: 9 }) });
  const { result } = renderHook(() => useSend(evaluationSteps.accept), { wrapper });
  const onSuccess = vi.fn<() => void>();
  const input = () => ({ params: { id: 9 }, body: { revision: 3 } });
  result.current.mutate(input(), { onSuccess });
  result.current.mutate(input(), { onSuccess });
  await waitFor(() => expect(result.current.isSuccess).toBe(true));
  expect(service.to(accept)).toHaveLength(1);
  expect(onSuccess).toHaveBeenCalledTimes(1);
  await result.current.mutateAsync(input());
  expect(service.to(accept)).toHaveLength(2);
});

test('after a refusal the same is sent again', async () => {
  const service = serve({ [accept]: { status: 500, body: { message: 'Something went wrong.' } } });
  const { result } = renderHook(() => useSend(evaluationSteps.accept), { wrapper });
  const input = { params: { id: 9 }, body: { revision: 3 } };
  for (const count of [1, 2]) {
    await expect(result.current.mutateAsync(input)).rejects.toThrow('Something went wrong.');
    expect(service.to(accept)).toHaveLength(count);
  }
});

test('what differs, and another file, is sent beside what is on its way', async () => {
  const service = serve({ [accept]: itemOf({ id: 9 }), [evidence]: itemOf({ id: 1 }) });
  const { result } = renderHook(() => ({ accept: useSend(evaluationSteps.accept), add: useSend(kpiEvidence.create) }), {
    wrapper,
  });
  const accepted = (revision: number) => result.current.accept.mutateAsync({ params: { id: 9 }, body: { revision } });
  await Promise.all([accepted(3), accepted(4), accepted(3)]);
  expect(service.to(accept)).toHaveLength(3);
  const added = (file: File) => result.current.add.mutateAsync({ params: { id: 9 }, body: {}, file });
  const [first, second] = [new File(['1'], 'a.pdf'), new File(['2'], 'a.pdf')];
  await Promise.all([added(first), added(second), added(second)]);
  expect(service.to(evidence)).toHaveLength(2);
});
