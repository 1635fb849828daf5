import { insistently } from '../../aws/insist.ts';
import type { DeliverPorts } from './deliver-event.ts';

/**
 * What an attempt asks of AWS until it is recorded, asked for longer than AWS's clients do: a deliverer that gives
 * up leaves its event to the sweeper, minutes later. Each write may be repeated, because it knows its own attempt.
 * Nothing waits for what is noted afterwards. The secrets are as insistent as what derives them.
 */
export function insistentPorts(
  ports: DeliverPorts,
  pause: (milliseconds: number) => Promise<void>,
): DeliverPorts {
  const { events, lanes, streaks, queue } = ports;
  const insisting = insistently(pause);
  return {
    ...ports,
    events: {
      find: insisting((id) => events.find(id)),
      claim: insisting((...claim) => events.claim(...claim)),
      postpone: insisting((...wait) => events.postpone(...wait)),
      record: insisting((...attempt) => events.record(...attempt)),
      closeUndeliverable: insisting((event) => events.closeUndeliverable(event)),
    },
    destinationOf: insisting((event) => ports.destinationOf(event)),
    broadcast: insisting((event) => ports.broadcast(event)),
    lanes: {
      enter: insisting((...place) => lanes.enter(...place)),
      leave: (...place) => lanes.leave(...place),
    },
    streaks: {
      find: insisting((...host) => streaks.find(...host)),
      extend: (...failure) => streaks.extend(...failure),
      end: (...host) => streaks.end(...host),
    },
    queue: { send: insisting((...message) => queue.send(...message)) },
  };
}
