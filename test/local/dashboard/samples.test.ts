import { expect, test } from '@jest/globals';
import { samplesOfLine, samplesOfRequest } from '../../../local/dashboard/samples.ts';

const textLine = (text: string) => ({ logGroup: '/Genway-local/poll-videos', time: 9, text });

test('a line of metrics is counted once for each set of its dimensions, each value separately', () => {
  const text = JSON.stringify({
    _aws: {
      Timestamp: 7,
      CloudWatchMetrics: [
        {
          Namespace: 'Genway/local',
          Dimensions: [['service', 'provider'], ['service']],
          Metrics: [{ Name: 'SecondsToVideo', Unit: 'Seconds' }],
        },
      ],
    },
    service: 'genway',
    provider: 'sandbox',
    SecondsToVideo: [3, 4],
    message: 'no metric',
  });
  const metric = { namespace: 'Genway/local', name: 'SecondsToVideo', at: 7 };
  const each = { service: 'genway', provider: 'sandbox' };
  expect(samplesOfLine(textLine(text))).toEqual([
    { ...metric, dimensions: each, value: 3 },
    { ...metric, dimensions: each, value: 4 },
    { ...metric, dimensions: { service: 'genway' }, value: 3 },
    { ...metric, dimensions: { service: 'genway' }, value: 4 },
  ]);
});

test('the runtime’s report counts as one call of the program', () => {
  expect(samplesOfLine(textLine('REPORT RequestId: 1\tDuration: 2 ms'))).toEqual([
    {
      namespace: 'AWS/Lambda',
      name: 'Invocations',
      dimensions: { FunctionName: 'poll-videos' },
      at: 9,
      value: 1,
    },
  ]);
});

test.each([
  'START RequestId: 1',
  '{"level":"INFO","message":"about \\"CloudWatchMetrics\\""}',
  '{"_aws":{"CloudWatchMetrics":"none"}}',
  '"CloudWatchMetrics"',
  '{"_aws":{"Timestamp":1,"CloudWatchMetrics":[{"Namespace":"n","Dimensions":[[]],"Metrics":[{"Name":"m"}]}]},"m":"3"}',
])('%s has no metrics', (text) => {
  expect(samplesOfLine(textLine(text))).toEqual([]);
});

test('a request counts as API Gateway would count it', () => {
  const request = {
    method: 'GET',
    path: '/api/v1/files',
    status: 500,
    milliseconds: 12,
    authorization: undefined,
    address: '',
  };
  const metric = { namespace: 'AWS/ApiGateway', dimensions: { ApiName: 'Genway-local' }, at: 5 };
  expect(samplesOfRequest(request, 'Genway-local', 5)).toEqual([
    { ...metric, name: 'Latency', value: 12 },
    { ...metric, name: '5XXError', value: 1 },
  ]);
  expect(samplesOfRequest({ ...request, status: 499 }, 'Genway-local', 5)[1]?.value).toBe(0);
  for (const other of [{ path: '/console' }, { status: undefined }]) {
    expect(samplesOfRequest({ ...request, ...other }, 'Genway-local', 5)).toEqual([]);
  }
});
