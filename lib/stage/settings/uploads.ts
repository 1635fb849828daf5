import * as v from 'valibot';
import * as field from '../fields.ts';
import { told } from '../told.ts';

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
