import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined } from '../../defined.ts';

/** Pictures of a video, as JPEG. */
export interface Pictures {
  readonly thumbnail: Uint8Array;
  readonly lastFrame: Uint8Array;
  /** Absent where the decoder died of a frame in the middle. */
  readonly spritesheet?: Uint8Array;
}

/** Of its function's three minutes; the rest is for reading the video and storing its pictures. */
const DECODER_MILLISECONDS = 120_000;

/**
 * The pictures of a video; undefined for one that cannot be decoded. The decoder is native, and dies of some damaged
 * videos: so it is a process of its own, which knows none of our credentials.
 */
export async function picturesOf(video: AsyncIterable<Uint8Array>): Promise<Pictures | undefined> {
  const { DECODER, LAST_FRAME, SPRITESHEET, THUMBNAIL } = await import('./decoder.ts');
  const folder = await mkdtemp(join(tmpdir(), 'stills-'));
  try {
    await writeFile(join(folder, 'video.mp4'), video);
    await run(DECODER, folder);
    const thumbnail = await readIfThere(join(folder, THUMBNAIL));
    if (thumbnail === undefined) return undefined;
    const lastFrame = await readFile(join(folder, LAST_FRAME));
    return {
      thumbnail,
      lastFrame,
      ...defined({ spritesheet: await readIfThere(join(folder, SPRITESHEET)) }),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Resolves however it ends: only what it has written counts, because it may die after its work.
 * @throws the system's error if it could not start
 */
function run(program: string, folder: string): Promise<void> {
  // Where the packages of a layer are.
  const env = defined({ NODE_PATH: process.env.NODE_PATH });
  const limits = { env, timeout: DECODER_MILLISECONDS, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve, reject) =>
    execFile(process.execPath, [program, folder], limits, (error) =>
      error !== null && 'syscall' in error ? reject(error) : resolve(),
    ),
  );
}

async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch {
    return undefined;
  }
}
