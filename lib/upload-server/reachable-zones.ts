/**
 * Zones that VPC origins support. CloudFront's documentation excludes one zone in each of these regions; in one of them
 * Fargate excludes it too. The letters of zones differ between accounts, their ids do not.
 */
export const REACHABLE_ZONES: Readonly<Record<string, readonly string[]>> = {
  'us-east-1': ['use1-az1', 'use1-az2', 'use1-az4', 'use1-az5', 'use1-az6'],
  'us-west-1': ['usw1-az1', 'usw1-az3'],
  'ap-northeast-1': ['apne1-az1', 'apne1-az2', 'apne1-az4'],
  'ca-central-1': ['cac1-az1', 'cac1-az2', 'cac1-az4'],
};
