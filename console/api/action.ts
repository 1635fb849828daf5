import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { type SendOnce, sendOnce } from './client.ts';

/** What a button or a form needs of a change. */
export interface Action<Input> {
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly isSuccess: boolean;
  mutate(input: Input): void;
  mutateAsync(input: Input): Promise<unknown>;
}

/** A change, and what it makes stale. */
export function useAction<Input, Result>(
  act: (input: Input) => Promise<Result>,
  stale: readonly string[],
  onDone: (result: Result) => void = () => undefined,
) {
  const queries = useQueryClient();
  return useMutation<Result, Error, Input>({
    mutationFn: act,
    onSuccess: async (result) => {
      onDone(result);
      const changed = stale.map(async (name) => {
        // A first load that is still under way would be taken for the new one, though it began before the change.
        await queries.cancelQueries({ queryKey: [name] });
        await queries.invalidateQueries({ queryKey: [name] });
      });
      await Promise.all(changed);
    },
  });
}

/** For one form: whoever opens it anew and fills it in alike wants the same once more. */
export function useSendOnce(): SendOnce {
  const [send] = useState(() => sendOnce(() => crypto.randomUUID()));
  return send;
}
