import type { AwsWorld } from '../test/engines/aws-world.ts';

/** By whose clock pauses are, set before anything pauses. */
export const virtualPause: { world: AwsWorld | undefined } = { world: undefined };

/** In place of the functions' own, which waits in real time. */
export async function jitteredPause(longestMilliseconds: number): Promise<void> {
  const { world } = virtualPause;
  await world?.clock.wait(longestMilliseconds * world.random());
}
