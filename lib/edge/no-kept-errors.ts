import { Duration } from 'aws-cdk-lib';
import type { ErrorResponse } from 'aws-cdk-lib/aws-cloudfront';

/** Those that CloudFront may keep. */
const STATUSES = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

/**
 * CloudFront keeps an error for ten seconds, whatever the cache policy says and, for most, whatever `no-store` says. All
 * who ask for the same path, such as the list of their own videos, would get one caller's error.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-expiration.html
 */
export const NO_KEPT_ERRORS: ErrorResponse[] = STATUSES.map((httpStatus) => ({
  httpStatus,
  ttl: Duration.seconds(0),
}));
