import * as v from 'valibot';
import { didYouMean } from '../../functions/http/unknown-names.ts';
import { defaultMessage } from '../../functions/http/validation.ts';
import { settingPaths } from './reference.ts';
import { type StageConfig, stageConfigSchema } from './schema.ts';

/** The settings of a deployment as its deployer writes them; what is left out has its default. */
export type GenwaySettings = Omit<v.InferInput<typeof stageConfigSchema>, 'name'>;

/** Settings that the deployer must correct; the message says all of it. */
export class WrongSettings extends Error {
  override readonly name = 'WrongSettings';
}

/**
 * @param file where the settings are written
 * @throws WrongSettings that names each wrong setting
 */
export function readSettings(name: string, settings: unknown, file?: string): StageConfig {
  const given = typeof settings === 'object' ? settings : {};
  const result = v.safeParse(stageConfigSchema, { ...given, name }, { message: defaultMessage });
  if (result.success) return result.output;
  const reasons = result.issues.map((issue) => `  ${reasonOf(issue)}`);
  const where = [...(file === undefined ? [] : [file]), 'docs/configuration.md'].join(', ');
  throw new WrongSettings(`Stage "${name}" has invalid settings (${where}):\n${reasons.join('\n')}`);
}

/** The path of a setting, its value, and what would be right. */
function reasonOf(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  // A rule about several settings names them itself.
  if (path === null) return issue.message;
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return `${path} is not a setting${didYouMean(path, siblingsOf(path))}`;
  if (issue.type === 'strict_object' && issue.input === undefined) return `${path} is missing`;
  return `${path} is ${shown(issue.input)}: ${issue.message}`;
}

/** The settings in the same place. */
const siblingsOf = (path: string): string[] =>
  settingPaths().filter((other) => parentOf(other) === parentOf(path));

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};
