import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const ROOT = join(import.meta.dirname, '../..');
/** The sources of the template. `lib/` takes constants and schemas from `functions/`. */
const SOURCES = ['lib', 'functions', 'config', 'test/deployed', 'package-lock.json'];
const KEPT = join(ROOT, 'node_modules/.cache/genway');

const resourcesSchema = v.array(
  v.object({
    logicalId: v.string(),
    /** The path in the stack, such as `Videos-Jobs`. */
    path: v.string(),
    type: v.string(),
    /** The properties as in the template. */
    properties: v.record(v.string(), v.unknown()),
  }),
);
export type StageResource = Readonly<v.InferOutput<typeof resourcesSchema>[number]>;

let resources: readonly StageResource[] | undefined;

/**
 * The resources of the stage `local`. CDK takes seconds to load and build them, and longer within Jest. So another
 * process builds them once, and the result is kept until a source changes.
 */
export function stageResources(): readonly StageResource[] {
  resources ??= read();
  return resources;
}

function read(): readonly StageResource[] {
  const file = join(KEPT, `stage-${digestOfSources()}.json`);
  if (!existsSync(file)) make(file);
  return v.parse(resourcesSchema, JSON.parse(readFileSync(file, 'utf8')));
}

function make(file: string): void {
  const program = join(import.meta.dirname, 'print-resources.ts');
  const text = execFileSync(process.execPath, ['--no-warnings', program], { maxBuffer: 16 * 1024 ** 2 });
  mkdirSync(KEPT, { recursive: true });
  // Several workers may write this at once. A rename makes the whole file appear at once.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, text);
  renameSync(own, file);
}

/** Of the names, sizes and times of the sources. To read them all would take longer than most test files do. */
function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesIn(join(ROOT, source))) {
      const { size, mtimeMs } = statSync(file);
      hash.update(JSON.stringify([file, size, mtimeMs]));
    }
  }
  return hash.digest('hex').slice(0, 32);
}

function filesIn(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
