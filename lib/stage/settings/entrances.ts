import * as v from 'valibot';
import { oidcSettingsSchema } from '../../../functions/keys/oidc-settings.ts';
import * as field from './fields.ts';
import { told } from './fields.ts';

export const edge = {
  edge: v.optional(
    told(
      v.picklist(['cloudfront', 'none']),
      'What is in front of the API: a CloudFront distribution of this stack, or nothing, for example if you have your own edge. With `none`, callers use the `domain` of your own edge, or API Gateway’s own URL.',
    ),
    'cloudfront',
  ),
  domain: v.exactOptional(
    told(
      v.strictObject({
        name: told(
          field.hostName,
          'The domain name that callers use. With `edge: "cloudfront"`, point its DNS record to the output `EdgeDomain`, unless `own.hostedZoneId` names its zone. Without a domain, callers use CloudFront’s own name, which is lost with the distribution and accepts TLS 1.0.',
        ),
        certificateArn: v.exactOptional(
          told(
            field.edgeArn('acm', 'certificate'),
            'The certificate of the domain. It must be in us-east-1, because CloudFront uses it.',
          ),
        ),
      }),
      'The domain name of the stage.',
    ),
  ),
  securityContact: v.exactOptional(
    told(
      v.pipe(v.string(), v.regex(/^(https:\/\/|mailto:)[!-~]+$/, 'must be an https: or mailto: address')),
      'Where to report a vulnerability of this deployment, such as `mailto:security@example.com`. The edge serves it at `/.well-known/security.txt`. Without it, there is no such file.',
    ),
  ),
  console: v.optional(
    told(
      v.boolean(),
      'Whether the edge serves the console at `/console`: static pages that call the API with the session of the person who signs in. With `edge: "none"`, there is no console.',
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
      'Your own firewall in front of the edge and of downloads, instead of the one that `addressRequestsPerMinute` creates. It must be in us-east-1.',
    ),
  ),
  addressRequestsPerMinute: v.exactOptional(
    told(
      field.addressRate,
      'Maximum number of requests per minute from one IP address to the edge, with or without a key. Downloads by links do not count. The firewall that counts them costs about 6 USD a month, and CloudFormation can only create it in us-east-1.',
    ),
  ),
  edgeSecretGeneration: v.optional(
    told(
      field.count,
      'Increase it by one to rotate the secret of the edge and the key that signs download links. The previous ones stay valid until the next change.',
    ),
    1,
  ),
  edgeSecretSha256: v.optional(
    told(
      v.array(field.sha256),
      'For your own edge: the SHA-256, in hexadecimal, of the secrets that it may send as `x-genway-edge`. Genway then refuses requests without one of them.',
    ),
    [],
  ),
  downloads: v.exactOptional(
    told(
      v.strictObject({
        url: told(field.url, 'The URL that download links begin with.'),
        keyPairId: told(v.string(), 'The name of the key that signs the links.'),
      }),
      'For a local run, whose edge also replaces CloudFront in front of the buckets. With `edge: "none"`, links otherwise lead to S3.',
    ),
  ),
  throttle: v.optional(
    told(
      v.strictObject({
        requestsPerSecond: told(field.count, 'Requests per second on average.'),
        burst: told(field.count, 'Number of requests that may arrive at once, above the average rate.'),
      }),
      'How much of the account’s API Gateway capacity the requests to this stage may use, with or without a key.',
    ),
    { requestsPerSecond: 1_000, burst: 2_000 },
  ),
};

export const uploads = {
  largeUploads: v.optional(
    told(
      v.picklist(['fargate', 'off']),
      'How uploads of more than 4 MiB in one request are handled: by a server on Fargate, or with a 413.',
    ),
    'fargate',
  ),
  uploadTasks: v.optional(
    told(
      v.pipe(
        v.strictObject({
          min: told(field.count, 'Number of tasks when idle.'),
          max: told(field.count, 'Maximum number of tasks under load.'),
        }),
        v.check(({ min, max }) => min <= max, 'min must be at most max'),
      ),
      'Number of tasks that receive large uploads. Two or more tasks are spread over two zones.',
    ),
    { min: 1, max: 10 },
  ),
  uploadBaseImage: v.exactOptional(
    told(
      field.imageByDigest,
      'The base image of the upload server: Node.js 24 for arm64, with its digest, so that nobody can replace it. Default: the image in the Dockerfile.',
    ),
  ),
  vpc: v.exactOptional(
    told(
      v.strictObject({
        id: told(
          field.vpcId,
          'ID of the VPC. It must have an internet gateway, because CloudFront refuses a VPC without one.',
        ),
        availabilityZones: told(
          v.pipe(v.array(v.string()), v.minLength(2)),
          'The zones of the subnets, in the order of `serverSubnets` and of `loadBalancerSubnets`.',
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
      'Your own network for the upload server. Without it, the stack creates a VPC for this server only.',
    ),
  ),
};
