import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printedResources } from './stage-resources.ts';

/** Synthesizes the stage once for all test files of a run, and for all projects that ask for it. */
export default function setUp(): void {
  if (process.env.GENWAY_STAGE_RESOURCES !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'genway-resources-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const file = join(folder, 'stage.json');
  writeFileSync(file, printedResources());
  process.env.GENWAY_STAGE_RESOURCES = file;
}
