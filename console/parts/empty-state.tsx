import type { ComponentChildren } from 'preact';

/** Nothing is here yet, and what to do about it. */
export function EmptyState({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
