import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { listen } from '../listen.ts';

/** Seconds until the whole answer, or an answer that begins and never ends. */
export type Pace = number | 'endless';

/** A server of the `/v1/videos` shape whose videos are never ready. */
export async function openProvider(pace: Pace) {
  let answers = 0;
  const server = createServer(async ({ url = '' }, response) => {
    if (pace === 'endless') return drip(response);
    await wait(pace * 1_000);
    const id = url.split('/').at(-1);
    response.end(JSON.stringify({ id, status: 'in_progress', progress: 50 }));
    answers++;
  });
  const origin = await listen(server);
  return {
    url: `${origin}/v1`,
    answers: () => answers,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function drip(response: ServerResponse): Promise<void> {
  while (!response.destroyed) {
    response.write(' ');
    await wait(1_000);
  }
}
