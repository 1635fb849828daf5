import { useQuery } from '@tanstack/preact-query';
import { useRef, useState } from 'preact/hooks';
import { useSendOnce } from '../api/action.ts';
import { answered, type SendOnce } from '../api/client.ts';
import type { AuditEvent, Credits } from '../api/types.ts';
import { useAudit } from '../audit/audit-page.tsx';
import { useNames } from '../keys/use-keys.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, numberIn, textIn } from '../parts/form.tsx';
import { usd } from '../parts/format.ts';
import { Loaded, MoreButton, NoneFound } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { LimitBar, Totals, When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';

export function CreditsPage() {
  const { api } = useSession();
  const credits = useQuery({
    queryKey: ['credits'],
    queryFn: async () => (await answered(api.GET('/credits'))).data,
  });
  return (
    <Page title="Credits">
      <Loaded query={credits} what="credits">
        {(known) => <Balance credits={known} />}
      </Loaded>
      <div class="sections">
        <GrantForm />
        <Grants />
      </div>
    </Page>
  );
}

function Balance({ credits }: { readonly credits: Credits }) {
  const { total_credits, total_usage, remaining, reserved } = credits;
  const left =
    remaining === null ? (
      <small class="quiet">No credits granted yet, so credits do not limit jobs.</small>
    ) : (
      <LimitBar name="Credits" used={total_credits - remaining} limit={total_credits} />
    );
  return (
    <Totals
      facts={[
        ['Remaining', remaining === null ? 'Unlimited' : usd(remaining), left],
        ['Granted', usd(total_credits)],
        ['Cost of all jobs', usd(total_usage)],
        ['Held by open jobs', usd(reserved)],
      ]}
    />
  );
}

const KEPT_MILLISECONDS = 400 * 86_400_000;

/** Who granted what. Only the audit trail says it; repeats of a request granted nothing, and have no change there. */
function Grants() {
  const [since] = useState(() => new Date(Date.now() - KEPT_MILLISECONDS).toISOString().slice(0, 10));
  const list = useAudit(since, 'grant-credits');
  const nameOf = useNames();
  const rowOf = ({ request_id, at, key_hash, changes = [] }: AuditEvent) => ({
    key: request_id,
    cells: [
      <When key="at" at={at} />,
      usd(Number(changes.find(({ field }) => field === 'amount_usd')?.to)),
      nameOf(key_hash),
    ],
  });
  return (
    <Section
      title="Grants"
      about="Grants from this console and the API in the last 400 days. Grants from the command line are not listed."
    >
      <Loaded query={list} what="grants">
        {({ pages }) => {
          const grants = pages.flatMap(({ data }) =>
            data.filter(({ status, changes = [] }) => status === 200 && changes.length > 0),
          );
          if (grants.length === 0)
            return (
              <NoneFound list={list} what="grants">
                <p class="quiet">No grants to show.</p>
              </NoneFound>
            );
          const columns = ['Time', 'Amount', 'Key'];
          return (
            <Table columns={columns} amounts={['Amount']} label="Granted credits" rows={grants.map(rowOf)} />
          );
        }}
      </Loaded>
      <MoreButton list={list} />
    </Section>
  );
}

interface Grant {
  readonly amount_usd: number;
  readonly note: string | null;
}

/** Asks once more with the amount: credits cannot be taken back. */
function GrantForm() {
  const form = useRef<HTMLFormElement>(null);
  // Of the form, not of the dialog: whoever closes it after a lost answer and grants again means the same grant.
  const send = useSendOnce();
  const [asked, setAsked] = useState<Grant>();
  return (
    <Section
      title="Grant credits"
      about="After the first grant, Genway refuses jobs that could use more credits than remain."
    >
      <form
        ref={form}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const { currentTarget: fields } = event;
          setAsked({ amount_usd: numberIn(fields, 'amount') ?? 0, note: textIn(fields, 'note') ?? null });
        }}
      >
        <Field label="Amount, USD">
          {(field) => <input {...field} name="amount" type="number" min={0} step="any" required />}
        </Field>
        <Field label="Note">{(field) => <input {...field} name="note" />}</Field>
        <div class="actions">
          <button class="primary" type="submit">
            Grant
          </button>
        </div>
      </form>
      {asked !== undefined && (
        <Dialog title={`Grant ${usd(asked.amount_usd)}?`} onClose={() => setAsked(undefined)}>
          <ConfirmGrant
            grant={asked}
            send={send}
            onDone={() => form.current?.reset()}
            onClose={() => setAsked(undefined)}
          />
        </Dialog>
      )}
    </Section>
  );
}

interface ConfirmGrantProps {
  readonly grant: Grant;
  readonly send: SendOnce;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function ConfirmGrant({ grant, send, onDone, onClose }: ConfirmGrantProps) {
  const { api } = useSession();
  const amount = usd(grant.amount_usd);
  return (
    <Confirm
      label={`Grant ${amount}`}
      stale={['credits', 'audit']}
      done={`${amount} granted`}
      onDone={onDone}
      onClose={onClose}
      act={() =>
        send(grant, (key) =>
          answered(api.POST('/credits', { params: { header: { 'Idempotency-Key': key } }, body: grant })),
        )
      }
    >
      <p>
        Adds <b>{amount}</b> to the balance of the whole deployment. A grant cannot be revoked.
      </p>
    </Confirm>
  );
}
