import type { Cloud } from './cloud.ts';

const MINUTE = 60_000;

/**
 * Runs each sweeper every minute and sometimes twice, like EventBridge. It skips a sweep if nothing is due, because
 * that would change nothing.
 */
export async function sweepEachMinute(
  cloud: Cloud,
  isDue: (table: string) => boolean,
  isTwice: () => boolean,
): Promise<void> {
  const sweepers = [
    { name: 'sweep-jobs', table: cloud.stage.name('Videos-Jobs') },
    { name: 'sweep-events', table: cloud.stage.name('Webhooks-Events') },
  ] as const;
  while (cloud.isRunning) {
    await cloud.world.clock.wait(MINUTE);
    for (const { name, table } of sweepers) {
      if (!isDue(table)) continue;
      void cloud.invoke(name).catch(cloud.onFailure);
      if (isTwice()) void cloud.invoke(name).catch(cloud.onFailure);
    }
  }
}
