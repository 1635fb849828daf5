import { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import type { StageConfig } from '../../lib/stage/config.ts';
import {
  type Assembly,
  assemblySchema,
  type CheckedStage,
  checkedStageSchema,
} from './synthesizer/answers.ts';

/** Settings that differ from the stage's own; `null` removes one. */
export type Changes = { readonly [Name in keyof StageConfig]?: StageConfig[Name] | null };

/** `prod` has a firewall at its edge. */
export const WITHOUT_EDGE = {
  edge: 'none',
  largeUploads: 'off',
  addressRequestsPerMinute: null,
} satisfies Changes;

/** The template of a stage. It uses the bundles that the run's set-up has built. */
export const synthesize = async (name: string, changes?: Changes): Promise<Template> =>
  Template.fromJSON((await assemblyOf(name, changes)).template);

/** The template of a nested stack: `Watch` has the alarms and dashboards, and `Logs` the log groups. */
export async function synthesizePart(
  part: 'Watch' | 'Logs',
  name: string,
  changes?: Changes,
): Promise<Template> {
  const { [part]: template } = (await assemblyOf(name, changes)).parts;
  if (template === undefined) throw new Error(`${part} is no stack`);
  return Template.fromJSON(template);
}

export const synthesizeWatch = (name: string, changes?: Changes): Promise<Template> =>
  synthesizePart('Watch', name, changes);

const assemblyOf = async (name: string, changes: Changes = {}): Promise<Assembly> =>
  v.parse(assemblySchema, await ask('assemble', { name, changes }));

/** Runs cdk-nag and cdk-preflight on a stage. */
export const checkStage = async (name: string, changes: Changes = {}): Promise<CheckedStage> =>
  v.parse(checkedStageSchema, await ask('check', { name, changes }));

/** Asks the program that the run's set-up has started, because loading CDK takes seconds, and longer within Jest. */
async function ask(task: 'assemble' | 'check', stage: object): Promise<unknown> {
  const address = process.env.GENWAY_SYNTHESIZER;
  if (address === undefined) throw new Error('No synthesizer runs: startSynthesizer() starts it');
  const response = await fetch(address, { method: 'POST', body: JSON.stringify({ task, stage }) });
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return JSON.parse(answer);
}
