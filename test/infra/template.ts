import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { GenwayStack } from '../../lib/genway-stack.ts';
import { type StageConfig, stageConfig } from '../../lib/stage-config.ts';

interface Place {
  readonly region?: string | undefined;
}

/** What a stage would deploy. The bundles are those that the run's set-up has made. */
export const synthesize = (stage: string, changes?: Partial<StageConfig>, place?: Place): Template =>
  Template.fromStack(stackOf(stage, changes, place));

export function stackOf(
  stage: string,
  changes: Partial<StageConfig> = {},
  { region }: Place = {},
): GenwayStack {
  const config = { ...stageConfig(stage), ...changes };
  const env = region === undefined ? {} : { env: { account: '123456789012', region } };
  return new GenwayStack(new App(), `Genway-${stage}`, { config, ...env });
}
