import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const ROOT = join(import.meta.dirname, '../../..');
/** What the template is made of: `lib/` takes much of it from the code that it deploys. */
const SOURCES = ['lib', 'functions', 'config', 'test/engines/deployed', 'package-lock.json'];
const KEPT = join(ROOT, 'node_modules/.cache/genway');

const resourcesSchema = v.array(
  v.object({
    logicalId: v.string(),
    /** Where it is in the stack: `Videos-Jobs`. */
    path: v.string(),
    type: v.string(),
    /** As they stand in the template. */
    properties: v.record(v.string(), v.unknown()),
  }),
);
export type StageResource = Readonly<v.InferOutput<typeof resourcesSchema>[number]>;

/**
 * The resources of the stage `local`. CDK takes seconds to load and to build them, and several times as many within
 * Jest: they are made once, in a process of its own, and kept for as long as no source has changed.
 */
export function stageResources(): StageResource[] {
  const file = join(KEPT, `stage-${digestOfSources()}.json`);
  if (!existsSync(file)) make(file);
  return v.parse(resourcesSchema, JSON.parse(readFileSync(file, 'utf8')));
}

function make(file: string): void {
  const text = execFileSync(
    process.execPath,
    ['--no-warnings', join(import.meta.dirname, 'print-resources.ts')],
    {
      encoding: 'utf8',
      maxBuffer: 16 * 1024 ** 2,
    },
  );
  mkdirSync(KEPT, { recursive: true });
  // Several workers may do this at once: each file is whole when it is there.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, text);
  renameSync(own, file);
}

function digestOfSources(): string {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...SOURCES], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const hash = createHash('sha256');
  for (const file of listed.trim().split('\n')) {
    const path = join(ROOT, file);
    // One that is deleted stays in git's index until the next commit.
    if (existsSync(path)) hash.update(file).update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 32);
}
