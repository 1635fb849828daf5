import { describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { stageConfig } from '../../../lib/stage/config.ts';
import { JobsTable } from '../../../lib/stores/videos.ts';
import { emptyStack } from './empty-stack.ts';

function indexes(changes = {}) {
  const stack = emptyStack();
  new JobsTable(stack, 'Jobs', { ...stageConfig('prod'), ...changes });
  const [table] = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable'));
  const all: { IndexName: string; Projection: { ProjectionType: string } }[] =
    table?.Properties.GlobalSecondaryIndexes;
  return all.map(({ IndexName, Projection }) => [IndexName, Projection.ProjectionType]);
}

describe('the jobs table', () => {
  test('has no complete rows in an index, because every poll would write them again', () => {
    expect(indexes()).toEqual([
      ['of-workspace', 'INCLUDE'],
      ['by-status', 'INCLUDE'],
      ['overdue', 'INCLUDE'],
    ]);
  });

  test('keeps the index of earlier versions for the first of two deployments', () => {
    expect(indexes({ keepsOldIndexes: true })).toContainEqual(['by-workspace', 'ALL']);
  });
});
