import { useQuery } from '@tanstack/preact-query';
import { useAction, useSendOnce } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Credits } from '../api/types.ts';
import { ActionForm, Field, numberIn, textIn } from '../parts/form.tsx';
import { usd } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { LeftBar } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';

export function CreditsPage() {
  const { api } = useSession();
  const credits = useQuery({
    queryKey: ['credits'],
    queryFn: async () => (await answered(api.GET('/credits'))).data,
  });
  return (
    <Page title="Credits">
      <div class="sections">
        <Section title="What is left">
          <Loaded query={credits} what="credits">
            {(known) => <WhatIsLeft credits={known} />}
          </Loaded>
        </Section>
        <GrantForm />
      </div>
    </Page>
  );
}

function WhatIsLeft({ credits }: { readonly credits: Credits }) {
  const { total_credits, total_usage, remaining, reserved } = credits;
  if (remaining === null) {
    return (
      <p>
        None have been granted, so credits limit nothing yet. {usd(total_usage)} have been used, and open jobs
        hold {usd(reserved)}.
      </p>
    );
  }
  return (
    <>
      <LeftBar name="Credits" used={total_credits - remaining} limit={total_credits} />
      <p class="quiet">
        {usd(total_usage)} used since the first job, {usd(reserved)} held by open jobs.
      </p>
    </>
  );
}

function GrantForm() {
  const { api } = useSession();
  const send = useSendOnce();
  const grant = useAction(
    (fields: HTMLFormElement) => {
      const body = { amount_usd: numberIn(fields, 'amount') ?? 0, note: textIn(fields, 'note') ?? null };
      return send(body, (key) =>
        answered(api.POST('/credits', { params: { header: { 'Idempotency-Key': key } }, body })),
      );
    },
    ['credits'],
  );
  return (
    <Section title="Grant credits">
      <ActionForm action={grant} submit="Grant" done="The credits are granted.">
        <p class="quiet">From the first grant on, nothing is made that the credits do not cover.</p>
        <Field label="Amount, USD">
          {(field) => <input {...field} name="amount" type="number" min={0} step="any" required />}
        </Field>
        <Field label="Note">{(field) => <input {...field} name="note" />}</Field>
      </ActionForm>
    </Section>
  );
}
