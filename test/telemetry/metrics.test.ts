import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';

const NOW = 1_767_323_045_678;
const written: string[] = [];

beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
});

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
  written.length = 0;
});

/** The module reads its namespace once, so that each test has one of its own. */
async function metricsOf(namespace: string) {
  process.env.METRICS_NAMESPACE = namespace;
  return import(`../../functions/telemetry/metrics.ts?namespace=${namespace}`);
}

const report = {
  requestId: 'r-1',
  route: 'GET /videos',
  status: 200,
  isOwnFailure: false,
  milliseconds: 12.6,
};
const head = (name: string, unit: string, ...dimensions: string[]) =>
  `{"_aws":{"Timestamp":${NOW},"CloudWatchMetrics":[{"Namespace":"Genway/test","Dimensions":[${JSON.stringify(dimensions)}],"Metrics":[{"Name":"${name}","Unit":"${unit}"}]}]},`;

test('a request is one line in the embedded metric format, with who asked for what', async () => {
  const { countRequest } = await metricsOf('Genway/test');
  countRequest({
    ...report,
    address: '192.0.2.7',
    object: 'file_1',
    caller: { keyHash: 'k', workspaceId: 'w' },
  });
  expect(written).toEqual([
    `${head('Requests', 'Count', 'service', 'class')}"level":"INFO","message":"request answered","request_id":"r-1","route":"GET /videos","status":"200","milliseconds":"13","address":"192.0.2.7","object":"file_1","key_hash":"k","workspace_id":"w","service":"genway","class":"served","Requests":1}\n`,
  ]);
});

test.each([
  [200, false, 0],
  [500, true, 1],
  [502, false, 0],
])(
  'a %d of a busy endpoint, which is its own failure: %s, counts as %d towards its share, in the same line',
  async (status, isOwnFailure, failed) => {
    const { countRequest } = await metricsOf('Genway/test');
    countRequest({ ...report, route: 'POST /videos', status, isOwnFailure });
    expect(written).toHaveLength(1);
    const line = JSON.parse(written[0] ?? '');
    expect(line._aws.CloudWatchMetrics[1]).toEqual({
      Namespace: 'Genway/test',
      Dimensions: [['service', 'route']],
      Metrics: [{ Name: 'EndpointFailures', Unit: 'Count' }],
    });
    expect(line).toMatchObject({ Requests: 1, route: 'POST /videos', EndpointFailures: failed });
  },
);

test('a job that completed is counted, with how long it took and what it cost', async () => {
  const { countSettledJob } = await metricsOf('Genway/test');
  const job = { provider: 'sandbox', isProvidersFailure: false, seconds: 30.5, costMicros: 7 };
  countSettledJob({ ...job, outcome: 'completed' });
  expect(written).toEqual([
    `${head('JobsSettled', 'Count', 'service', 'outcome')}"service":"genway","outcome":"completed","JobsSettled":1}\n`,
    `${head('ProviderFailures', 'Count', 'service', 'provider')}"service":"genway","provider":"sandbox","ProviderFailures":0}\n`,
    `${head('SecondsToVideo', 'Seconds', 'service', 'provider')}"service":"genway","provider":"sandbox","SecondsToVideo":30.5}\n`,
    `${head('ChargedMicros', 'Count', 'service', 'provider')}"service":"genway","provider":"sandbox","ChargedMicros":7}\n`,
  ]);
});

test('a metric without a dimension of its own has that of all', async () => {
  const { countUnreadableRow } = await metricsOf('Genway/test');
  countUnreadableRow();
  expect(written).toEqual([
    `${head('RowsUnreadable', 'Count', 'service')}"service":"genway","RowsUnreadable":1}\n`,
  ]);
});

test('a program without a namespace writes no metric', async () => {
  const { countRequest } = await metricsOf('');
  countRequest(report);
  expect(written).toEqual([]);
});
