import { answered } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { useSendOnce } from '../api/use-send-once.ts';
import { ActionForm } from '../parts/action-form.tsx';
import { Field } from '../parts/field.tsx';
import { textIn } from '../parts/form-values.ts';
import { useGoOn } from '../parts/use-go-on.ts';
import { useSession } from '../session/session.ts';

export function NewWorkspace() {
  const { api } = useSession();
  const send = useSendOnce();
  const goOn = useGoOn();
  const create = useAction(
    (form: HTMLFormElement) => {
      const body = {
        name: textIn(form, 'name') ?? '',
        slug: textIn(form, 'slug') ?? '',
        description: textIn(form, 'description') ?? null,
      };
      return send(body, (key) =>
        answered(api.POST('/workspaces', { params: { header: { 'Idempotency-Key': key } }, body })),
      );
    },
    ['workspaces'],
    ({ data }) => goOn(`/workspaces/${data.slug}`),
  );
  return (
    <ActionForm action={create} submit="Create" kind="primary">
      <Field label="Name">{(field) => <input {...field} name="name" required />}</Field>
      <Field label="Slug" hint="Lower-case letters, digits and hyphens; nobody else here may have it">
        {(field) => <input {...field} name="slug" required spellcheck={false} />}
      </Field>
      <Field label="About">{(field) => <input {...field} name="description" />}</Field>
    </ActionForm>
  );
}
