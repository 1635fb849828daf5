import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { readSettings, WrongSettings } from './read-settings.ts';
import { type StageConfig, stageConfigSchema } from './schema.ts';

export { type StageConfig, stageConfigSchema };

const CONFIG = join(import.meta.dirname, '../../config');

/** The content of a file in `config/stages/`; docs/configuration.md lists the settings. */
const fileSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.check((value) => !Array.isArray(value), 'not a list'),
  v.record(v.string(), v.unknown()),
);

/**
 * @param changes settings only for this deployment, as from `-c settings='{"wireNames":"openrouter"}'`
 * @throws WrongSettings that names the known stages, or each wrong setting
 */
export function stageConfig(
  name: string,
  changes: Readonly<Record<string, unknown>> = {},
  folder = CONFIG,
): StageConfig {
  const file = `config/stages/${name}.json`;
  const known = stageNames(folder);
  if (!known.includes(name)) {
    throw new WrongSettings(
      `No stage "${name}"; the stages are: ${known.join(', ')}. To add a stage, create the file ${file}`,
    );
  }
  if (existsSync(join(folder, `videos.${name}.json`))) {
    throw new WrongSettings(
      `config/videos.${name}.json is no longer read: move its content to "videos" in ${file}`,
    );
  }
  const settings = v.safeParse(fileSchema, readFileSync(join(folder, 'stages', `${name}.json`), 'utf8'));
  if (!settings.success)
    throw new WrongSettings(`${file} must hold one JSON object: ${settings.issues[0].message}`);
  return readSettings(name, { ...settings.output, ...changes }, file);
}

const stageNames = (folder: string): string[] =>
  globSync('*.json', { cwd: join(folder, 'stages') })
    .map((file) => basename(file, '.json'))
    .toSorted();
