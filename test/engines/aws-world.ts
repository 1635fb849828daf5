import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { VirtualClock } from './clock.ts';
import { DirectCaller } from './direct/direct-caller.ts';
import {
  directDynamo,
  directKms,
  directSqs,
  dynamoError,
  kmsError,
  sqsError,
} from './direct/direct-clients.ts';
import { DynamoDbEngine } from './dynamodb/dynamodb-engine.ts';
import { type Call, type FaultPlan, Journal, noFaults } from './faults.ts';
import { KmsEngine } from './kms/kms-engine.ts';
import { EngineHandler, type Network, Process, VirtualRetries } from './network.ts';
import { S3Engine } from './s3/s3-engine.ts';
import { exchangeThrough } from './s3/s3-request.ts';
import { seededRandom } from './seeded-random.ts';
import type { JsonService, Service, ServiceError } from './service.ts';
import { SqsEngine } from './sqs/sqs-engine.ts';

export interface AwsWorldSettings {
  /** @default 1 */
  readonly seed?: number;
  readonly start?: Date;
  /** @default none; can be changed at any time */
  readonly faults?: FaultPlan;
  /** The time of a call and its answer together, in milliseconds. @default between 5 and 15, by the seed */
  readonly latency?: (call: Call) => number;
  /** By how many milliseconds indexes and inconsistent reads lag behind. @default none */
  readonly lag?: () => number;
  /** How long a transaction holds its items, in milliseconds. @default 5 */
  readonly transactionMilliseconds?: number;
  /** How long a caller waits for an answer, in milliseconds. @default for ever, like the SDK */
  readonly requestTimeout?: number;
  /** How many attempts the SDK makes. @default 3, like the functions' clients */
  readonly maxAttempts?: number;
  /** Whether the journal stores every call. @default true */
  readonly keepsCalls?: boolean;
  /** Whether tables count the write units that AWS would bill. @default true */
  readonly countsUnits?: boolean;
}

/**
 * The AWS services that Genway uses, in memory, with one clock and one plan of faults:
 *
 *   const world = new AwsWorld({ seed: 7 });
 *   const stage = new DeployedStage(world);
 *   const { dynamo } = world.startProcess('poller');
 *   world.faults = faultAt({ operation: 'UpdateItem', nth: 3 }, 'answer lost');
 *   await new JobStore(dynamo, stage.name('Videos-Jobs'), tell).find('vid_1');
 *
 * The same seed gives the same run if the code under test uses this clock and these random numbers.
 */
export class AwsWorld implements Network {
  readonly clock: VirtualClock;
  /** Random numbers from this world's seed. */
  readonly random: () => number;
  readonly journal: Journal;
  readonly latency: (call: Call) => number;
  readonly requestTimeout: number | undefined;
  readonly dynamodb: DynamoDbEngine;
  readonly s3: S3Engine;
  readonly sqs: SqsEngine;
  readonly kms: KmsEngine;
  faults: FaultPlan;
  readonly #maxAttempts: number;

  constructor(settings: AwsWorldSettings = {}) {
    this.clock = new VirtualClock(settings.start);
    this.journal = new Journal(settings.keepsCalls);
    const seed = settings.seed ?? 1;
    this.random = seededRandom(seed);
    this.faults = settings.faults ?? noFaults;
    this.latency = settings.latency ?? (() => 5 + 10 * this.random());
    this.requestTimeout = settings.requestTimeout;
    this.#maxAttempts = settings.maxAttempts ?? 3;
    this.dynamodb = new DynamoDbEngine({ ...settings, clock: this.clock });
    this.s3 = new S3Engine(this.clock.now);
    this.sqs = new SqsEngine(this.clock, this.random);
    this.kms = new KmsEngine(seed);
  }

  /** Clients for a new process, which a fault can crash. */
  startProcess(name = 'main') {
    const { process, s3, exchange } = this.startLightProcess(name);
    const dynamodb = new DynamoDBClient(this.#settings(this.dynamodb.service, process));
    const dynamo = DynamoDBDocumentClient.from(dynamodb, {
      marshallOptions: { removeUndefinedValues: true },
    });
    const sqs = new SQSClient(this.#settings(this.sqs.service, process));
    const kms = new KMSClient(this.#settings(this.kms.service, process));
    return { process, dynamodb, dynamo, sqs, s3: s3(), kms, exchange };
  }

  /**
   * The same for tests that start many processes. All services except S3 are called without the SDK's layers, which
   * cost several times as much as an engine. An S3 client is only created on demand.
   */
  startLightProcess(name: string) {
    const process = new Process(name);
    return {
      process,
      dynamo: directDynamo(this.#direct(this.dynamodb.service, process, dynamoError)),
      sqs: directSqs(this.#direct(this.sqs.service, process, sqsError)),
      kms: directKms(this.#direct(this.kms.service, process, kmsError)),
      // The engine does not support chunks with trailing checksums, so a body of unknown length is sent as it is.
      s3: () =>
        new S3Client({
          ...this.#settings(this.s3, process),
          forcePathStyle: true,
          requestChecksumCalculation: 'WHEN_REQUIRED',
        }),
      exchange: exchangeThrough(new EngineHandler(this.s3, this, process)),
    };
  }

  #direct(service: JsonService, process: Process, errorOf: (refusal: ServiceError) => Error) {
    const maxAttempts = this.#maxAttempts;
    return new DirectCaller({ service, network: this, process, maxAttempts, random: this.random, errorOf });
  }

  #settings(service: Service, process: Process) {
    return {
      region: 'us-east-1',
      credentials: { accessKeyId: 'nobody', secretAccessKey: 'none' },
      requestHandler: new EngineHandler(service, this, process),
      retryStrategy: new VirtualRetries(this.#maxAttempts, this),
      // The engines need no signature. Signing would take two thirds of a call's time.
      signer: { sign: async <T>(request: T) => request },
    };
  }
}
