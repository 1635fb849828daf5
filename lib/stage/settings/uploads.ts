import * as v from 'valibot';
import * as field from '../fields.ts';
import { told } from '../told.ts';

export const uploads = {
  largeUploads: v.optional(
    told(
      v.picklist(['fargate', 'off']),
      'Files over 4 MiB: a server on Fargate, or a 413 that names that limit.',
    ),
    'fargate',
  ),
  uploadTasks: v.optional(
    told(
      v.pipe(
        v.strictObject({ min: told(field.count, 'When idle.'), max: told(field.count, 'Under load.') }),
        v.check(({ min, max }) => min <= max, 'min must be at most max'),
      ),
      'How many tasks receive large uploads: from two on they are in two zones.',
    ),
    { min: 1, max: 10 },
  ),
  uploadBaseImage: v.exactOptional(
    told(
      field.imageByDigest,
      'What the image of the upload server is built on: a Node.js 24 for arm64, by its digest, so that nobody can put another in its place. Else the one that its Dockerfile names.',
    ),
  ),
  vpc: v.exactOptional(
    told(
      v.strictObject({
        id: told(field.vpcId, 'It must have an internet gateway, as CloudFront refuses a VPC without one.'),
        availabilityZones: told(
          v.pipe(v.array(v.string()), v.minLength(2)),
          'Of the subnets, in their order.',
        ),
        serverSubnets: told(
          field.subnets,
          'Where the tasks are. They need a way to S3, DynamoDB, ECR and CloudWatch Logs.',
        ),
        loadBalancerSubnets: told(
          field.subnets,
          'Where the load balancer is; without a way from the internet.',
        ),
        publicAddresses: v.optional(
          told(
            v.boolean(),
            'Whether the tasks get public addresses: for subnets without a NAT gateway or endpoints.',
          ),
          false,
        ),
      }),
      'A network of yours for the upload server. Without it the stack makes one, which holds nothing else.',
    ),
  ),
};
