import { test } from '@jest/globals';
import { MEMORY } from '../../bench/scale/dollars.ts';
import { synthesize } from './template.ts';

const prod = await synthesize('prod');

test.each([
  ['submit-video', MEMORY.acceptor],
  ['submit-jobs', MEMORY.submitter],
  ['poll-videos', MEMORY.poller],
  ['copy-videos', MEMORY.copier],
  ['deliver-events', MEMORY.deliverer],
])('%s has the memory that the costs of a job reckon with', (name, megabytes) => {
  prod.hasResourceProperties('AWS::Lambda::Function', {
    MemorySize: megabytes,
    Environment: { Variables: { POWERTOOLS_SERVICE_NAME: name } },
  });
});
