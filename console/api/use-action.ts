import { useMutation, useQueryClient } from '@tanstack/preact-query';

/** What a button or a form needs of a change. */
export interface Action<Input> {
  readonly error: Error | null;
  readonly isPending: boolean;
  mutate(input: Input, then?: { onSuccess(): void }): void;
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
      await Promise.all(stale.map((name) => queries.invalidateQueries({ queryKey: [name] })));
    },
  });
}
