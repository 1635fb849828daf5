import { inspect } from 'node:util';
import * as v from 'valibot';
import { promises, type Verified } from './promises.ts';
import { type Answer, must, StageCaller } from './stage-caller.ts';

interface VerifyPorts {
  readonly baseUrl: string;
  readonly managementKey: string;
  /** API Gateway's own address, if there is an edge in front of it. */
  readonly back: string | undefined;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** Runs the demo with a key. @returns the lines of its report */
  readonly play: (key: string) => Promise<readonly string[]>;
  /** After this nothing more is tried. */
  readonly interrupted: AbortSignal;
}

export interface Result {
  readonly promise: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly milliseconds: number;
  /** What was found. */
  readonly text: string;
}

/** Calls a stage as its callers do, in a workspace that it always deletes at the end. A broken promise does not stop the others. */
export async function verify(ports: VerifyPorts, tell: (result: Result) => void): Promise<Result[]> {
  const stage = new StageCaller(ports.baseUrl, ports.fetch);
  const scene = await enterScene(stage, ports.managementKey, ports.now());
  const play = () => ports.play(scene.key);
  const verified: Verified = { stage, key: scene.key, back: ports.back, play };
  const leave = () => scene.leave().then(() => 'the temporary workspace is deleted');
  const results: Result[] = [];
  const keeps = async (promise: string, keep: (verified: Verified) => Promise<string | undefined>) => {
    const result = await tried(promise, () => keep(verified), ports.now);
    tell(result);
    results.push(result);
  };
  for (const [promise, keep] of Object.entries(promises)) {
    if (!ports.interrupted.aborted) await keeps(promise, keep);
  }
  await keeps('deletes the temporary workspace', leave);
  return results;
}

async function tried(
  promise: string,
  keep: () => Promise<string | undefined>,
  now: () => Date,
): Promise<Result> {
  const start = now().getTime();
  const ended = (outcome: Result['outcome'], text: string): Result => {
    return { promise, outcome, milliseconds: now().getTime() - start, text };
  };
  try {
    const text = await keep();
    return text === undefined ? ended('skipped', '') : ended('passed', text);
  } catch (error) {
    return ended('failed', error instanceof Error ? error.message : inspect(error));
  }
}

const workspaceSchema = v.object({ data: v.object({ id: v.string() }) });
const keySchema = v.object({ key: v.string(), data: v.object({ hash: v.string() }) });

const LONGEST_MS = 30 * 60_000;

/** A separate workspace with its own key, so that other data is not affected. */
interface Scene {
  readonly key: string;
  /** Deletes the workspace and its contents. */
  leave(): Promise<void>;
}

/** @throws PromiseBroken, ValiError */
async function enterScene(stage: StageCaller, key: string, now: Date): Promise<Scene> {
  const slug = `verify-${now.getTime().toString(36)}`;
  const json = { name: 'Verification', slug };
  const workspace = await made(stage.call('POST', '/workspaces', { key, json }), workspaceSchema);
  // A key that ends itself can make none that does not.
  const expires_at = new Date(now.getTime() + LONGEST_MS).toISOString();
  const asked = { name: 'Verification', workspace_id: workspace.data.id, expires_at };
  const close = () => removed(stage.call('DELETE', `/workspaces/${workspace.data.id}`, { key }));
  try {
    const issued = await made(stage.call('POST', '/keys', { key, json: asked }), keySchema);
    return {
      key: issued.key,
      leave: async () => {
        await removed(stage.call('DELETE', `/keys/${issued.data.hash}`, { key }));
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function made<const Schema extends v.GenericSchema>(
  answer: Promise<Answer>,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const { status, body } = await answer;
  must(
    status === 201,
    `the management key could not create a workspace or a key in it: the status is ${status}`,
  );
  return v.parse(schema, body);
}

async function removed(answer: Promise<Answer>): Promise<void> {
  const { status } = await answer;
  must(status === 200, `the temporary workspace or its key could not be deleted: the status is ${status}`);
}
