import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { openReceiver, verifyDelivery } from '../../local/demo/receiver.ts';

const TEXT = 'What must still be there.\n';
const LONGEST_WAIT_MS = 180_000;
const clip = { model: 'sandbox/clip-1', prompt: 'A drill', duration: 1, size: '640x360' };

const idSchema = v.object({ id: v.string() });
const jobSchema = v.object({ id: v.string(), status: v.string() });

/** A caller's data on the stage. */
export interface SeededData {
  readonly key: string;
  readonly secret: string;
  readonly fileId: string;
  readonly doneId: string;
  /** The digest of the video's bytes. */
  readonly sha256: string;
}

/** A caller of one stage, with one key. */
export class Caller {
  readonly #baseUrl: string;
  readonly #key: string;

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  async bytes(method: string, path: string, body?: NonNullable<RequestInit['body']>, type?: string) {
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(type === undefined ? {} : { 'content-type': type }),
    };
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const answer = Buffer.from(await response.arrayBuffer());
    assert.ok(
      response.ok,
      `${method} ${path} answered ${response.status}: ${answer.toString().slice(0, 500)}`,
    );
    return answer;
  }

  async ask<const Schema extends v.GenericSchema>(
    schema: Schema,
    method: string,
    path: string,
    json?: unknown,
  ) {
    const body = json === undefined ? undefined : JSON.stringify(json);
    const answer = await this.bytes(method, path, body, json === undefined ? undefined : 'application/json');
    return v.parse(schema, JSON.parse(answer.toString()));
  }

  /** @param fields the fields of the request that differ */
  async submit(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { id } = await this.ask(idSchema, 'POST', '/videos', { ...clip, ...fields });
    return id;
  }

  async completed(id: string): Promise<void> {
    const until = Date.now() + LONGEST_WAIT_MS;
    for (;;) {
      const { status } = await this.ask(jobSchema, 'GET', `/videos/${id}`);
      if (status === 'completed') return;
      assert.ok(['pending', 'in_progress'].includes(status), `${id} is ${status}`);
      assert.ok(Date.now() < until, `${id} is still ${status}`);
      await wait(500);
    }
  }
}

/** Options for a job that takes this many seconds. */
export const lasting = (latency_s: number) => ({ provider: { options: { sandbox: { latency_s } } } });

export async function seedData(baseUrl: string, managementKey: string): Promise<SeededData> {
  const manager = new Caller(baseUrl, managementKey);
  const workspace = v.object({ data: idSchema });
  const { data } = await manager.ask(workspace, 'POST', '/workspaces', {
    name: 'Drill',
    slug: `drill-${Date.now()}`,
  });
  const { secret } = await manager.ask(
    v.object({ secret: v.string() }),
    'POST',
    `/workspaces/${data.id}/webhook-secret/rotate`,
    {},
  );
  const named = { name: 'Drill', workspace_id: data.id };
  const { key } = await manager.ask(v.object({ key: v.string() }), 'POST', '/keys', named);
  const caller = new Caller(baseUrl, key);
  const form = new FormData();
  form.append('file', new Blob([TEXT]), 'drill.txt');
  const file = v.parse(idSchema, JSON.parse((await caller.bytes('POST', '/files', form)).toString()));
  const doneId = await caller.submit(lasting(0));
  await caller.completed(doneId);
  return {
    key,
    secret,
    fileId: file.id,
    doneId,
    sha256: digest(await caller.bytes('GET', `/videos/${doneId}/content`)),
  };
}

/**
 * Checks that all data is there, that the key works, and that a new job's webhook arrives with the same signing secret.
 */
export async function proveData(
  baseUrl: string,
  { key, secret, fileId, doneId, sha256 }: SeededData,
): Promise<void> {
  const caller = new Caller(baseUrl, key);
  assert.equal((await caller.bytes('GET', `/files/${fileId}/content`)).toString(), TEXT);
  assert.equal(digest(await caller.bytes('GET', `/videos/${doneId}/content`)), sha256);
  const receiver = await openReceiver();
  try {
    const id = await caller.submit({ ...lasting(0), callback_url: receiver.url });
    await caller.completed(id);
    const late = wait(LONGEST_WAIT_MS, undefined, { ref: false }).then(() =>
      assert.fail('The webhook has not arrived'),
    );
    verifyDelivery(await Promise.race([receiver.delivery, late]), secret);
  } finally {
    receiver.close();
  }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
