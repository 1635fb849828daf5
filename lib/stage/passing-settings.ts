import { Annotations, type Stack } from 'aws-cdk-lib';
import * as v from 'valibot';
import { WrongSettings } from './read-settings.ts';

const settingsSchema = v.optional(
  v.pipe(
    v.string('-c settings must be a JSON object'),
    v.parseJson(undefined, '-c settings must be a JSON object'),
    v.record(v.string(), v.unknown(), '-c settings must be a JSON object'),
  ),
  '{}',
);

/** Reads the settings that `-c settings` changes for one deployment. */
export function readPassingSettings(context: unknown): Record<string, unknown> {
  const read = v.safeParse(settingsSchema, context);
  if (!read.success) throw new WrongSettings(read.issues[0].message);
  return read.output;
}

/** The next deployment without them resets them, which nobody expects. */
export function warnOfPassingSettings(stack: Stack, file: string, names: readonly string[]): void {
  if (names.length === 0) return;
  Annotations.of(stack).addWarningV2(
    'genway:passing-settings',
    `${names.join(', ')}: set by -c settings, ONLY FOR THIS DEPLOYMENT. The next one without it resets them. ` +
      `To keep them, write them into ${file}`,
  );
}
