import { EC2Client } from '@aws-sdk/client-ec2';
import { afterEach, expect, test } from '@jest/globals';
import { regionFacts } from '../../functions/aws/region-facts.ts';
import { type LocalServer, openServer } from '../local-server.ts';

let server: LocalServer | undefined;
afterEach(() => server?.close());

const set = (items: readonly string[]) => items.map((item) => `<item>${item}</item>`).join('');

/** EC2 with these lists and zones. */
async function ec2(lists: readonly string[], zones: readonly string[]): Promise<EC2Client> {
  server = await openServer((_request, response, { body }) => {
    const action = new URLSearchParams(body).get('Action');
    const found = {
      DescribeManagedPrefixLists: `<prefixListSet>${set(lists.map((id) => `<prefixListId>${id}</prefixListId>`))}</prefixListSet>`,
      DescribeAvailabilityZones: `<availabilityZoneInfo>${set(zones.map((name) => `<zoneName>${name}</zoneName>`))}</availabilityZoneInfo>`,
    }[String(action)];
    response.writeHead(200, { 'content-type': 'text/xml', connection: 'close' });
    response.end(`<${action}Response>${found}</${action}Response>`);
  });
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  return new EC2Client({ endpoint: server.url, region: 'eu-central-1', credentials });
}

/** The filters of each request, as EC2 reads them. */
const filters = () =>
  server?.received.map(({ body }) =>
    [...new URLSearchParams(body)].filter(([name]) => name.startsWith('Filter.')).map(([, value]) => value),
  );

test('CloudFront’s addresses are found by their name, and zones in the order of EC2', async () => {
  const client = await ec2(['pl-1'], ['eu-central-1b', 'eu-central-1a', 'eu-central-1c']);
  expect(await regionFacts(client)).toEqual({
    edgeAddresses: 'pl-1',
    zones: ['eu-central-1b', 'eu-central-1a', 'eu-central-1c'],
  });
  expect(filters()).toEqual([
    ['prefix-list-name', 'com.amazonaws.global.cloudfront.origin-facing'],
    ['zone-type', 'availability-zone'],
  ]);
});

test('zones that CloudFront does not support are left out', async () => {
  await regionFacts(await ec2(['pl-1'], ['us-east-1b', 'us-east-1c']), ['use1-az1', 'use1-az2']);
  expect(filters()?.[1]).toEqual(['zone-type', 'availability-zone', 'zone-id', 'use1-az1', 'use1-az2']);
});

test.each([
  [[], ['a', 'b'], 'has no managed prefix list com.amazonaws.global.cloudfront.origin-facing'],
  [['pl-1'], ['a'], 'needs two zones that CloudFront supports, but this region has only 1'],
])('a region without what the server needs fails the deployment: %j %j', async (lists, zones, message) => {
  await expect(regionFacts(await ec2(lists, zones))).rejects.toThrow(message);
});
