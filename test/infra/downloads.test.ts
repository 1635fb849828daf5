import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { downloadsProgram } from '../../lib/edge/program.ts';
import { distributionOf } from './distribution.ts';
import { programsOf } from './roles.ts';
import { synthesize, WITHOUT_EDGE } from './template.ts';

let prod: Template;
beforeAll(async () => {
  prod = await synthesize('prod');
});

const LINKING = ['get-file-content', 'get-video', 'get-video-content', 'list-videos'];

const idsOf = (template: Template, type: string) => Object.keys(template.findResources(type));
const derivedKey = (template: Template, generation: number) => ({
  'Fn::GetAtt': [idsOf(template, 'Custom::GenwayValues')[0], `DownloadsKey${generation}`],
});

const behaviours = () => {
  const { DefaultCacheBehavior, CacheBehaviors } = distributionOf(prod, 'Downloads').config;
  return [DefaultCacheBehavior, ...CacheBehaviors];
};

describe('the distribution of downloads', () => {
  test('answers nobody without a link that the stage has signed', () => {
    const [group] = idsOf(prod, 'AWS::CloudFront::KeyGroup');
    for (const { TrustedKeyGroups } of behaviours()) expect(TrustedKeyGroups).toEqual([{ Ref: group }]);
    prod.hasResourceProperties('AWS::CloudFront::PublicKey', {
      PublicKeyConfig: Match.objectLike({ EncodedKey: derivedKey(prod, 1) }),
    });
  });

  test('only reads, only over https', () => {
    for (const behaviour of behaviours()) {
      expect(behaviour.AllowedMethods.toSorted()).toEqual(['GET', 'HEAD', 'OPTIONS']);
      expect(behaviour.ViewerProtocolPolicy).toBe('https-only');
    }
  });

  test('caches nothing, so that what is deleted is gone', () => {
    const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
    for (const { CachePolicyId } of behaviours()) expect(CachePolicyId).toBe(cachingDisabled);
  });

  test('tells the buckets nothing of a request but its range, its conditions and its origin', () => {
    const corsS3Origin = '88a5eaf4-2fd4-4709-b370-b4c650ea3fcf';
    for (const { OriginRequestPolicyId } of behaviours()) expect(OriginRequestPolicyId).toBe(corsS3Origin);
  });

  test('shows files as downloads, and results as they are stored', () => {
    const [files, results, ...others] = behaviours();
    expect(others).toEqual([]);
    const program = idsOf(prod, 'AWS::CloudFront::Function').find((id) => id.startsWith('Downloads'));
    expect(files.FunctionAssociations).toEqual([
      { EventType: 'viewer-response', FunctionARN: { 'Fn::GetAtt': [program, 'FunctionARN'] } },
    ]);
    expect(results.PathPattern).toBe('kept-*');
    expect(results).not.toHaveProperty('FunctionAssociations');
    prod.hasResourceProperties('AWS::CloudFront::Function', { FunctionCode: downloadsProgram() });
  });

  test.each([
    ['FilesBucket', 'DefaultCacheBehavior'],
    ['VideosResults', 'CacheBehaviors'],
  ])('%s lets it read objects, and nobody else', (bucket, behaviour) => {
    const { id, config } = distributionOf(prod, 'Downloads');
    const [{ TargetOriginId }] = [config[behaviour]].flat();
    const { DomainName } = config.Origins.find(({ Id }: { Id: string }) => Id === TargetOriginId);
    expect(DomainName['Fn::GetAtt'][0]).toMatch(new RegExp(`^${bucket}`));
    const policies = Object.entries(prod.findResources('AWS::S3::BucketPolicy'));
    const [, policy] = policies.find(([name]) => name.startsWith(bucket)) ?? [];
    const allowed = policy!.Properties.PolicyDocument.Statement.filter(
      ({ Effect }: { Effect: string }) => Effect === 'Allow',
    );
    expect(allowed).toEqual([
      expect.objectContaining({
        Action: 's3:GetObject',
        Principal: { Service: 'cloudfront.amazonaws.com' },
        Condition: { StringEquals: { 'AWS:SourceArn': expect.objectContaining({}) } },
      }),
    ]);
    expect(JSON.stringify(allowed[0].Condition)).toContain(`"${id}"`);
  });

  test('tells browsers to use https, and to take no type but the one that is sent', () => {
    const securityHeaders = '67f7725c-6f97-4210-82d7-5512b31e9d03';
    for (const { ResponseHeadersPolicyId } of behaviours()) {
      expect(ResponseHeadersPolicyId).toBe(securityHeaders);
    }
  });

  test('is behind the deployer’s own firewall, if there is one', async () => {
    expect(distributionOf(prod, 'Downloads').config).not.toHaveProperty('WebACLId');
    const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/w/1';
    const { config } = distributionOf(await synthesize('prod', { webAclArn }), 'Downloads');
    expect(config.WebACLId).toBe(webAclArn);
  });
});

describe('the key of links', () => {
  test('is one from which KMS derives with HMAC and SHA-256, and stays there', () => {
    const [id = ''] = idsOf(prod, 'AWS::KMS::Key').filter((each) => each.startsWith('DownloadsKey'));
    const { KeySpec, KeyUsage } = prod.findResources('AWS::KMS::Key')[id]!.Properties;
    expect([KeySpec, KeyUsage]).toEqual(['HMAC_256', 'GENERATE_VERIFY_MAC']);
    // The values are derived anew when the key is another one.
    prod.hasResourceProperties('Custom::GenwayValues', { DownloadsKeyId: { Ref: id } });
  });
});

describe('a new generation of the key', () => {
  test('may wait for its right, but not for longer than CloudFormation waits for it', () => {
    const [values] = Object.values(prod.findResources('Custom::GenwayValues'));
    const [derive = ''] = values!.Properties.ServiceToken['Fn::GetAtt'];
    const { Timeout } = prod.findResources('AWS::Lambda::Function')[derive]!.Properties;
    expect(Timeout).toBeGreaterThan(60);
    expect(Timeout).toBeLessThan(Number(values!.Properties.ServiceTimeout));
  });

  test('is one that CloudFront has not seen, although the stage was destroyed and deployed again', () => {
    for (const { Properties } of Object.values(prod.findResources('AWS::CloudFront::PublicKey'))) {
      const { EncodedKey, CallerReference } = Properties.PublicKeyConfig;
      const [, parts] = CallerReference['Fn::Join'];
      expect(parts).toContainEqual({ 'Fn::Select': [2, { 'Fn::Split': ['\n', EncodedKey] }] });
    }
  });

  test('signs new links, while those of the one before still work', async () => {
    const third = await synthesize('prod', { edgeSecretGeneration: 3 });
    const keys = Object.values(third.findResources('AWS::CloudFront::PublicKey'));
    expect(keys.map(({ Properties }) => Properties.PublicKeyConfig.EncodedKey)).toEqual(
      [3, 2, 4].map((generation) => derivedKey(third, generation)),
    );
    const ids = idsOf(third, 'AWS::CloudFront::PublicKey');
    third.hasResourceProperties('AWS::CloudFront::KeyGroup', {
      KeyGroupConfig: Match.objectLike({ Items: ids.map((Ref) => ({ Ref })) }),
    });
    const { variables } = programsOf(third).find(({ name }) => name === 'get-video')!;
    expect(variables).toMatchObject({ DOWNLOADS_KEY_PAIR: { Ref: ids[0] }, DOWNLOADS_KEY_GENERATION: '3' });
  });

  test('is a key that CloudFront already knows, because it takes minutes to learn one', async () => {
    const second = await synthesize('prod', { edgeSecretGeneration: 2 });
    const before = prod.findResources('AWS::CloudFront::PublicKey');
    const [signing = ''] = idsOf(second, 'AWS::CloudFront::PublicKey');
    expect(before[signing]).toEqual(second.findResources('AWS::CloudFront::PublicKey')[signing]);
    expect(idsOf(prod, 'AWS::CloudFront::PublicKey')[0]).not.toBe(signing);
  });
});

describe('the functions that make links', () => {
  const rightsOf = (template: Template, name: string) =>
    programsOf(template)
      .find((each) => each.name === name)!
      .statements.flatMap(({ Action, Resource }) =>
        Action.map((action) => `${action} ${JSON.stringify(Resource)}`),
      );

  test.each(LINKING)('%s may not read any object, and derives from the key of links alone', (name) => {
    const rights = rightsOf(prod, name);
    expect(rights.filter((right) => right.startsWith('s3:'))).toEqual([]);
    const macs = rights.filter((right) => right.startsWith('kms:GenerateMac'));
    expect(macs).toEqual([expect.stringContaining('"DownloadsKey')]);
  });

  test('keep the rights of the version before until the distribution exists', () => {
    const roles = Object.entries(prod.findResources('AWS::IAM::Role'));
    const signers = roles.filter(
      ([id, { Properties }]) =>
        !id.includes('Derive') && JSON.stringify(Properties).includes('"DownloadsKey'),
    );
    expect(signers).toHaveLength(LINKING.length);
    const { id } = distributionOf(prod, 'Downloads');
    for (const [, { DependsOn }] of signers) expect(DependsOn).toContain(id);
  });

  test('are the only ones that know the key, beside the one that publishes it', () => {
    const knowing = programsOf(prod).filter(({ variables }) => 'DOWNLOADS_KEY_ID' in variables);
    expect(knowing.map(({ name }) => name).toSorted()).toEqual([...LINKING, 'derive-values'].toSorted());
  });

  test.each([
    ['get-file-content', 'FilesBucket'],
    ['get-video', 'VideosResults'],
    ['get-video-content', 'VideosResults'],
    ['list-videos', 'VideosResults'],
  ])('%s makes links to S3 where the stage has no edge, and may read %s for them', async (name, bucket) => {
    const none = await synthesize('prod', WITHOUT_EDGE);
    const { variables } = programsOf(none).find((each) => each.name === name)!;
    expect(variables).not.toHaveProperty('DOWNLOADS_URL');
    expect(rightsOf(none, name).filter((right) => right.startsWith('s3:'))).toEqual([
      expect.stringMatching(new RegExp(`^s3:GetObject .*"${bucket}`)),
    ]);
    none.resourceCountIs('AWS::CloudFront::PublicKey', 0);
  });
});
