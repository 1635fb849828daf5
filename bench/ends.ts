/**
 * How soon a webhook leaves after the provider's end, on a stage of its own with callbacks and on one without: the job's
 * result of about 1 MiB is copied in between. The bar with callbacks: 1.5 s in the middle, 5 s for 99 of 100.
 *
 *   npx node bench/ends.ts [jobs]
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { type RunningStage, startStage } from '../local/stage.ts';
import { textProgress } from '../local/terminal/progress.ts';
import { median } from './median.ts';

const JOBS = Number(process.argv[2] ?? 100);
const AT_ONCE = 6;
/** After five ends with a call the stage relies on calls, from when its functions read the figures anew. */
const WARM_UP = 6;
const FIGURES_MILLISECONDS = 35_000;
const BAR_MILLISECONDS = { median: 1_500, p99: 5_000 };

const eventSchema = v.pipe(v.string(), v.parseJson(), v.object({ data: v.object({ id: v.string() }) }));
const jobSchema = v.object({ id: v.string() });
const historySchema = v.object({ data: v.array(v.object({ status: v.string(), at: v.string() })) });

/** When the webhook of each job came. */
async function openReceiver(came: Map<string, number>) {
  const server = createServer(async (request, response) => {
    const now = Date.now();
    came.set(v.parse(eventSchema, await text(request)).data.id, now);
    response.writeHead(204).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

async function late(stage: RunningStage, callback_url: string, came: ReadonlyMap<string, number>) {
  const seconds = 8 + 6 * Math.random();
  const api = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${stage.apiKey}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return (await fetch(`${stage.baseUrl}${path}`, { headers, ...sent })).json();
  };
  const provider = { options: { sandbox: { latency_s: seconds } } };
  const asked = { model: 'sandbox/clip-1', prompt: 'A red fox', duration: 5, provider, callback_url };
  const { id } = v.parse(jobSchema, await api('/videos', asked));
  while (!came.has(id)) await sleep(100);
  const { data } = v.parse(historySchema, await api(`/videos/${id}/events`));
  const accepted = data.find(({ status }) => status === 'in_progress')?.at ?? '';
  // The sandbox queues work for a second.
  return (came.get(id) ?? 0) - (Date.parse(accepted) + (1 + seconds) * 1000);
}

async function measure(providerCallbacks: 'on' | 'off'): Promise<readonly number[]> {
  const stateDir = await mkdtemp(join(tmpdir(), 'genway-ends-'));
  const came = new Map<string, number>();
  const { server, url } = await openReceiver(came);
  const progress = textProgress(process.stderr, () => performance.now());
  const stage = await startStage({ stateDir, port: 0, settings: { providerCallbacks }, progress });
  try {
    for (let job = 0; job < WARM_UP; job++) await late(stage, url, came);
    await sleep(FIGURES_MILLISECONDS);
    const times: number[] = [];
    const inTurn = async () => {
      while (times.length < JOBS) times.push(await late(stage, url, came));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, inTurn));
    return times.toSorted((a, b) => a - b);
  } finally {
    await stage.stop();
    server.close();
    server.closeAllConnections();
    await rm(stateDir, { recursive: true });
  }
}

const p99 = (times: readonly number[]): number => times[Math.ceil(0.99 * times.length) - 1] ?? 0;

process.stdout.write('| from the end to the webhook, ms | in the middle | 99 of 100 |\n|---|---|---|\n');
for (const callbacks of ['on', 'off'] as const) {
  const times = await measure(callbacks);
  process.stdout.write(`| callbacks ${callbacks} | ${median(times).toFixed()} | ${p99(times).toFixed()} |\n`);
  const { median: most, p99: worst } = BAR_MILLISECONDS;
  if (callbacks === 'on' && (median(times) > most || p99(times) > worst)) process.exitCode = 1;
}
