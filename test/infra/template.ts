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

/** What is in a stack of it: `Watch` looks after the stage, `Logs` holds the programs' log groups. */
export function synthesizePart(
  part: 'Watch' | 'Logs',
  stage: string,
  changes?: Partial<StageConfig>,
): Template {
  const inner = stackOf(stage, changes).node.findChild(part);
  if (!NestedStack.isNestedStack(inner)) throw new Error(`${part} is no stack`);
  return Template.fromStack(inner);
}

export const synthesizeWatch = (stage: string, changes?: Partial<StageConfig>): Template =>
  synthesizePart('Watch', stage, changes);

/** Else each synthesis would copy all bundles. */
const context = { 'aws:cdk:disable-asset-staging': true };

export function stackOf(
  stage: string,
  changes: Partial<StageConfig> = {},
  { region }: Place = {},
): GenwayStack {
  const config = { ...stageConfig(stage), ...changes };
  const env = region === undefined ? {} : { env: { account: '123456789012', region } };
  return new GenwayStack(new App({ context }), `Genway-${stage}`, { config, ...env });
}
