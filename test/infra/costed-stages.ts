import type { Template } from 'aws-cdk-lib/assertions';
import { synthesize } from './template.ts';

/** The stages whose costs the pages tell, by what they are called there. */
export const costedStages = (): Record<string, Template> => ({
  '`prod`': synthesize('prod'),
  '`dev`': synthesize('dev'),
  "`prod` with `largeUploads: 'off'`": synthesize('prod', { largeUploads: 'off' }),
});
