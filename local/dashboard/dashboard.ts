import { setTimeout as wait } from 'node:timers/promises';
import type { StateFolder } from '../state-folder.ts';
import { LONGEST_MINUTES, pageFiles, serveDashboard } from './serve.ts';
import { watchRun } from './watched-run.ts';

const LOOK_MILLISECONDS = 10_000;

export interface DashboardOptions {
  readonly state: StateFolder;
  /** 0 means any free port. */
  readonly port: number;
  readonly now: () => number;
  /** Called with the address of the page. */
  readonly tell: (url: string) => void;
}

/** Serves the dashboards of a local run until it is interrupted. @throws LocalRunError */
export async function dashboard(
  { state, port, now, tell }: DashboardOptions,
  interrupted: AbortSignal,
): Promise<void> {
  const run = await watchRun(state, LONGEST_MINUTES * 60_000, interrupted);
  const served = await serveDashboard(port, { files: await pageFiles(), view: run.view, now });
  tell(served.url);
  while (!interrupted.aborted) {
    await run.look(now());
    await wait(LOOK_MILLISECONDS, undefined, { signal: interrupted }).catch(() => undefined);
  }
  await served.close();
}
