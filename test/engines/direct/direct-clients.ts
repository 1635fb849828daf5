import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  IdempotentParameterMismatchException,
  InternalServerError,
  ResourceNotFoundException,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { KMSClient, KMSServiceException } from '@aws-sdk/client-kms';
import { SQSClient, SQSServiceException } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ServiceError } from '../service.ts';
import type { DirectCaller } from './direct-caller.ts';
import { fromWire, toWire } from './wire-values.ts';

interface Command {
  readonly input: object;
}

const OPERATIONS: Readonly<Record<string, string>> = {
  GetCommand: 'GetItem',
  PutCommand: 'PutItem',
  UpdateCommand: 'UpdateItem',
  DeleteCommand: 'DeleteItem',
  QueryCommand: 'Query',
  ScanCommand: 'Scan',
  BatchGetCommand: 'BatchGetItem',
  BatchWriteCommand: 'BatchWriteItem',
  TransactWriteCommand: 'TransactWriteItems',
};

/** The SDK's paginators check the client's class with `instanceof`, so this client passes that check. */
export function directDynamo(caller: DirectCaller): DynamoDBDocumentClient {
  const send = async (command: Command) => {
    const { name } = command.constructor;
    const operation = OPERATIONS[name];
    if (operation === undefined) throw new Error(`The direct client has no ${name}`);
    // The token lets the service recognize a repeated transaction.
    const token = operation === 'TransactWriteItems' ? { ClientRequestToken: randomUUID() } : {};
    return fromWire(await caller.call(operation, toWire({ ...token, ...command.input })));
  };
  return Object.create(DynamoDBDocumentClient.prototype, { send: { value: send } });
}

export function directSqs(caller: DirectCaller): SQSClient {
  const send = ({ input, constructor: { name } }: Command) => {
    const given = Object.entries(input).filter(([, value]) => value !== undefined);
    return caller.call(name.replace(/Command$/, ''), Object.fromEntries(given));
  };
  return Object.create(SQSClient.prototype, { send: { value: send } });
}

/** Bytes travel as base64. */
export function directKms(caller: DirectCaller): KMSClient {
  const send = async ({ input, constructor: { name } }: Command) => {
    const sent = Object.entries(input).map(([key, value]) => [
      key,
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ]);
    const answer = await caller.call(name.replace(/Command$/, ''), Object.fromEntries(sent));
    const read = Object.entries(answer).map(([key, value]) => [
      key,
      BYTES.includes(key) ? Buffer.from(String(value), 'base64') : value,
    ]);
    return Object.fromEntries(read);
  };
  return Object.create(KMSClient.prototype, { send: { value: send } });
}

const BYTES = ['Mac', 'Plaintext', 'CiphertextBlob'];

const common = ({ message, status }: ServiceError) => ({ message, $metadata: { httpStatusCode: status } });
const faultOf = ({ status }: ServiceError) => (status >= 500 ? ('server' as const) : ('client' as const));

/** The engine's errors for which the SDK has classes. */
const DYNAMODB_ERRORS = {
  ConditionalCheckFailedException,
  IdempotentParameterMismatchException,
  InternalServerError,
  ResourceNotFoundException,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} as const;

const hasClass = (code: string): code is keyof typeof DYNAMODB_ERRORS => code in DYNAMODB_ERRORS;

export function dynamoError(refusal: ServiceError): Error {
  const { code, details } = refusal;
  if (hasClass(code)) return new DYNAMODB_ERRORS[code]({ ...details, ...common(refusal) });
  return new DynamoDBServiceException({ name: code, $fault: faultOf(refusal), ...common(refusal) });
}

export const sqsError = (refusal: ServiceError): Error =>
  new SQSServiceException({ name: refusal.code, $fault: faultOf(refusal), ...common(refusal) });

export const kmsError = (refusal: ServiceError): Error =>
  new KMSServiceException({ name: refusal.code, $fault: faultOf(refusal), ...common(refusal) });
