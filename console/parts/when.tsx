import { dateTime } from './format.ts';

/** A moment in the reader's time; the exact one is in the tooltip. */
export function When({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {dateTime(at)}
    </time>
  );
}
