import { ServiceError } from '../service.ts';

export const invalidValue = (reason: string) => new ServiceError('InvalidParameterValue', reason);

export const queueMissing = () =>
  new ServiceError('QueueDoesNotExist', 'The specified queue does not exist.');

export const badHandle = () =>
  new ServiceError('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.');

export const notInFlight = () =>
  new ServiceError('MessageNotInflight', 'The message referred to is not in flight.');
