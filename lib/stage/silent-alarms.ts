import { Annotations, type Stack } from 'aws-cdk-lib';
import { fileOf, type StageConfig } from './config.ts';

type Told = Pick<StageConfig, 'name' | 'data' | 'alarms'>;

/** The severities whose alarms tell nobody. A stage that is deleted with its data may be silent. */
export function silentAlarms({ data, alarms }: Told): string[] {
  if (data === 'destroy') return [];
  return Object.entries(alarms).flatMap(([severity, targets]) => (targets.length === 0 ? [severity] : []));
}

/** What to do about them, unless others subscribe to the topics. */
export const silenceAdvice = (file: string, severities: readonly string[]): string =>
  `No recipients are set in ${severities.map((each) => `alarms.${each}`).join(' and ')} of ${file}: ` +
  'add some, or subscribe to the topics of the stack';

/** Alarms that nobody gets look like a stage without problems. */
export function warnOfSilentAlarms(stack: Stack, config: Told, file = fileOf(config.name)): void {
  const severities = silentAlarms(config);
  if (severities.length === 0) return;
  Annotations.of(stack).addWarningV2('genway:silent-alarms', silenceAdvice(file, severities));
}
