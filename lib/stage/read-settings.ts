import * as v from 'valibot';
import { type StageConfig, stageConfigSchema } from './schema.ts';

/** The settings of a deployment as its deployer writes them; what is left out has its default. */
export type GenwaySettings = Omit<v.InferInput<typeof stageConfigSchema>, 'name'>;

/**
 * @param file where the settings are written
 * @throws Error that names each wrong setting
 */
export function readSettings(name: string, settings: unknown, file?: string): StageConfig {
  const given = typeof settings === 'object' ? settings : {};
  const result = v.safeParse(stageConfigSchema, { ...given, name });
  if (result.success) return result.output;
  const reasons = result.issues.map((issue) => `  ${v.getDotPath(issue) ?? ''} ${issue.message}`);
  const where = [...(file === undefined ? [] : [file]), 'docs/configuration.md'].join(', ');
  throw new Error(`Stage "${name}" is wrong (${where}):\n${reasons.join('\n')}`);
}
