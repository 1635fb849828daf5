import { useQuery } from '@tanstack/preact-query';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Budget } from '../api/types.ts';
import { LimitField, numberIn } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { Section } from '../parts/page.tsx';
import { useToast } from '../parts/toast.tsx';
import { LeftBar } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';

const NAMES = { daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly', lifetime: 'Lifetime' } as const;
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
    <Section title="Spending limits" about="Jobs beyond a limit are refused. Leave a limit empty for none.">
      <Loaded query={budgets} what="spending limits" tall>
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
  const toast = useToast();
  return useAction(
    async (limit_usd: number | undefined) => {
      const params = { path: { workspace: workspaceId, interval } };
      const path = '/workspaces/{workspace}/budgets/{interval}';
      if (limit_usd === undefined) await answered(api.DELETE(path, { params }));
      else await answered(api.PUT(path, { params, body: { limit_usd } }));
    },
    ['budgets'],
    () => toast(`${NAMES[interval]} limit saved`),
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
      <LimitField label={`${NAMES[interval]} limit, USD`} of={budget?.limit_usd} />
      <button type="submit" aria-label={`Save the ${interval} limit`} disabled={save.isPending}>
        Save
      </button>
      {budget === undefined ? (
        <small class="quiet">No limit</small>
      ) : (
        <LeftBar name={`${NAMES[interval]} limit`} used={budget.used_usd} limit={budget.limit_usd} />
      )}
      <FailureNote error={save.error} />
    </form>
  );
}
