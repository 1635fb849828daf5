import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';

const eventSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ type: v.string(), data: v.object({ id: v.string(), status: v.string() }) }),
);

/** The callbacks of one job: by event id, how often it came, and its type. */
export type Told = ReadonlyMap<string, { readonly times: number; readonly type: string }>;

export interface Receiver {
  readonly url: string;
  /** By job. */
  readonly told: ReadonlyMap<string, Told>;
  close(): void;
}

/** One receiver for all jobs, written as a caller should: it answers after it has recorded the event. */
export async function openReceiver(): Promise<Receiver> {
  const told = new Map<string, Map<string, { times: number; type: string }>>();
  const server = createServer(async (request, response) => {
    const { type, data } = v.parse(eventSchema, await text(request));
    const events = told.get(data.id) ?? new Map();
    const eventId = String(request.headers['webhook-id']);
    events.set(eventId, { times: (events.get(eventId)?.times ?? 0) + 1, type });
    told.set(data.id, events);
    response.writeHead(204).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/callback`, told, close };
}
