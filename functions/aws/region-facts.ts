import {
  DescribeAvailabilityZonesCommand,
  DescribeManagedPrefixListsCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2';

/** AWS's list of the addresses from which CloudFront calls origins. */
const ADDRESSES = 'com.amazonaws.global.cloudfront.origin-facing';

export interface RegionFacts {
  readonly edgeAddresses: string;
  /** By name, in EC2's own order: subnets would be replaced if a later look-up gave another. */
  readonly zones: readonly string[];
}

/**
 * What only EC2 knows of its region, such as which letter this account calls a zone by.
 * @param zoneIds the zones to choose from @default all
 * @throws Error if CloudFront does not come into this region, or there are fewer than two zones
 */
export async function regionFacts(client: EC2Client, zoneIds?: readonly string[]): Promise<RegionFacts> {
  const { PrefixLists: [list] = [] } = await client.send(
    new DescribeManagedPrefixListsCommand({ Filters: [{ Name: 'prefix-list-name', Values: [ADDRESSES] }] }),
  );
  const edgeAddresses = list?.PrefixListId;
  if (edgeAddresses === undefined) {
    throw new Error(
      `This region has no managed prefix list ${ADDRESSES}, which the upload server needs to accept requests from CloudFront. Deploy to another region, or set "largeUploads": "off"`,
    );
  }
  const { AvailabilityZones = [] } = await client.send(
    new DescribeAvailabilityZonesCommand({
      Filters: [
        { Name: 'zone-type', Values: ['availability-zone'] },
        ...(zoneIds === undefined ? [] : [{ Name: 'zone-id', Values: [...zoneIds] }]),
      ],
    }),
  );
  const zones = AvailabilityZones.flatMap(({ ZoneName }) => ZoneName ?? []);
  if (zones.length < 2)
    throw new Error(
      `The upload server needs two zones that CloudFront supports, but this region has only ${zones.length}. Deploy to another region, or set "largeUploads": "off"`,
    );
  return { edgeAddresses, zones };
}
