import * as v from 'valibot';
import { oidcSettingsSchema } from '../../../functions/keys/oidc-settings.ts';
import * as field from './fields.ts';
import { told } from './fields.ts';

export const edge = {
  edge: v.optional(
    told(
      v.picklist(['cloudfront', 'none']),
      'What is in front of the API: a CloudFront distribution of this stack, or nothing, for example if you have your own edge. With `none` callers use API Gateway’s own address.',
    ),
    'cloudfront',
  ),
  domain: v.exactOptional(
    told(
      v.strictObject({
        name: told(
          field.hostName,
          'The name that callers use. Point its DNS record to the output `EdgeDomain`. Without it callers use the edge’s own name, which is lost with the distribution and accepts TLS 1.0.',
        ),
        certificateArn: v.exactOptional(
          told(
            field.edgeArn('acm', 'certificate'),
            'Its certificate. It must be in us-east-1, because CloudFront uses it.',
          ),
        ),
      }),
      'The stage’s own name.',
    ),
  ),
  securityContact: v.exactOptional(
    told(
      v.pipe(v.string(), v.regex(/^(https:\/\/|mailto:)[!-~]+$/, 'must be an https: or mailto: address')),
      'Where to report a vulnerability of this deployment, such as `mailto:security@example.com`. The edge shows it at `/.well-known/security.txt`; without it there is no such file.',
    ),
  ),
  console: v.optional(
    told(
      v.boolean(),
      'Whether the edge serves the console at `/console`: static pages that call the API in a session of whoever signs in. With `edge: "none"` there is no console.',
    ),
    true,
  ),
  oidc: v.exactOptional(
    told(
      oidcSettingsSchema,
      'The identity provider with which people sign in to the console, by OpenID Connect. See [the console](console.md#signing-in-with-an-identity-provider).',
    ),
  ),
  webAclArn: v.exactOptional(
    told(
      field.edgeArn('wafv2', 'global/webacl'),
      'Your own firewall in front of the edge and of downloads, instead of ours. It must be in us-east-1.',
    ),
  ),
  addressRequestsPerMinute: v.exactOptional(
    told(
      field.addressRate,
      'How many requests one address may send to the edge in a minute, with or without a key. Downloads by links do not count. The firewall that counts them costs about 6 USD a month, and CloudFormation can only create it in us-east-1.',
    ),
  ),
  edgeSecretGeneration: v.optional(
    told(
      field.count,
      'Raise it by one to give the edge a new secret, and links to downloads a new key. The previous ones stay valid until the next change.',
    ),
    1,
  ),
  edgeSecretSha256: v.optional(
    told(
      v.array(field.sha256),
      'For your own edge: the SHA-256, in hex, of the secrets that it may send as `x-genway-edge`. Requests without one of them are then refused.',
    ),
    [],
  ),
  downloads: v.exactOptional(
    told(
      v.strictObject({
        url: told(field.url, 'Where links to downloads lead.'),
        keyPairId: told(v.string(), 'The name of the key that they are signed with.'),
      }),
      'For a local run, whose edge takes the place of CloudFront in front of the buckets too. With `edge: "none"` links otherwise lead to S3.',
    ),
  ),
  throttle: v.optional(
    told(
      v.strictObject({
        requestsPerSecond: told(field.count, 'On average.'),
        burst: told(field.count, 'At once.'),
      }),
      'How much of the account’s capacity requests to this stage may use, with or without a key.',
    ),
    { requestsPerSecond: 1_000, burst: 2_000 },
  ),
};

export const uploads = {
  largeUploads: v.optional(
    told(
      v.picklist(['fargate', 'off']),
      'How files over 4 MiB are handled: by a server on Fargate, or with a 413 that names that limit.',
    ),
    'fargate',
  ),
  uploadTasks: v.optional(
    told(
      v.pipe(
        v.strictObject({ min: told(field.count, 'When idle.'), max: told(field.count, 'Under load.') }),
        v.check(({ min, max }) => min <= max, 'min must be at most max'),
      ),
      'How many tasks receive large uploads. Two or more are spread over two zones.',
    ),
    { min: 1, max: 10 },
  ),
  uploadBaseImage: v.exactOptional(
    told(
      field.imageByDigest,
      'The base image of the upload server: a Node.js 24 for arm64, named by its digest, so that nobody can replace it. By default the image that the Dockerfile names.',
    ),
  ),
  vpc: v.exactOptional(
    told(
      v.strictObject({
        id: told(
          field.vpcId,
          'It must have an internet gateway, because CloudFront refuses a VPC without one.',
        ),
        availabilityZones: told(
          v.pipe(v.array(v.string()), v.minLength(2)),
          'The zones of the subnets, in the same order.',
        ),
        serverSubnets: told(
          field.subnets,
          'The subnets of the tasks. They need a route to S3, DynamoDB, ECR and CloudWatch Logs.',
        ),
        loadBalancerSubnets: told(
          field.subnets,
          'The subnets of the load balancer. They must not be reachable from the internet.',
        ),
        publicAddresses: v.optional(
          told(
            v.boolean(),
            'Whether the tasks get public addresses, for subnets without a NAT gateway or endpoints.',
          ),
          false,
        ),
      }),
      'Your own network for the upload server. Without it the stack creates one, only for this server.',
    ),
  ),
};
