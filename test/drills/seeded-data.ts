import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { DemoApi } from '../../local/demo/demo-api.ts';
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

/** @param fields the fields of the request that differ @returns the job's id */
export async function submit(api: DemoApi, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return (await api.post('/videos', { ...clip, ...fields }, idSchema)).id;
}

export async function untilCompleted(api: DemoApi, id: string): Promise<void> {
  const until = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const { status } = await api.get(`/videos/${id}`, jobSchema);
    if (status === 'completed') return;
    assert.ok(['pending', 'in_progress'].includes(status), `${id} is ${status}`);
    assert.ok(Date.now() < until, `${id} is still ${status}`);
    await wait(500);
  }
}

/** Options for a job that takes this many seconds. */
export const lasting = (latency_s: number) => ({ provider: { options: { sandbox: { latency_s } } } });

export async function seedData(baseUrl: string, managementKey: string): Promise<SeededData> {
  const manager = new DemoApi(baseUrl, managementKey);
  const workspace = v.object({ data: idSchema });
  const slug = `drill-${Date.now()}`;
  const { data } = await manager.post('/workspaces', { name: 'Drill', slug }, workspace);
  const rotate = `/workspaces/${data.id}/webhook-secret/rotate`;
  const { secret } = await manager.post(rotate, {}, v.object({ secret: v.string() }));
  const named = { name: 'Drill', workspace_id: data.id };
  const { key } = await manager.post('/keys', named, v.object({ key: v.string() }));
  const api = new DemoApi(baseUrl, key);
  const form = new FormData();
  form.append('file', new Blob([TEXT]), 'drill.txt');
  const { id: fileId } = await api.post('/files', form, idSchema);
  const doneId = await submit(api, lasting(0));
  await untilCompleted(api, doneId);
  return { key, secret, fileId, doneId, sha256: digest(await api.download(`/videos/${doneId}/content`)) };
}

/**
 * Checks that all data is there, that the key works, and that a new job's webhook arrives with the same signing secret.
 */
export async function proveData(
  baseUrl: string,
  { key, secret, fileId, doneId, sha256 }: SeededData,
): Promise<void> {
  const api = new DemoApi(baseUrl, key);
  assert.equal(Buffer.from(await api.download(`/files/${fileId}/content`)).toString(), TEXT);
  assert.equal(digest(await api.download(`/videos/${doneId}/content`)), sha256);
  const receiver = await openReceiver();
  try {
    await untilCompleted(api, await submit(api, { ...lasting(0), callback_url: receiver.url }));
    const late = wait(LONGEST_WAIT_MS, undefined, { ref: false }).then(() =>
      assert.fail('The webhook has not arrived'),
    );
    verifyDelivery(await Promise.race([receiver.delivery, late]), secret);
  } finally {
    receiver.close();
  }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
