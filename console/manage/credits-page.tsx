import { useQuery } from '@tanstack/preact-query';
import { answered } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { useSendOnce } from '../api/use-send-once.ts';
import { ActionForm } from '../parts/action-form.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { Field } from '../parts/field.tsx';
import { numberIn, textIn } from '../parts/form-values.ts';
import { usd } from '../parts/format.ts';
import { LeftBar } from '../parts/left-bar.tsx';
import { Loading } from '../parts/loading.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { useSession } from '../session/session.ts';

export function CreditsPage() {
  const { api } = useSession();
  const { data: credits, error } = useQuery({
    queryKey: ['credits'],
    queryFn: async () => (await answered(api.GET('/credits'))).data,
  });
  return (
    <Page title="Credits">
      <FailureNote error={error} />
      <div class="sections">
        <Section title="What is left">
          {credits === undefined ? (
            <Loading what="credits" />
          ) : credits.remaining === null ? (
            <p>
              None have been granted, so credits limit nothing yet. {usd(credits.total_usage)} have been used,
              and open jobs hold {usd(credits.reserved)}.
            </p>
          ) : (
            <>
              <LeftBar
                name="Credits"
                used={credits.total_credits - credits.remaining}
                limit={credits.total_credits}
              />
              <p class="quiet">
                {usd(credits.total_usage)} used since the first job, {usd(credits.reserved)} held by open
                jobs.
              </p>
            </>
          )}
        </Section>
        <GrantForm />
      </div>
    </Page>
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
      <ActionForm action={grant} submit="Grant">
        <p class="quiet">From the first grant on, nothing is made that the credits do not cover.</p>
        <Field label="Amount, USD">
          {(field) => <input {...field} name="amount" type="number" min={0} step="any" required />}
        </Field>
        <Field label="Note">{(field) => <input {...field} name="note" />}</Field>
      </ActionForm>
    </Section>
  );
}
