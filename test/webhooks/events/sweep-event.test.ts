import { expect, test } from '@jest/globals';
import { sweepEvent } from '../../../functions/webhooks/events/sweep-event.ts';
import { anEvent, START } from './event-fixture.ts';

const { id, workspace_id } = anEvent();

/** What is sent for an overdue row. */
async function sentFor(attempts: unknown): Promise<unknown[]> {
  const sent: unknown[] = [];
  const due = { id, workspace_id, due_at: 1 };
  await sweepEvent(due, {
    sweptRows: {
      find: async () => ({ ...due, sweeps: 0, step: ['token', undefined], row: { ...anEvent(), attempts } }),
      postpone: async () => true,
    },
    quarantine: { add: async () => false },
    countQuarantined: () => undefined,
    queue: { send: async (...message) => void sent.push(message) },
    now: () => START,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  return sent;
}

test.each([
  ['the one after those made', 3, 4],
  ['the first where none was made', 0, 1],
  ['some where nobody can say', 'many', 1],
  ['some where their number cannot be', -1, 1],
])('an overdue event has the message of its next attempt sent at once: %s', async (_, attempts, next) => {
  expect(await sentFor(attempts)).toEqual([[{ v: 1, event_id: id, attempt: next }, workspace_id, 0]]);
});
