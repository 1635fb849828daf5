import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
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
