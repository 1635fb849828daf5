import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { AnnouncedEngines } from './announced.ts';
import { ROOT, type Servers, startServers } from './servers.ts';

declare global {
  var genwayEngines: (Servers & { readonly requests: string }) | undefined;
}

/** Starts the engines, once for all parts of a run. */
export default async function setUp(): Promise<void> {
  if (globalThis.genwayEngines !== undefined) return;
  const folder = await mkdtemp(join(tmpdir(), 'genway-engines-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(130));
  const servers = await startServers(folder);
  const requests = join(folder, 'requests');
  globalThis.genwayEngines = { ...servers, requests };
  const announced: AnnouncedEngines = { ...servers.addresses, root: ROOT, requests };
  Object.assign(process.env, {
    // What a killed run leaves behind goes with the folder.
    TMPDIR: folder,
    PYTHONPATH: [join(import.meta.dirname, 'extension'), process.env.PYTHONPATH]
      .filter(Boolean)
      .join(delimiter),
    GENWAY_EMULATOR_EXTENSION: 'second_engines',
    GENWAY_SECOND_ENGINES: JSON.stringify(announced),
  });
}
