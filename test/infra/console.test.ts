import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { SITE, siteSchema } from '../../functions/site.ts';
import { BUNDLES } from '../../lib/bundling/folders.ts';
import { distributionOf } from './distribution.ts';
import { programsOf } from './roles.ts';
import { synthesize, WITHOUT_EDGE } from './template.ts';

const prod = await synthesize('prod');
const [bucket = ''] = Object.keys(prod.findResources('AWS::S3::Bucket')).filter((id) =>
  id.startsWith('Console'),
);
const { CacheBehaviors, DefaultCacheBehavior } = distributionOf(prod, 'Edge').config;
const behaviours = CacheBehaviors.filter(({ PathPattern }: { PathPattern: string }) =>
  PathPattern.startsWith('/console'),
);

describe('the console', () => {
  test('is on the two paths of its files, over https, read-only', () => {
    expect(behaviours.map(({ PathPattern }: { PathPattern: string }) => PathPattern)).toEqual([
      '/console',
      '/console/*',
    ]);
    for (const behaviour of behaviours) {
      expect(behaviour.AllowedMethods).toEqual(['GET', 'HEAD']);
      expect(behaviour.ViewerProtocolPolicy).toBe('https-only');
      // The function serves the same page for every path that is not a file.
      expect(behaviour.FunctionAssociations).toEqual(DefaultCacheBehavior.FunctionAssociations);
      // Neither the caller's key nor a cookie may reach the bucket.
      expect(behaviour.OriginRequestPolicyId).toBeUndefined();
    }
  });

  test('may load its own files, and what signed links lead to', () => {
    const policies = Object.entries(prod.findResources('AWS::CloudFront::ResponseHeadersPolicy'));
    const [, headers] = policies.find(([id]) => id.startsWith('Console'))!;
    const { SecurityHeadersConfig } = headers.Properties.ResponseHeadersPolicyConfig;
    const policy = JSON.stringify(SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    for (const directive of ['media-src blob:', "connect-src 'self'"]) {
      expect(policy).toMatch(new RegExp(`${directive} https://",{"Fn::GetAtt":\\["DownloadsDistribution`));
    }
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(SecurityHeadersConfig.FrameOptions.FrameOption).toBe('DENY');
  });

  test('can only be read by this distribution', () => {
    prod.hasResourceProperties('AWS::S3::BucketPolicy', {
      Bucket: { Ref: bucket },
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: 's3:GetObject',
            Effect: 'Allow',
            Principal: { Service: 'cloudfront.amazonaws.com' },
            Condition: { StringEquals: { 'AWS:SourceArn': Match.anyValue() } },
          }),
        ]),
      },
    });
  });

  test('is written by its publisher, which can do nothing else', () => {
    const publisher = programsOf(prod).find(({ name }) => name === 'publish-console');
    const actions = publisher!.statements.flatMap(({ Action }) => Action).toSorted();
    expect(actions).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents', 's3:PutObject']);
    expect(
      v.parse(siteSchema, readFileSync(join(BUNDLES, 'publish-console', SITE), 'utf8')).at(-1)?.key,
    ).toBe('console');
  });

  test.each([
    ['the setting', { console: false }],
    ['an edge', WITHOUT_EDGE],
  ] as const)('does not exist without %s', async (_, changes) => {
    const template = await synthesize('prod', changes);
    expect(
      Object.keys(template.findResources('AWS::S3::Bucket')).some((id) => id.startsWith('Console')),
    ).toBe(false);
    template.resourceCountIs('Custom::GenwayConsole', 0);
    expect(template.findOutputs('ConsoleUrl')).toEqual({});
  });
});
