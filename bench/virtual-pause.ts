import type { AwsWorld } from '../test/engines/index.ts';

/** Whose clock pauses use; must be set before the first pause. */
export const virtualPause: { world: AwsWorld | undefined } = { world: undefined };

/** Replaces the functions' own pause, which waits in real time. */
export async function jitteredPause(longestMilliseconds: number): Promise<void> {
  const { world } = virtualPause;
  await world?.clock.wait(longestMilliseconds * world.random());
}
