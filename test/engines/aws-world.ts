import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { VirtualClock } from './clock.ts';
import { DynamoDbEngine } from './dynamodb/dynamodb-engine.ts';
import type { Lag } from './dynamodb/table.ts';
import { EngineHandler, type Network } from './engine-handler.ts';
import { type Call, type FaultPlan, noFaults } from './faults.ts';
import { Journal } from './journal.ts';
import { Process } from './process.ts';
import { seededRandom } from './seeded-random.ts';
import type { Service } from './service.ts';
import { VirtualRetries } from './virtual-retries.ts';

export interface AwsWorldSettings {
  /** @default 1 */
  readonly seed?: number;
  readonly start?: Date;
  /** @default none; can be changed at any time */
  readonly faults?: FaultPlan;
  /** Of a call and its answer together, in milliseconds. @default between 5 and 15, by the seed */
  readonly latency?: (call: Call) => number;
  /** How late indexes and inconsistent reads are, in milliseconds. @default not at all */
  readonly lag?: Lag;
  /** How long a caller waits for an answer, in milliseconds. @default for ever, as the SDK does */
  readonly requestTimeout?: number;
  /** How often the SDK tries. @default 3, as the functions' clients do */
  readonly maxAttempts?: number;
}

/** The AWS that Genway uses, in memory, under one clock and one plan of what goes wrong. */
export class AwsWorld implements Network {
  readonly clock: VirtualClock;
  /** Of this world's seed. */
  readonly random: () => number;
  readonly journal = new Journal();
  readonly latency: (call: Call) => number;
  readonly requestTimeout: number | undefined;
  readonly dynamodb: DynamoDbEngine;
  faults: FaultPlan;
  readonly #maxAttempts: number;

  constructor(settings: AwsWorldSettings = {}) {
    this.clock = new VirtualClock(settings.start);
    this.random = seededRandom(settings.seed ?? 1);
    this.faults = settings.faults ?? noFaults;
    this.latency = settings.latency ?? (() => 5 + 10 * this.random());
    this.requestTimeout = settings.requestTimeout;
    this.#maxAttempts = settings.maxAttempts ?? 3;
    this.dynamodb = new DynamoDbEngine({ clock: this.clock, lag: settings.lag });
  }

  /** Clients of a process of their own, which may die. */
  startProcess(name = 'main') {
    const process = new Process(name);
    const dynamodb = new DynamoDBClient(this.#settings(this.dynamodb.service, process));
    return {
      process,
      dynamodb,
      dynamo: DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } }),
    };
  }

  #settings(service: Service, process: Process) {
    return {
      region: 'us-east-1',
      credentials: { accessKeyId: 'nobody', secretAccessKey: 'none' },
      requestHandler: new EngineHandler(service, this, process),
      retryStrategy: new VirtualRetries(this.#maxAttempts, this.clock, this.random),
      // The engines ask for no signature, which would be two thirds of what a call costs.
      signer: { sign: async <T>(request: T) => request },
    };
  }
}
