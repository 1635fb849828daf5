import { Duration } from 'aws-cdk-lib';
import type { Distribution, ErrorResponse } from 'aws-cdk-lib/aws-cloudfront';
import { acceptFinding } from '../constructs/accept-finding.ts';

/** Both distributions are for callers anywhere. */
export function acceptOpen(distribution: Distribution): void {
  acceptFinding(
    distribution,
    'CFR1',
    'Callers may be anywhere; a firewall of the deployer’s can say otherwise',
  );
  acceptFinding(distribution, 'CFR2', 'The deployer’s to choose: the setting webAclArn');
}

/**
 * All that CloudFront may keep and takes a setting for. It keeps 412 and 415 only as long as an origin's `max-age` says,
 * and no error of ours has one. Its documentation names no others, such as 401, 410 or 429.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
 */
const STATUSES = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

/**
 * CloudFront keeps an error for ten seconds, whatever the cache policy says and, from 500 on, whatever `no-store` says.
 * All who ask for the same path, such as the list of their own videos, would get one caller's error. Each still gets the
 * origin's own body: only a `ResponsePagePath` would replace it.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-expiration.html
 */
export const NO_KEPT_ERRORS: ErrorResponse[] = STATUSES.map((httpStatus) => ({
  httpStatus,
  ttl: Duration.seconds(0),
}));
