import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { GenwayStack } from '../../lib/genway-stack.ts';
import { stageConfig } from '../../lib/stage-config.ts';

/** What a stage would deploy. The bundles are those that the run's set-up has made. */
export function synthesize(stage: string): Template {
  return Template.fromStack(new GenwayStack(new App(), `Genway-${stage}`, { config: stageConfig(stage) }));
}
