import { EmptyState } from '../parts/empty-state.tsx';

/** A deployment without providers makes no videos. */
export function NoModels({ title }: { readonly title: string }) {
  return (
    <EmptyState title={title}>
      <p>
        The deployer names providers in <code>videos</code> of <code>config/stages/&lt;stage&gt;.json</code>.
      </p>
    </EmptyState>
  );
}
