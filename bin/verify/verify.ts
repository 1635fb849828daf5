import { inspect } from 'node:util';
import { promises, type Verified } from './promises.ts';
import { enterScene } from './scene.ts';
import { StageCaller } from './stage-caller.ts';

export interface VerifyPorts {
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
  readonly outcome: 'kept' | 'broken' | 'not offered';
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
  const leave = () => scene.leave().then(() => 'the workspace of the verification is deleted');
  const results: Result[] = [];
  const keeps = async (promise: string, keep: (verified: Verified) => Promise<string | undefined>) => {
    const result = await tried(promise, () => keep(verified), ports.now);
    tell(result);
    results.push(result);
  };
  for (const [promise, keep] of Object.entries(promises)) {
    if (!ports.interrupted.aborted) await keeps(promise, keep);
  }
  await keeps('deletes the workspace of the verification', leave);
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
    return text === undefined ? ended('not offered', '') : ended('kept', text);
  } catch (error) {
    return ended('broken', error instanceof Error ? error.message : inspect(error));
  }
}
