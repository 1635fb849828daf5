import type { Template } from 'aws-cdk-lib/assertions';
import { synthesize, synthesizeWatch } from './template.ts';

/** The stages whose costs the pages tell, by what they are called there. */
export const costedStages = (): Record<string, Template[]> => ({
  '`prod`': both('prod'),
  '`dev`': both('dev'),
  "`prod` with `largeUploads: 'off'`": both('prod', { largeUploads: 'off' }),
});

const both = (...stage: Parameters<typeof synthesizeWatch>): Template[] => [
  synthesize(...stage),
  synthesizeWatch(...stage),
];
