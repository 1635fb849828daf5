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
}

export interface Result {
  readonly promise: string;
  readonly outcome: 'kept' | 'broken' | 'not offered';
  readonly milliseconds: number;
  /** What was found. */
  readonly text: string;
}

/** Calls a stage as its callers do, in a workspace that is removed at the end; one broken promise stops no other. */
export async function verify(ports: VerifyPorts, tell: (result: Result) => void): Promise<Result[]> {
  const stage = new StageCaller(ports.baseUrl, ports.fetch);
  const scene = await enterScene(stage, ports.managementKey, ports.now());
  const play = () => ports.play(scene.key);
  const results: Result[] = [];
  try {
    for (const promise of Object.keys(promises)) {
      const result = await tried(promise, { stage, key: scene.key, back: ports.back, play }, ports.now);
      tell(result);
      results.push(result);
    }
  } finally {
    await scene.leave();
  }
  return results;
}

async function tried(promise: string, verified: Verified, now: () => Date): Promise<Result> {
  const start = now().getTime();
  const ended = (outcome: Result['outcome'], text: string): Result => {
    return { promise, outcome, milliseconds: now().getTime() - start, text };
  };
  try {
    const text = await promises[promise]?.(verified);
    return text === undefined ? ended('not offered', '') : ended('kept', text);
  } catch (error) {
    return ended('broken', error instanceof Error ? error.message : inspect(error));
  }
}
