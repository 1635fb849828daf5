import * as v from 'valibot';
import { defined } from '../defined.ts';
import { LARGEST_LAMBDA_BODY } from '../files/size-limits.ts';

const TEXT = 'What a canary has uploaded and will look for.\n';
/** Long enough for the edge to send it to the upload server. */
const LONG_TEXT = TEXT.repeat(Math.ceil(LARGEST_LAMBDA_BODY / TEXT.length));
/** Runs are five minutes apart, give or take some seconds. */
const LARGE_MILLISECONDS = 59 * 60_000;
/** A run that was cut off leaves its file behind; it expires by itself. */
const FILE_SECONDS = 3_600;
const WAIT_SECONDS = 20;
const PAUSE_MILLISECONDS = 2_000;

const fileSchema = v.object({ id: v.string() });
const linkSchema = v.object({ url: v.string() });
const jobSchema = v.object({ id: v.string(), status: v.string(), error: v.optional(v.string()) });
const deliveriesSchema = v.object({ data: v.array(v.object({ status: v.string() })) });

interface CanaryPorts extends CanaryApiPorts {
  /** Where a job's webhook goes; undefined where the stage has no sandbox to make one. */
  readonly receiver: string | undefined;
  /** When a large file is uploaded; undefined where the stage takes none. */
  readonly largeUploads: HourlyTurn | undefined;
  /** When the whole run must be done. */
  readonly deadline: Date;
  readonly now: () => Date;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/**
 * Does what callers do, and leaves nothing behind.
 * @throws CanaryFailed that says what callers cannot do
 */
export async function runCanary(ports: CanaryPorts): Promise<void> {
  const api = new CanaryApi(ports);
  await keepFile(api);
  const { largeUploads, now } = ports;
  if (largeUploads?.isDue(now())) {
    await keepFile(api, 'large upload', LONG_TEXT);
    largeUploads.pass(now());
  }
  if (ports.receiver !== undefined) await makeVideo(api, ports.receiver, ports);
}

/**
 * What is due an hour after it last passed, and until it passes in every run, so that a lasting failure raises the alarm
 * of the runs. A new instance of the function does not know, and begins with it.
 */
export class HourlyTurn {
  #passed: Date | undefined;

  isDue(now: Date): boolean {
    return this.#passed === undefined || now.getTime() - this.#passed.getTime() >= LARGE_MILLISECONDS;
  }

  pass(now: Date): void {
    this.#passed = now;
  }
}

/** Uploads a file, reads it back and deletes it. */
export async function keepFile(api: CanaryApi, step = 'upload', content = TEXT): Promise<void> {
  const form = new FormData();
  form.append('expires_in_seconds', String(FILE_SECONDS));
  form.append('file', new Blob([content]), 'canary.txt');
  const { id } = await api.ask(step, '/files', fileSchema, { method: 'POST', form });
  const { url } = await api.ask('link to the file', `/files/${id}/content?redirect=false`, linkSchema);
  const text = await api.open('download', url);
  if (text !== content) throw new CanaryFailed('download: the content differs from the upload');
  await api.ask('deletion of the file', `/files/${id}`, v.unknown(), { method: 'DELETE' });
}

async function makeVideo(api: CanaryApi, receiver: string, ports: CanaryPorts): Promise<void> {
  const json = {
    model: 'sandbox/clip-1',
    prompt: 'A canary',
    duration: 1,
    size: '640x360',
    callback_url: receiver,
  };
  const submitted = await api.ask('submission', '/videos', jobSchema, { method: 'POST', json });
  const path = `/videos/${submitted.id}`;
  const ended = await until('video', ports, async () => {
    const job = await api.ask('poll', path, jobSchema, { waitSeconds: WAIT_SECONDS });
    return job.status === 'pending' || job.status === 'in_progress' ? undefined : job;
  });
  if (ended.status !== 'completed') throw new CanaryFailed(`video: ${ended.status}, ${ended.error ?? ''}`);
  // The receiver refuses a wrong signature, and then the delivery never succeeds.
  await until('webhook', ports, async () => {
    const { data } = await api.ask('deliveries', `${path}/deliveries`, deliveriesSchema);
    return data.find(({ status }) => status === 'delivered');
  });
  await api.ask('deletion of the video', path, v.unknown(), { method: 'DELETE' });
}

async function until<T>(
  step: string,
  { deadline, now, pause }: CanaryPorts,
  look: () => Promise<T | undefined>,
): Promise<T> {
  while (now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(PAUSE_MILLISECONDS);
  }
  throw new CanaryFailed(`${step}: not completed in time`);
}

/** Something failed that every caller may rely on. */
export class CanaryFailed extends Error {
  override readonly name = 'CanaryFailed';
}

interface CanaryApiPorts {
  /** The address of the API, up to `/api/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: typeof fetch;
}

interface Call {
  readonly method?: 'POST' | 'DELETE';
  readonly json?: unknown;
  readonly form?: FormData;
  /** How long the answer may be held back at most. */
  readonly waitSeconds?: number;
}

/** A stage as a caller sees it, by its address and a key. */
export class CanaryApi {
  readonly #ports: CanaryApiPorts;

  constructor(ports: CanaryApiPorts) {
    this.#ports = ports;
  }

  /** @throws CanaryFailed that names the step */
  async ask<const Schema extends v.GenericSchema>(
    step: string,
    path: string,
    schema: Schema,
    call: Call = {},
  ): Promise<v.InferOutput<Schema>> {
    const answer = await this.#send(step, `${this.#ports.baseUrl}${path}`, this.#request(call));
    const read = v.safeParse(schema, parsed(answer));
    if (read.success) return read.output;
    throw new CanaryFailed(`${step}: unexpected response: ${v.summarize(read.issues)}`);
  }

  /** Reads what a signed link leads to. */
  open(step: string, link: string): Promise<string> {
    return this.#send(step, link, {});
  }

  #request({ method, json, form, waitSeconds }: Call): RequestInit {
    return {
      method: method ?? 'GET',
      headers: {
        authorization: `Bearer ${this.#ports.key}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(waitSeconds === undefined ? {} : { prefer: `wait=${waitSeconds}` }),
      },
      ...defined({ body: json === undefined ? form : JSON.stringify(json) }),
    };
  }

  async #send(step: string, url: string, request: RequestInit): Promise<string> {
    const { status, text } = await this.#exchange(step, url, request);
    if (status >= 200 && status < 300) return text;
    throw new CanaryFailed(`${step}: returned ${status}`);
  }

  async #exchange(step: string, url: string, request: RequestInit) {
    try {
      const response = await this.#ports.fetch(url, request);
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      throw new CanaryFailed(`${step}: no response`, { cause });
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
