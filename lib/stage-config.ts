import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import * as v from 'valibot';
import { type StageConfig, stageConfigSchema } from './stage/rules.ts';

export { type StageConfig, stageConfigSchema };

const CONFIG = resolve(import.meta.dirname, '..', 'config');

/** What a file of `config/stages/` holds; docs/configuration.md lists the settings. */
const fileSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.check((value) => !Array.isArray(value), 'a list is none'),
  v.record(v.string(), v.unknown()),
);

/**
 * @param changes settings for this deployment alone, as `-c settings='{"wireNames":"openrouter"}'` gives them
 * @throws Error that names the known stages, or each setting that is wrong
 */
export function stageConfig(
  name: string,
  changes: Readonly<Record<string, unknown>> = {},
  folder = CONFIG,
): StageConfig {
  const file = `config/stages/${name}.json`;
  const known = stageNames(folder);
  if (!known.includes(name)) {
    throw new Error(
      `No stage "${name}"; there are: ${known.join(', ')}. A stage of your own is a file ${file}`,
    );
  }
  if (existsSync(join(folder, `videos.${name}.json`))) {
    throw new Error(`config/videos.${name}.json is read no more: make what it holds "videos" in ${file}`);
  }
  const settings = v.safeParse(fileSchema, readFileSync(join(folder, 'stages', `${name}.json`), 'utf8'));
  if (!settings.success) throw new Error(`${file} must hold one JSON object: ${settings.issues[0].message}`);
  const result = v.safeParse(stageConfigSchema, { ...settings.output, ...changes, name });
  if (result.success) return result.output;
  const reasons = result.issues.map((issue) => `  ${v.getDotPath(issue) ?? ''} ${issue.message}`);
  throw new Error(`Stage "${name}" is wrong (${file}, docs/configuration.md):\n${reasons.join('\n')}`);
}

const stageNames = (folder: string): string[] =>
  globSync('*.json', { cwd: join(folder, 'stages') })
    .map((file) => basename(file, '.json'))
    .toSorted();
