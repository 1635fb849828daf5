/** One write to an account's row, without its table. */
export interface AccountUpdate {
  readonly Key: { readonly account: string };
  readonly UpdateExpression: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, unknown>;
}

/** Each attribute's alias is its name behind a `#`. DynamoDB refuses aliases that no expression uses. */
export function accountUpdate(
  account: string,
  set: readonly string[],
  when: readonly string[],
  values: Record<string, unknown>,
): AccountUpdate {
  const UpdateExpression = `SET ${set.join(', ')}`;
  const ConditionExpression = when.join(' AND ');
  const aliases = `${UpdateExpression} ${ConditionExpression}`.match(/#\w+/g) ?? [];
  return {
    Key: { account },
    UpdateExpression,
    ...(when.length === 0 ? {} : { ConditionExpression }),
    ExpressionAttributeNames: Object.fromEntries(aliases.map((alias) => [alias, alias.slice(1)])),
    ExpressionAttributeValues: values,
  };
}
