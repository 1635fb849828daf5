import { type DynamoDBDocumentClient, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { conditionFailed, oldItem } from './conditions.ts';

export type ConditionalUpdate = Omit<UpdateCommandInput, 'ReturnValuesOnConditionCheckFailure'>;

const tokenOfRow = v.object({ token: v.exactOptional(v.string()) });

/**
 * Whether the condition held and the row was changed.
 * @param token that the update writes, a new one each time: when an answer is lost, the repeated write recognises its
 * own work by it
 */
export async function updateWhere(
  client: DynamoDBDocumentClient,
  update: ConditionalUpdate,
  token?: string,
): Promise<boolean> {
  try {
    await client.send(new UpdateCommand({ ...update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }));
    return true;
  } catch (error) {
    if (!conditionFailed(error)) throw error;
    return token !== undefined && oldItem(error, tokenOfRow)?.token === token;
  }
}
