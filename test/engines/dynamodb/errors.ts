import { ServiceError } from '../service.ts';
import type { Item } from './value.ts';

/** The request is invalid, in itself or for this row. */
export class ValidationFailed extends ServiceError {
  constructor(message: string) {
    super('ValidationException', message);
  }
}

/** @param item the row, if the request asks for it */
export class ConditionFailed extends ServiceError {
  constructor(item: Item | undefined) {
    const details = item === undefined ? {} : { Item: item };
    super('ConditionalCheckFailedException', 'The conditional request failed', 400, details);
  }
}

export class ItemInTransaction extends ServiceError {
  constructor() {
    super('TransactionConflictException', 'Transaction is ongoing for the item');
  }
}

export class ResourceMissing extends ServiceError {
  constructor() {
    super('ResourceNotFoundException', 'Requested resource not found');
  }
}
