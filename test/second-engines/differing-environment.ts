import { TestEnvironment } from 'jest-environment-node';

/** Tests that fail on a second engine, as they must: there the engine differs from AWS, or cannot do what AWS does. */
interface Difference {
  /** Of `test/engines/conformance/`. */
  readonly file: string;
  /** Who differs from AWS, and how. docs/second-engines.md says the same. */
  readonly reason: string;
  /** The beginnings of the tests' full names. */
  readonly tests: readonly string[];
}

const WORDS = 'DynamoDB Local refuses this too, as a ValidationException, but in words of its own.';

const DIFFERENCES: readonly Difference[] = [
  {
    file: 'items',
    reason: WORDS,
    tests: [
      'an impossible row is one without its key',
      'an impossible row is one with a key of another type',
      'an impossible row is one with an index key of another type',
      'an impossible row is requested with other attributes than its key',
    ],
  },
  {
    file: 'queries',
    reason: WORDS,
    tests: ['a query sk = :v of', 'a query of an index is never consistent'],
  },
  {
    file: 'queries',
    reason:
      'DynamoDB Local counts 1 MB after the filter. The service does so before it ("Query", FilterExpression).',
    tests: ['a query ends a page at 1 MB of what it has read'],
  },
  {
    file: 'sqs',
    reason: 'ElasticMQ takes batches that are empty or name an id twice ("DeleteMessageBatch", Errors).',
    tests: ['a message is deleted with others of at least one, with different ids'],
  },
  {
    file: 'sqs',
    reason: 'ElasticMQ does not know a queue’s MaximumMessageSize ("SetQueueAttributes").',
    tests: ['a message must not be larger than its queue allows'],
  },
  {
    file: 's3',
    reason: 'VersityGW lists what it has deleted even if asked to be quiet ("DeleteObjects", Quiet).',
    tests: ['an object is deleted in silence'],
  },
];

interface Block {
  readonly name: string;
  readonly parent?: Block;
}

const fullName = ({ name, parent }: Block): string =>
  parent?.parent === undefined ? name : `${fullName(parent)} ${name}`;

/** Lets Jest expect that the tests of the list fail, as if they were written with `test.failing`. */
export default class DifferingEnvironment extends TestEnvironment {
  readonly #expected: readonly string[];

  constructor(...[config, context]: ConstructorParameters<typeof TestEnvironment>) {
    super(config, context);
    const isHere = ({ file }: Difference) =>
      context.testPath.endsWith(`/engines/conformance/${file}.both.test.ts`);
    this.#expected = DIFFERENCES.filter(isHere).flatMap(({ tests }) => tests);
  }

  handleTestEvent({ name, test }: { name: string; test?: Block & { failing: boolean } }): void {
    if (name !== 'test_start' || test === undefined) return;
    if (this.#expected.some((start) => fullName(test).startsWith(start))) test.failing = true;
  }
}
