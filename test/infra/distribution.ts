import type { Template } from 'aws-cdk-lib/assertions';

/** One of the stack's two distributions, by the part of the stack that it belongs to. */
export function distributionOf(template: Template, part: 'Edge' | 'Downloads') {
  const all = Object.entries(template.findResources('AWS::CloudFront::Distribution'));
  const [found] = all.filter(([id]) => id.startsWith(part));
  if (found === undefined) throw new Error(`${part} has no distribution`);
  const [id, resource] = found;
  return { id, config: resource.Properties.DistributionConfig, dependsOn: resource.DependsOn };
}
