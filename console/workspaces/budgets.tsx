import { useQuery } from '@tanstack/preact-query';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Budget } from '../api/types.ts';
import { ActionForm, LimitField, numberIn } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { LimitBar } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';

const NAMES = { daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly', lifetime: 'Lifetime' } as const;
const INTERVALS = ['daily', 'weekly', 'monthly', 'lifetime'] as const;
type Interval = (typeof INTERVALS)[number];

/** The limits are one form: somebody who has typed two saves both. */
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
    <Section
      title="Spending limits"
      about="Genway refuses jobs that could exceed a limit. Jobs on the workspace’s own provider keys count only if you set include_byok_in_budgets to true through the API. Leave a field empty for no limit."
    >
      <Loaded query={budgets} what="spending limits" tall>
        {(known) => <BudgetForm workspaceId={workspaceId} budgets={known} />}
      </Loaded>
    </Section>
  );
}

interface BudgetFormProps {
  readonly workspaceId: string;
  readonly budgets: readonly Budget[];
}

const budgetOf = (budgets: readonly Budget[], interval: Interval) =>
  budgets.find(({ reset_interval }) => (reset_interval ?? 'lifetime') === interval);

/**
 * Only what differs: what nobody has touched may have been changed elsewhere meanwhile. At no time may a shorter interval have
 * a higher limit than a longer one, so what rises comes last, and of that the longest interval first.
 */
function changesIn(form: HTMLFormElement, budgets: readonly Budget[]) {
  const changes = INTERVALS.map((interval) => ({
    interval,
    before: budgetOf(budgets, interval)?.limit_usd,
    after: numberIn(form, interval),
  })).filter(({ before, after }) => before !== after);
  const rises = ({ before = 0, after = 0 }: (typeof changes)[number]) => after > before;
  const removed = changes.filter(({ after }) => after === undefined);
  const lowered = changes.filter((each) => each.after !== undefined && !rises(each));
  return [...removed, ...lowered, ...changes.filter(rises).toReversed()];
}

/** No limit deletes the budget. */
function useSaveBudgets({ workspaceId, budgets }: BudgetFormProps) {
  const { api } = useSession();
  const path = '/workspaces/{workspace}/budgets/{interval}';
  return useAction(
    async (form: HTMLFormElement) => {
      for (const { interval, after: limit_usd } of changesIn(form, budgets)) {
        const params = { path: { workspace: workspaceId, interval } };
        if (limit_usd === undefined) await answered(api.DELETE(path, { params }));
        else await answered(api.PUT(path, { params, body: { limit_usd } }));
      }
    },
    ['budgets'],
  );
}

function BudgetForm(props: BudgetFormProps) {
  const save = useSaveBudgets(props);
  return (
    <ActionForm action={save} submit="Save" done="Spending limits saved">
      {INTERVALS.map((interval) => {
        const budget = budgetOf(props.budgets, interval);
        const label = `${NAMES[interval]} limit`;
        return (
          <div key={interval} class="budget">
            <LimitField label={`${label}, USD`} name={interval} of={budget?.limit_usd} />
            {budget !== undefined && (
              <LimitBar name={label} used={budget.used_usd} limit={budget.limit_usd} />
            )}
          </div>
        );
      })}
    </ActionForm>
  );
}
