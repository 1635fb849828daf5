import { test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { MEMORY } from '../../bench/scale/dollars.ts';
import { MOST_CALLS_AT_ONCE } from '../../functions/fair-shares.ts';
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

test('a submitter gets no more jobs at once than it may hand to one provider', () => {
  prod.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    BatchSize: MOST_CALLS_AT_ONCE.submit,
    EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^VideosSubmits'), 'Arn'] },
  });
});
