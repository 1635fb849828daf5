import { insistently } from '../../aws/insist.ts';
import type { DeliverPorts } from './deliver-event.ts';

/**
 * Until an attempt is recorded, AWS is asked for longer than AWS's clients do. If the deliverer gave up, its event
 * would wait minutes for the sweeper. Each write may be repeated, because it recognises its own attempt. Later notes
 * are not worth waiting for; deriving a secret insists by itself.
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
