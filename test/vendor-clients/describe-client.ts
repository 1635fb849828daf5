import { describe, expect, test } from '@jest/globals';
import type { ProviderContext, ProviderJob } from '../../functions/videos/providers/provider.ts';
import { providerOf } from '../../functions/videos/providers/registry.ts';
import type { Received } from '../local-server.ts';
import { type Answer, aProviderJob, json, WireServer } from '../videos/providers/wire-server.ts';
import { type VendorName, type Wire, wiresFor } from '../videos/providers/wires.ts';

/** A vendor's own client, and what it and our adapter must agree on. */
export interface VendorClient {
  readonly vendor: VendorName;
  readonly client: string;
  /** @default model-1 */
  readonly model?: string;
  readonly context?: (at: string) => Partial<ProviderContext>;
  /** The same request in our words and in the client's; its route, where it is not the usual one. */
  readonly asks: readonly (readonly [
    what: string,
    job: Partial<ProviderJob>,
    ask: (at: string) => Promise<unknown>,
    route?: string,
  ])[];
  /** Asks for a video, waits for it, and returns its address. @throws where there is none */
  readonly make: (at: string) => Promise<string | undefined>;
  /** The answer to a poll of work that failed as `It broke`, and that about its result, if that has its own route. */
  readonly failed: object;
  /** What the client makes of that. @default the reason */
  readonly says?: string;
  readonly failedResult?: Answer;
  readonly cancel?: (at: string) => Promise<unknown>;
  /** Removes from a request what may differ; say why. */
  readonly even?: (sent: Sent) => Sent;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The transport's headers, and those by which a client names itself. Every other header counts. */
const MEANINGLESS =
  /^(host|connection|content-length|accept.*|user-agent|sec-fetch-mode|x-stainless-.*|x-goog-api-client|cache-control|pragma)$/;

async function sentBy({ method, url, headers, body }: Received): Promise<Sent> {
  const counting = Object.entries(headers).filter(([name]) => !MEANINGLESS.test(name));
  const type = headers['content-type'] ?? '';
  const parsed = type.startsWith('multipart/')
    ? await fieldsOf(new Response(body, { headers: { 'content-type': type } }))
    : body && JSON.parse(body);
  const all = body === '' ? counting.filter(([name]) => name !== 'content-type') : counting;
  const named = all.map(([name, value]) => [name, String(value).replace(/; ?(boundary|charset)=.*/, '')]);
  return { method, path: url, headers: Object.fromEntries(named), body: parsed };
}

/** The fields of a form; of a file its type, its name and its text. */
async function fieldsOf(form: Response): Promise<object> {
  const fields = [...(await form.formData())].map(async ([name, value]) => [
    name,
    typeof value === 'string' ? value : [value.type, value.name, await value.text()],
  ]);
  return Object.fromEntries(await Promise.all(fields));
}

/** What comes after a submit. */
async function differentPolls(
  [, ...polls]: readonly Received[],
  even: (sent: Sent) => Sent,
): Promise<readonly Sent[]> {
  const sent = (await Promise.all(polls.map(sentBy))).map(even);
  return [...new Map(sent.map((each) => [JSON.stringify([each.method, each.path]), each])).values()];
}

const ID = 't1';
const RESULT = 'https://result.example/v.mp4';

/** The vendor, as our tests know it. */
async function vendorServer({ vendor, model = 'model-1' }: VendorClient) {
  const wire: Wire = wiresFor(ID)[vendor];
  const at = (route: string) => route.replace('model-1', model);
  const server = await WireServer.open();
  const polled = (...answers: object[]) => {
    const exchanges = answers.map((answer) => json(200, answer));
    // One client asks for logs, or for none, with its poll.
    for (const query of ['', '?logs=0', '&stream=false']) server.on(at(wire.poll) + query, ...exchanges);
  };
  server.on(at(wire.submit), json(200, wire.created));
  if (wire.result !== undefined) server.on(at(wire.result[0]), json(200, wire.result[1](RESULT)));
  if (wire.cancel !== undefined) server.on(at(wire.cancel), json(200, wire.told(wire.words[3] ?? '', '')));
  return { server, wire, polled, base: `${server.origin}${wire.base ?? ''}` };
}

export function describeClient(given: VendorClient): void {
  const {
    vendor,
    client,
    model = 'model-1',
    context = () => ({}),
    even = (sent: Sent) => sent,
    says = 'It broke',
  } = given;
  const provider = providerOf(vendor);
  const jobOf = (change: Partial<ProviderJob>) => aProviderJob({ upstreamModel: model, ...change });

  const firstJob = () => jobOf(given.asks[0]?.[1] ?? {});

  describe(`${vendor}, asked by ${client}`, () => {
    test.each(given.asks)('gets the same request: %s', async (...[, job, ask, route]) => {
      const { server, wire, polled, base } = await vendorServer(given);
      await using _closed = server;
      if (route !== undefined) server.on(route, json(200, wire.created));
      polled(wire.told(wire.words[2], RESULT));
      await provider.submit(jobOf(job), server.context(wire.base ?? '', context(server.origin)));
      await ask(base);
      const [ours, theirs] = await Promise.all(server.requests.slice(0, 2).map(sentBy));
      expect(even(theirs!)).toEqual(even(ours!));
    });

    test('is asked at the same path where a stage names no address', async () => {
      const { server, wire } = await vendorServer(given);
      await using _closed = server;
      let asked: string | undefined;
      const fetch = async (url: string | URL | Request) => {
        asked = new URL(String(url)).pathname;
        return Response.json(wire.created);
      };
      const { settings, ...others }: Partial<ProviderContext> = context(server.origin);
      const { base_url: _, ...unnamed } = { credential: 'workspace' as const, ...settings };
      await provider.submit(firstJob(), server.context('', { ...others, settings: unnamed, fetch }));
      expect(`POST ${asked}`).toBe(wire.submit.replace('model-1', model));
    });

    test('is asked alike until the video is there, and understood alike', async () => {
      const { server, wire, polled, base } = await vendorServer(given);
      await using _closed = server;
      const [queued, running, succeeded] = wire.words;
      const states = [queued, running, succeeded].map((word) => wire.told(word, RESULT));
      polled(...states);
      const calls = server.context(wire.base ?? '', context(server.origin));
      const { ref } = await provider.submit(firstJob(), calls);
      let state = await provider.poll(ref, calls);
      for (let poll = 1; poll < states.length; poll++) state = await provider.poll(ref, calls);
      const ours = await differentPolls(server.requests, even);
      const begun = server.requests.length;
      polled(...states);
      const made = await given.make(base);
      expect(await differentPolls(server.requests.slice(begun), even)).toEqual(ours);
      expect(state).toMatchObject({ state: 'succeeded', outputs: [{ url: made }] });
    });

    test('fails alike', async () => {
      const { server, wire, polled, base } = await vendorServer(given);
      await using _closed = server;
      polled(given.failed);
      if (wire.result !== undefined && given.failedResult !== undefined)
        server.on(wire.result[0].replace('model-1', model), given.failedResult);
      const calls = server.context(wire.base ?? '', context(server.origin));
      const { ref } = await provider.submit(firstJob(), calls);
      expect(await provider.poll(ref, calls)).toMatchObject({
        state: 'failed',
        reason: expect.stringMatching(/It broke$/),
      });
      await expect(given.make(base)).rejects.toThrow(says);
    });

    const { cancel } = given;
    if (cancel === undefined) return;
    test('is cancelled alike', async () => {
      const { server, wire, base } = await vendorServer(given);
      await using _closed = server;
      const calls = server.context(wire.base ?? '', context(server.origin));
      const { ref } = await provider.submit(firstJob(), calls);
      await provider.cancel?.(ref, calls);
      await cancel(base);
      const [, ours, theirs] = await Promise.all(server.requests.map(sentBy));
      expect(even(theirs!)).toEqual(even(ours!));
    });
  });
}
