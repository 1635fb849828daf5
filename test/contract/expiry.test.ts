import { readFileSync } from 'node:fs';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { DescribeTimeToLiveCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { STACK } from '../../local/deployment/deploy.ts';
import { stage } from './stage.ts';

const templateSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    Resources: v.record(
      v.string(),
      v.object({
        Type: v.string(),
        Properties: v.optional(
          v.looseObject({ TimeToLiveSpecification: v.optional(v.object({ AttributeName: v.string() })) }),
        ),
      }),
    ),
  }),
);

/** The names that the emulator gave to the template's resources, by their logical ids. */
async function physicalIds(): Promise<Map<string, string>> {
  const client = new CloudFormationClient(stage.aws);
  const ids = new Map<string, string>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client },
    { StackName: STACK },
  )) {
    for (const { LogicalResourceId = '', PhysicalResourceId = '' } of StackResourceSummaries) {
      ids.set(LogicalResourceId, PhysicalResourceId);
    }
  }
  return ids;
}

test('rows expire by the attributes that the template names', async () => {
  const { Resources } = v.parse(templateSchema, readFileSync(stage.template, 'utf8'));
  const expiring = Object.entries(Resources).flatMap(([id, { Type, Properties }]) =>
    Type === 'AWS::DynamoDB::GlobalTable' && Properties?.TimeToLiveSpecification
      ? [{ id, attribute: Properties.TimeToLiveSpecification.AttributeName }]
      : [],
  );
  expect(expiring.length).toBeGreaterThan(3);
  const client = new DynamoDBClient(stage.aws);
  const names = await physicalIds();
  for (const { id, attribute } of expiring) {
    const TableName = names.get(id);
    const told = await client.send(new DescribeTimeToLiveCommand({ TableName }));
    expect([id, told.TimeToLiveDescription]).toEqual([
      id,
      { TimeToLiveStatus: 'ENABLED', AttributeName: attribute },
    ]);
  }
});
