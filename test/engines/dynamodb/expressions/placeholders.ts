import { ValidationFailed } from '../errors.ts';
import { readValue } from '../read-value.ts';
import type { Value } from '../value.ts';

export interface PlaceholderInput {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

/** The values of `#names` and `:values` in a request's expressions. Each must be defined and used. */
export class Placeholders {
  readonly #names: ReadonlyMap<string, string>;
  readonly #values: ReadonlyMap<string, Value>;
  readonly #used = new Set<string>();

  constructor(input: PlaceholderInput) {
    const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = input;
    assertNotEmpty('ExpressionAttributeNames', names);
    assertNotEmpty('ExpressionAttributeValues', values);
    this.#names = new Map(Object.entries(names ?? {}));
    this.#values = new Map(
      Object.entries(values ?? {}).map(([name, value]) => [name, readGiven(name, value)]),
    );
  }

  name(alias: string, kind: string): string {
    this.#used.add(alias);
    const name = this.#names.get(alias);
    if (name !== undefined) return name;
    throw new ValidationFailed(
      `Invalid ${kind}: An expression attribute name used in the document path is not defined; attribute name: ${alias}`,
    );
  }

  value(alias: string, kind: string): Value {
    this.#used.add(alias);
    const value = this.#values.get(alias);
    if (value !== undefined) return value;
    throw new ValidationFailed(
      `Invalid ${kind}: An expression attribute value used in expression is not defined; attribute value: ${alias}`,
    );
  }

  assertAllUsed(): void {
    this.#assertUsed('ExpressionAttributeNames', this.#names);
    this.#assertUsed('ExpressionAttributeValues', this.#values);
  }

  #assertUsed(parameter: string, given: ReadonlyMap<string, unknown>): void {
    const unused = [...given.keys()].filter((alias) => !this.#used.has(alias));
    if (unused.length === 0) return;
    throw new ValidationFailed(
      this.#used.size === 0
        ? `${parameter} can only be specified when using expressions`
        : `Value provided in ${parameter} unused in expressions: keys: {${unused.join(', ')}}`,
    );
  }
}

function assertNotEmpty(parameter: string, given: Readonly<Record<string, unknown>> | undefined): void {
  if (given === undefined || Object.keys(given).length > 0) return;
  throw new ValidationFailed(`${parameter} must not be empty`);
}

function readGiven(alias: string, value: unknown): Value {
  try {
    return readValue(value);
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    throw new ValidationFailed(
      `ExpressionAttributeValues contains invalid value: ${error.message} for key ${alias}`,
    );
  }
}
