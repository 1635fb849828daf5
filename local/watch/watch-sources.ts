import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits this long for more changes: an editor writes a file in several steps, and a checkout changes many files. */
const SETTLE_MS = 100;

export interface SourceWatch {
  stop(): Promise<void>;
}

/**
 * Calls `changed` with the changed files of a folder, relative to it. Files that change while it works come in the next
 * call. So do all files of a call that failed.
 *
 * @param failed gets what `changed` threw; the watch continues
 */
export function watchSources(
  folder: string,
  changed: (files: ReadonlySet<string>) => Promise<void>,
  failed: (error: unknown) => void,
): SourceWatch {
  let waiting = new Set<string>();
  let lacking = new Set<string>();
  let working: Promise<void> | undefined;
  const work = async () => {
    while (waiting.size > 0) {
      await sleep(SETTLE_MS);
      const files = new Set([...lacking, ...waiting]);
      waiting = new Set();
      lacking = new Set();
      await changed(files).catch((error) => {
        lacking = files;
        failed(error);
      });
    }
    working = undefined;
  };
  const watcher = watch(folder, { recursive: true }, (_, file) => {
    if (file === null) return;
    waiting.add(file);
    working ??= work();
  });
  return {
    stop: async () => {
      watcher.close();
      waiting.clear();
      await working;
    },
  };
}
