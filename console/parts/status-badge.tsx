import { words } from './format.ts';

/** The word says it; the colour only repeats it. */
export function StatusBadge({ status }: { readonly status: string }) {
  return <span class={`badge ${status}`}>{words(status)}</span>;
}
