import { setTimeout as pause } from 'node:timers/promises';
import { EC2Client } from '@aws-sdk/client-ec2';
import * as v from 'valibot';
import { answeringWithin, Sha256 } from '../../aws/client-settings.ts';
import { regionFacts } from '../../aws/region-facts.ts';
import { onceAllowed } from '../../aws/retry.ts';
import { deployedEgress } from '../../deployed/egress.ts';
import { log } from '../../telemetry/logger.ts';
import { customResource } from './custom-resource.ts';

const ec2 = new EC2Client({ maxAttempts: 3, sha256: Sha256, requestHandler: answeringWithin(10_000) });

const propertiesSchema = v.object({ ZoneIds: v.optional(v.array(v.string())) });

/** Looks up, during a deployment, where the upload server can stand and who may call it. */
export const handler = customResource(
  async (properties) => {
    const { ZoneIds } = v.parse(propertiesSchema, properties);
    // The right to look may be of the same deployment.
    const { edgeAddresses, zones } = await onceAllowed(() => regionFacts(ec2, ZoneIds), pause);
    const [First = '', Second = ''] = zones;
    return { EdgeAddresses: edgeAddresses, FirstZone: First, SecondZone: Second };
  },
  { fetch: deployedEgress(10_000), log },
);
