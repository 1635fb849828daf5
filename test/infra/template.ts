import { App, NestedStack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { GenwayStack } from '../../lib/genway-stack.ts';
import { type StageConfig, stageConfig } from '../../lib/stage-config.ts';

interface Place {
  readonly region?: string | undefined;
}

/** What a stage would deploy. The bundles are those that the run's set-up has made. */
export const synthesize = (stage: string, changes?: Partial<StageConfig>, place?: Place): Template =>
  Template.fromStack(stackOf(stage, changes, place));

/** The stack in it: what looks after the stage, with the same settings. */
export const synthesizeWatch = (stage: string, changes?: Partial<StageConfig>): Template =>
  watchOf(stackOf(stage, changes));

function watchOf(stack: GenwayStack): Template {
  const inner = stack.node.findAll().filter((part) => NestedStack.isNestedStack(part));
  if (inner.length !== 1) throw new Error(`Expected one stack in the stack, found ${inner.length}`);
  return Template.fromStack(inner[0] as NestedStack);
}

export function stackOf(
  stage: string,
  changes: Partial<StageConfig> = {},
  { region }: Place = {},
): GenwayStack {
  const config = { ...stageConfig(stage), ...changes };
  const env = region === undefined ? {} : { env: { account: '123456789012', region } };
  return new GenwayStack(new App(), `Genway-${stage}`, { config, ...env });
}
