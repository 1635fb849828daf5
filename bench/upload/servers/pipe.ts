import { Agent, createServer, request } from 'node:http';
import { BUCKET, report, SINK } from '../reporting.ts';

/** The yardstick: passes the body on as it arrives, and looks at nothing. */
const agent = new Agent({ keepAlive: true });
await report(
  createServer((incoming, response) => {
    const onward = request(`${SINK}/${BUCKET}/pipe`, { method: 'PUT', agent });
    onward.once('response', (answer) => answer.pipe(response));
    incoming.pipe(onward);
  }),
);
