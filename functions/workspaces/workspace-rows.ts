import type { TransactItem } from '../aws/transact.ts';

/** Parts of others' transactions that need a workspace to be there, and to be told apart from one that is being deleted. */
export const workspaceKey = (id: string) => `WORKSPACE#${id}`;
export const slugKey = (slug: string) => `SLUG#${slug}`;

/** The index lists workspaces by this, oldest first, and apart from them those that are being removed. */
export const WORKSPACE_LISTING = 'workspace';
export const REMOVAL_LISTING = 'removal';

const STANDS = 'attribute_exists(pk) AND attribute_not_exists(removed_at)';

/**
 * A change of how many keys live in a workspace. Who is about to delete the workspace has read an older
 * version and must look again.
 */
export const countLiveKeys = (table: string, id: string, change: number): TransactItem => ({
  Update: {
    TableName: table,
    Key: { pk: workspaceKey(id) },
    UpdateExpression:
      'SET #version = #version + :one, #live_keys = if_not_exists(#live_keys, :none) + :change',
    ConditionExpression: STANDS,
    ExpressionAttributeNames: { '#version': 'version', '#live_keys': 'live_keys' },
    ExpressionAttributeValues: { ':one': 1, ':none': 0, ':change': change },
  },
});

/** The workspace shows what its account goes by. */
export const noteByokInBudgets = (table: string, id: string, included: boolean): TransactItem => ({
  Update: {
    TableName: table,
    Key: { pk: workspaceKey(id) },
    UpdateExpression: 'SET #version = #version + :one, include_byok_in_budgets = :included',
    ConditionExpression: STANDS,
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':one': 1, ':included': included },
  },
});

export const workspaceStands = (table: string, id: string): TransactItem => ({
  ConditionCheck: { TableName: table, Key: { pk: workspaceKey(id) }, ConditionExpression: STANDS },
});
