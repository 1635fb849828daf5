import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface PageProps {
  readonly title: string;
  /** Buttons beside the heading. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Page({ title, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Genway console`;
  }, [title]);
  return (
    <div class="page stack">
      <div class="heading">
        <h1>{title}</h1>
        <div class="actions">{actions}</div>
      </div>
      {children}
    </div>
  );
}
