import { inspect } from 'node:util';
import { promises, type Verified } from './promises.ts';
import { enterScene } from './scene.ts';
import { StageCaller } from './stage-caller.ts';

export interface VerifyPorts {
  readonly baseUrl: string;
  readonly managementKey: string;
  /** API Gateway's own address, where an edge stands before it. */
  readonly back: string | undefined;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** Plays the demo with a key, and gives its lines. */
  readonly play: (key: string) => Promise<readonly string[]>;
  /** From then on nothing more is tried. */
  readonly interrupted: AbortSignal;
}

export interface Result {
  readonly promise: string;
  readonly outcome: 'kept' | 'broken' | 'not offered';
  readonly milliseconds: number;
  /** What was found. */
  readonly text: string;
}

/** Calls a stage as its callers do, in a workspace that is removed at the end, whatever it is; one broken promise stops no other. */
export async function verify(ports: VerifyPorts, tell: (result: Result) => void): Promise<Result[]> {
  const stage = new StageCaller(ports.baseUrl, ports.fetch);
  const scene = await enterScene(stage, ports.managementKey, ports.now());
  const play = () => ports.play(scene.key);
  const verified: Verified = { stage, key: scene.key, back: ports.back, play };
  const leave = () => scene.leave().then(() => 'the workspace of the verification is gone');
  const results: Result[] = [];
  const keeps = async (promise: string, keep: (verified: Verified) => Promise<string | undefined>) => {
    const result = await tried(promise, () => keep(verified), ports.now);
    tell(result);
    results.push(result);
  };
  for (const [promise, keep] of Object.entries(promises)) {
    if (!ports.interrupted.aborted) await keeps(promise, keep);
  }
  await keeps('lets go of what it held', leave);
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
