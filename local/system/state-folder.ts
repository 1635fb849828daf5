import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export const CHECKOUT = resolve(import.meta.dirname, '../..');
export const DEFAULT_STATE_FOLDER = join(CHECKOUT, '.genway');

/** Where a run keeps its data. Everything else in the folder belongs to someone else. */
export interface StateFolder {
  readonly root: string;
  /** For scripts, while the run lasts: the address, the keys and the process. */
  readonly runFile: string;
  readonly keysFile: string;
  readonly outputsFile: string;
  readonly cdkOut: string;
  /** What this run has counted, for its dashboards. */
  readonly metrics: string;
  readonly emulator: {
    readonly root: string;
    readonly portFile: string;
    /** The file with the edge's secret. */
    readonly secretFile: string;
    readonly services: string;
    readonly objects: string;
    readonly scratch: string;
    readonly logFile: string;
  };
}

export function stateFolder(root: string): StateFolder {
  const emulator = join(root, 'emulator');
  return {
    root,
    runFile: join(root, 'run.json'),
    keysFile: join(root, 'keys.json'),
    outputsFile: join(root, 'outputs.json'),
    cdkOut: join(root, 'cdk.out'),
    metrics: join(root, 'metrics'),
    emulator: {
      root: emulator,
      portFile: join(emulator, 'port'),
      secretFile: join(emulator, 'edge-secret'),
      services: join(emulator, 'services'),
      objects: join(emulator, 'objects'),
      scratch: join(emulator, 'scratch'),
      logFile: join(emulator, 'log'),
    },
  };
}

/** Deletes only known names, so that other contents of the folder survive. */
export async function emptyStateFolder(state: StateFolder): Promise<void> {
  const { runFile, keysFile, outputsFile, cdkOut, metrics, emulator } = state;
  const entries = [runFile, keysFile, outputsFile, cdkOut, metrics, emulator.root];
  await Promise.all(entries.map((entry) => rm(entry, { recursive: true, force: true })));
}

/** Writes the file atomically, and readable only by this user: these files hold keys. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await mkdir(resolve(path, '..'), { recursive: true });
  try {
    await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
