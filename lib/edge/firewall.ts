import { Annotations, Stack } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { COMMON_HEADERS, errorBody } from '../../functions/http/response.ts';
import type { StageConfig } from '../stage/config.ts';

/** CloudFront only takes firewalls from this region, and a stack can only create them in its own region. */
const REGION_OF_FIREWALLS = 'us-east-1';
const WINDOW_SECONDS = 60;
const BODY = 'too-many-requests';

/** The firewall of the edge: the stage's own, or one that counts requests by address, or none if neither is possible. */
export function firewallArn(scope: Construct, config: StageConfig): string | undefined {
  const { webAclArn, addressRequestsPerMinute } = config;
  if (webAclArn !== undefined || addressRequestsPerMinute === undefined) return webAclArn;
  if (Stack.of(scope).region === REGION_OF_FIREWALLS) {
    return new AddressBudget(scope, 'AddressBudget', config.name, addressRequestsPerMinute).arn;
  }
  Annotations.of(scope).addWarningV2(
    'genway:no-address-budget',
    `addressRequestsPerMinute has no effect: a stack outside ${REGION_OF_FIREWALLS} cannot create a firewall for CloudFront. ` +
      `Create one in ${REGION_OF_FIREWALLS} and set it as webAclArn; see docs/fair-shares.md.`,
  );
  return undefined;
}

/** Limits the requests of one address, with or without a key. Above that CloudFront answers, and no code of ours runs. */
class AddressBudget extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, stage: string, requestsPerMinute: number) {
    super(scope, id);
    this.arn = new CfnWebACL(this, 'Firewall', {
      description: `Genway ${stage}: requests by address`,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      customResponseBodies: { [BODY]: refusal(requestsPerMinute) },
      rules: [budgetRule(stage, requestsPerMinute)],
      visibilityConfig: counted(stage, 'firewall'),
    }).attrArn;
  }
}

function refusal(requestsPerMinute: number): CfnWebACL.CustomResponseBodyProperty {
  const message = `Too many requests from this IP address; the limit is ${requestsPerMinute} per minute`;
  const content = JSON.stringify(errorBody({ status: 429, errorType: 'rate_limit_exceeded', message }));
  return { contentType: 'APPLICATION_JSON', content };
}

function budgetRule(stage: string, requestsPerMinute: number): CfnWebACL.RuleProperty {
  const name = 'requests-by-address';
  const headers = Object.entries({ ...COMMON_HEADERS, 'retry-after': String(WINDOW_SECONDS) });
  const customResponse = {
    responseCode: 429,
    customResponseBodyKey: BODY,
    responseHeaders: headers.map(([header, value]) => ({ name: header, value })),
  };
  return {
    name,
    priority: 0,
    statement: {
      rateBasedStatement: {
        limit: requestsPerMinute,
        evaluationWindowSec: WINDOW_SECONDS,
        aggregateKeyType: 'IP',
      },
    },
    action: { block: { customResponse } },
    visibilityConfig: counted(stage, name),
  };
}

function counted(stage: string, what: string): CfnWebACL.VisibilityConfigProperty {
  const metricName = `genway-${stage}-${what}`;
  // Samples would show the headers of requests, including keys, in the AWS console.
  return { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false, metricName };
}
