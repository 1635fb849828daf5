import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

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

/** The resources of the stage `local`: those of the set-up of a run of tests, if there is one. */
export function stageResources(): readonly StageResource[] {
  const { GENWAY_STAGE_RESOURCES: file } = process.env;
  resources ??= v.parse(
    resourcesSchema,
    JSON.parse(file === undefined ? printedResources() : readFileSync(file, 'utf8')),
  );
  return resources;
}

/** CDK takes seconds to load and build them, and longer within Jest, so another process does. */
export const printedResources = (): string =>
  execFileSync(process.execPath, ['--no-warnings', join(import.meta.dirname, 'print-resources.ts')], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 ** 2,
  });
