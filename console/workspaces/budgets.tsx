import { useQuery } from '@tanstack/preact-query';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Budget } from '../api/types.ts';
import { Field, numberIn } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { FailureNote, ResultNote } from '../parts/notes.tsx';
import { Section } from '../parts/page.tsx';
import { LeftBar } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';

const INTERVALS = ['daily', 'weekly', 'monthly', 'lifetime'] as const;
type Interval = (typeof INTERVALS)[number];

export function Budgets({ workspaceId }: { readonly workspaceId: string }) {
  const { api } = useSession();
  const budgets = useQuery({
    queryKey: ['budgets', workspaceId],
    queryFn: async () => {
      const params = { path: { workspace: workspaceId } };
      return (await answered(api.GET('/workspaces/{workspace}/budgets', { params }))).data;
    },
  });
  return (
    <Section title="Budgets">
      <p class="quiet">What the workspace may spend. Empty and saved: no such limit.</p>
      <Loaded query={budgets} what="budgets" tall>
        {(known) =>
          INTERVALS.map((interval) => (
            <BudgetRow
              key={interval}
              workspaceId={workspaceId}
              interval={interval}
              budget={known.find(({ reset_interval }) => (reset_interval ?? 'lifetime') === interval)}
            />
          ))
        }
      </Loaded>
    </Section>
  );
}

interface BudgetRowProps {
  readonly workspaceId: string;
  readonly interval: Interval;
  readonly budget: Budget | undefined;
}

/** No limit deletes the budget. */
function useSaveBudget(workspaceId: string, interval: Interval) {
  const { api } = useSession();
  return useAction(
    async (limit_usd: number | undefined) => {
      const params = { path: { workspace: workspaceId, interval } };
      const path = '/workspaces/{workspace}/budgets/{interval}';
      if (limit_usd === undefined) await answered(api.DELETE(path, { params }));
      else await answered(api.PUT(path, { params, body: { limit_usd } }));
    },
    ['budgets'],
  );
}

function BudgetRow({ workspaceId, interval, budget }: BudgetRowProps) {
  const save = useSaveBudget(workspaceId, interval);
  return (
    <form
      class="budget"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(numberIn(event.currentTarget, 'limit'));
      }}
    >
      <Field label={`${interval}, USD`}>
        {(field) => (
          <input
            {...field}
            name="limit"
            type="number"
            min={0}
            step="any"
            placeholder="none"
            defaultValue={budget?.limit_usd ?? ''}
            key={budget?.limit_usd}
          />
        )}
      </Field>
      <button type="submit" aria-label={`Save the ${interval} budget`} disabled={save.isPending}>
        Save
      </button>
      {budget === undefined ? (
        <small class="quiet">no limit</small>
      ) : (
        <LeftBar name={`${interval} budget`} used={budget.used_usd} limit={budget.limit_usd} />
      )}
      <FailureNote error={save.error} />
      <ResultNote>{save.isSuccess && 'Saved.'}</ResultNote>
    </form>
  );
}
