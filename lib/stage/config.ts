import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ParseError, parse, printParseErrorCode, visit } from 'jsonc-parser';
import * as v from 'valibot';
import { readSettings, WrongSettings } from './read-settings.ts';
import { type StageConfig, stageConfigSchema } from './schema.ts';
import { stageName } from './settings/fields.ts';

export { type StageConfig, stageConfigSchema };

const CONFIG = join(import.meta.dirname, '../../config');

/** A stage and the file of its settings, which may have comments; docs/configuration.md lists the settings. */
export interface StageFile {
  readonly name: string;
  readonly path: string;
  /** How messages call the file. */
  readonly file: string;
}

/** Which stage a command is about: one of this checkout, or the one of a file. */
export interface AskedStage {
  readonly stage: string;
  readonly config?: string | undefined;
}

export const fileOf = (name: string): string => `config/stages/${name}.json`;

/** @throws WrongSettings that names the known stages */
export function stageFile({ stage, config }: AskedStage, folder = CONFIG): StageFile {
  if (config !== undefined)
    return { name: basename(config).replace(/\.jsonc?$/, ''), path: config, file: config };
  const file = fileOf(stage);
  const known = stageNames(folder);
  if (known.length === 0) throw new WrongSettings('Specify the settings file: --config prod.jsonc');
  if (!known.includes(stage)) {
    throw new WrongSettings(
      `No stage "${stage}"; the stages are: ${known.join(', ')}. To add a stage, create the file ${file}`,
    );
  }
  if (existsSync(join(folder, `videos.${stage}.json`))) {
    throw new WrongSettings(
      `config/videos.${stage}.json is no longer supported: move its content to "videos" in ${file}`,
    );
  }
  return { name: stage, path: join(folder, 'stages', `${stage}.json`), file };
}

const objectSchema = v.pipe(
  v.custom<object>((value) => !Array.isArray(value), 'not a list'),
  v.record(v.string(), v.unknown()),
);

/**
 * @param changes settings only for this deployment, as from `-c settings='{"wireNames":"openrouter"}'`
 * @throws WrongSettings that names each wrong setting
 */
export function readStage(
  { name, path, file }: StageFile,
  changes: Readonly<Record<string, unknown>> = {},
): StageConfig {
  const faults: ParseError[] = [];
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new WrongSettings(`There is no file ${file}`);
  const text = readFileSync(path, 'utf8');
  const settings = v.safeParse(objectSchema, parse(text, faults, { allowTrailingComma: true }));
  const [fault] = faults;
  const why = fault === undefined ? settings.issues?.[0].message : faultIn(text, fault);
  if (why !== undefined || !settings.success)
    throw new WrongSettings(`${file} must contain one JSON object: ${why}`);
  checkNames(name, file, text);
  return readSettings(name, { ...settings.output, ...changes }, file);
}

/** @throws WrongSettings if the file has a wrong name, or names a setting twice, of which the first would have no effect */
function checkNames(name: string, file: string, text: string): void {
  const named = v.safeParse(stageName, name);
  const rule = 'the name of the file is the name of the stage';
  if (!named.success) throw new WrongSettings(`${file}: ${rule}, which ${named.issues[0].message}`);
  const seen = new Set<string>();
  visit(text, {
    onObjectProperty(property, _, __, line, ___, parents) {
      const path = [...parents(), property].join('.');
      if (path === 'name') throw new WrongSettings(`${file}: name is not a setting, because ${rule}`);
      if (seen.has(path))
        throw new WrongSettings(`${file}: ${path} is set twice; the second time on line ${line + 1}`);
      seen.add(path);
    },
  });
}

/** The settings of a stage of this checkout. @throws WrongSettings */
export const stageConfig = (
  name: string,
  changes: Readonly<Record<string, unknown>> = {},
  folder = CONFIG,
): StageConfig => readStage(stageFile({ stage: name }, folder), changes);

function faultIn(text: string, { error, offset }: ParseError): string {
  const before = text.slice(0, offset).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  return `${printParseErrorCode(error)} at ${place}`;
}

const stageNames = (folder: string): string[] =>
  globSync('*.json', { cwd: join(folder, 'stages') })
    .map((file) => basename(file, '.json'))
    .toSorted();

type Named = { readonly name: string; readonly own: Pick<StageConfig['own'], 'namePrefix'> };

/** How a stage is called among those of its account: `Genway-prod`. */
export const titleOf = ({ name, own }: Named): string => `${own.namePrefix}-${name}`;
