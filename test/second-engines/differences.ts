export const PARTS = ['conformance', 'contract'] as const;
export type Part = (typeof PARTS)[number];

/** A test that fails on a second engine, as it must: there the engine differs from AWS, or cannot do what AWS does. */
export interface Difference {
  readonly part: Part;
  /** The end of the file's path. */
  readonly file: string;
  /** The beginning of the test's full name. */
  readonly test: string;
  /** Who differs from AWS, and how. docs/second-engines.md says the same. */
  readonly reason: string;
}

const WORDS = 'DynamoDB Local refuses this too, as a ValidationException, but in words of its own.';

const conformance = (file: string, reason: string, ...tests: string[]): Difference[] =>
  tests.map((test) => ({
    part: 'conformance',
    file: `engines/conformance/${file}.both.test.ts`,
    test,
    reason,
  }));

export const DIFFERENCES: readonly Difference[] = [
  ...conformance(
    'items',
    WORDS,
    'an impossible row is one without its key',
    'an impossible row is one with a key of another type',
    'an impossible row is one with an index key of another type',
    'an impossible row is requested with other attributes than its key',
  ),
  ...conformance('queries', WORDS, 'a query sk = :v of', 'a query of an index is never consistent'),
  ...conformance(
    'queries',
    'DynamoDB Local counts 1 MB after the filter. The service does so before it ("Query", FilterExpression).',
    'a query ends a page at 1 MB of what it has read',
  ),
  ...conformance(
    'sqs',
    'ElasticMQ takes batches that are empty or name an id twice ("DeleteMessageBatch", Errors).',
    'a message is deleted with others of at least one, with different ids',
  ),
  ...conformance(
    'sqs',
    'ElasticMQ does not know a queue’s MaximumMessageSize ("SetQueueAttributes").',
    'a message must not be larger than its queue allows',
  ),
  ...conformance(
    's3',
    'VersityGW lists what it has deleted even if asked to be quiet ("DeleteObjects", Quiet).',
    'an object is deleted in silence',
  ),
];
