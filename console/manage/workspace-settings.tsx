import { answered } from '../api/client.ts';
import type { Workspace } from '../api/types.ts';
import { useAction } from '../api/use-action.ts';
import { ActionForm } from '../parts/action-form.tsx';
import { Field } from '../parts/field.tsx';
import { textIn } from '../parts/form-values.ts';
import { Section } from '../parts/section.tsx';
import { useSession } from '../session/session.ts';

/** What people call it, and what it is for. Its slug stays: programs know it by that. */
export function WorkspaceSettings({ workspace }: { readonly workspace: Workspace }) {
  const { api } = useSession();
  const { slug, name, description } = workspace;
  const save = useAction(
    (form: HTMLFormElement) => {
      const body = { name: textIn(form, 'name') ?? '', description: textIn(form, 'description') ?? null };
      return answered(api.PATCH('/workspaces/{workspace}', { params: { path: { workspace: slug } }, body }));
    },
    ['workspace', 'workspaces'],
  );
  return (
    <Section title="Settings">
      <ActionForm action={save} submit="Save the settings" done="Saved.">
        <Field label="Name">
          {(field) => <input {...field} key={name} name="name" required defaultValue={name} />}
        </Field>
        <Field label="About">
          {(field) => (
            <input {...field} key={description} name="description" defaultValue={description ?? ''} />
          )}
        </Field>
      </ActionForm>
    </Section>
  );
}
