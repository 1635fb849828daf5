import type { Delivery } from '../api/types.ts';
import type { Action } from '../api/use-action.ts';
import { ActionButton } from './action-button.tsx';
import { dateTime } from './format.ts';
import { ResultNote } from './result-note.tsx';

interface RedeliverButtonProps {
  readonly delivery: Delivery;
  readonly action: Action<undefined>;
}

/** Says which event it sends: a log has many of the same type. */
export function RedeliverButton({ delivery: { type, created_at }, action }: RedeliverButtonProps) {
  return (
    <>
      <ActionButton action={action} label={`Send ${type} again, of ${dateTime(created_at)}`}>
        Send {type} again
      </ActionButton>
      <ResultNote>{action.isSuccess && 'It is on its way.'}</ResultNote>
    </>
  );
}
