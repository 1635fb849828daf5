import type { ComponentChildren } from 'preact';

/** Says what became of something. It is there while it is empty too: screen readers tell what changes in a place that they know. */
export function ResultNote({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="result" role="status">
      {children}
    </p>
  );
}
