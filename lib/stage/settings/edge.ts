import * as v from 'valibot';
import * as field from '../fields.ts';
import { told } from '../told.ts';

export const edge = {
  edge: v.optional(
    told(
      v.picklist(['cloudfront', 'none']),
      'What stands in front of the API: a CloudFront distribution of this stack, or nothing, where something else does. Without it callers use API Gateway’s own address.',
    ),
    'cloudfront',
  ),
  domain: v.exactOptional(
    told(
      v.strictObject({
        name: told(
          field.hostName,
          'The name that callers use. You point it at the edge (output `EdgeDomain`). Without it they use the edge’s own name, which lasts as long as the distribution and takes TLS 1.0.',
        ),
        certificateArn: v.exactOptional(
          told(field.edgeArn('acm', 'certificate'), 'Its certificate, for CloudFront: in us-east-1.'),
        ),
      }),
      'The stage’s own name.',
    ),
  ),
  console: v.optional(
    told(
      v.boolean(),
      'Whether the edge serves the console, at `/console`: static pages that call the API with the key that one signs in with. Another edge than this stack’s serves none.',
    ),
    true,
  ),
  webAclArn: v.exactOptional(
    told(
      field.edgeArn('wafv2', 'global/webacl'),
      'A firewall of yours before the edge, in place of ours: in us-east-1.',
    ),
  ),
  addressRequestsPerMinute: v.exactOptional(
    told(
      field.addressRate,
      'What one address may ask of CloudFront in a minute, with a key or without. The firewall that counts costs about 6 USD a month, and CloudFormation makes it in us-east-1 alone.',
    ),
  ),
  edgeSecretGeneration: v.optional(
    told(
      field.count,
      'One more, and the edge proves itself by a new secret; the one before is good until the next.',
    ),
    1,
  ),
  edgeSecretSha256: v.optional(
    told(
      v.array(field.sha256),
      'The SHA-256, in hex, of secrets by which an edge of your own proves itself: it sends one as `x-genway-edge`, and is the only way in then.',
    ),
    [],
  ),
  throttle: v.optional(
    told(
      v.strictObject({
        requestsPerSecond: told(field.count, 'On average.'),
        burst: told(field.count, 'At once.'),
      }),
      'How much of the account’s capacity requests to this stage may take, authenticated or not.',
    ),
    { requestsPerSecond: 1_000, burst: 2_000 },
  ),
};
