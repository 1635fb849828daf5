import type { Template } from 'aws-cdk-lib/assertions';
import { synthesize, synthesizeWatch } from './template.ts';

/** The stages whose costs are documented, by the names that the pages use. */
export const costedStages = async (): Promise<Record<string, Template[]>> => ({
  '`prod`': await both('prod'),
  '`dev`': await both('dev'),
  "`prod` with `largeUploads: 'off'`": await both('prod', { largeUploads: 'off' }),
});

const both = async (...stage: Parameters<typeof synthesizeWatch>): Promise<Template[]> => [
  await synthesize(...stage),
  await synthesizeWatch(...stage),
];
