import { type AvailabilityZone, DescribeAvailabilityZonesCommand, EC2Client } from '@aws-sdk/client-ec2';
import type { StageConfig } from '../../lib/stage/config.ts';
import { REACHABLE_ZONES } from '../../lib/upload-server/reachable-zones.ts';
import { type Finding, fault, ok } from './finding.ts';

/** A load balancer needs two. */
const NEEDED = 2;

export async function zonesOf(region: string): Promise<readonly AvailabilityZone[]> {
  const { AvailabilityZones = [] } = await new EC2Client({ region }).send(
    new DescribeAvailabilityZonesCommand({ Filters: [{ Name: 'zone-type', Values: ['availability-zone'] }] }),
  );
  return AvailabilityZones;
}

/** Checks whether CloudFront and Fargate support the zones of the upload server, which differ between accounts. */
export function judgeZones(
  zones: readonly AvailabilityZone[],
  region: string,
  { vpc }: Pick<StageConfig, 'vpc'>,
): Finding {
  const reachable = REACHABLE_ZONES[region];
  const good = zones
    .filter(({ ZoneId = '' }) => reachable === undefined || reachable.includes(ZoneId))
    .flatMap(({ ZoneName }) => ZoneName ?? []);
  if (good.length < NEEDED) {
    return fault(
      'zones',
      `CloudFront supports only ${good.length} zones of ${region}, and the upload server needs two`,
    );
  }
  const bad = vpc?.availabilityZones.filter((zone) => !good.includes(zone)) ?? [];
  if (bad.length === 0)
    return ok('zones', `CloudFront reaches ${(vpc?.availabilityZones ?? good).join(', ')}`);
  return fault(
    'zones',
    `CloudFront does not support ${bad.join(', ')} of the setting vpc; use subnets in two of ${good.join(', ')}`,
  );
}
