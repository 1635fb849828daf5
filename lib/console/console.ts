import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CustomResource, Duration } from 'aws-cdk-lib';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { variables } from '../../functions/environment-names.ts';
import { SITE } from '../../functions/site.ts';
import { BUNDLES } from '../bundling/folders.ts';
import { asInterface } from '../constructs/as-interface.ts';
import { Bucket } from '../constructs/bucket.ts';
import { GenwayFunction } from '../constructs/program.ts';
import type { Settings } from '../programs/settings.ts';
import type { StageConfig } from '../stage/config.ts';
import { contentSecurityPolicy } from './page-headers.ts';

interface ConsoleProps {
  readonly config: StageConfig;
  readonly settings: Settings;
  /** The origins that signed links lead to, whose videos and images the page shows. */
  readonly storage: readonly string[];
}

/** The static pages at `/console`, in a bucket that only the edge may read. They call the API like any client. */
export class Console extends Construct {
  readonly bucket: Bucket;
  /** What the edge does with the console's paths. */
  readonly behavior: BehaviorOptions;

  constructor(scope: Construct, id: string, { config, settings, storage }: ConsoleProps) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', { config, variable: variables.consoleBucket });
    this.#publish(config, settings);
    this.behavior = {
      origin: S3BucketOrigin.withOriginAccessControl(asInterface<IBucket>(this.bucket)),
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      // Each file sets its own cache lifetime.
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: this.#headers(storage),
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      compress: true,
    };
  }

  #publish(config: StageConfig, settings: Settings): void {
    const timeout = Duration.minutes(2);
    const publisher = new GenwayFunction(this, 'Publish', {
      config,
      name: 'publish-console',
      timeout,
      can: [settings.privateHosts, this.bucket.writer],
    });
    const site = readFileSync(join(BUNDLES, 'publish-console', SITE));
    const published = new CustomResource(this, 'Published', {
      resourceType: 'Custom::GenwayConsole',
      serviceToken: publisher.functionArn,
      serviceTimeout: timeout,
      // A changed digest publishes the pages again.
      properties: { Digest: createHash('sha256').update(site).digest('hex') },
    });
    // The publisher's role is a separate resource, and must be complete before the function is called.
    published.node.addDependency(publisher);
  }

  #headers(storage: readonly string[]): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'Headers', {
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy(storage), override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: {
          accessControlMaxAge: Duration.days(730),
          includeSubdomains: true,
          override: true,
        },
      },
    });
  }
}
