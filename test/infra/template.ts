import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { GenwayStack } from '../../lib/genway-stack.ts';
import { type StageConfig, stageConfig } from '../../lib/stage-config.ts';

/** What a stage would deploy. The bundles are those that the run's set-up has made. */
export function synthesize(
  stage: string,
  changes: Partial<StageConfig> = {},
  { region }: { region?: string | undefined } = {},
): Template {
  const config = { ...stageConfig(stage), ...changes };
  const env = region === undefined ? {} : { env: { account: '123456789012', region } };
  return Template.fromStack(new GenwayStack(new App(), `Genway-${stage}`, { config, ...env }));
}
