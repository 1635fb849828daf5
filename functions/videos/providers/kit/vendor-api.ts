import * as v from 'valibot';
import { readUpstreamError } from '../../../upstream/upstream-error.ts';
import { type ProviderContext, ProviderError } from '../provider.ts';
import { authorization } from './credential.ts';
import { type ProviderReply, type ProviderRequest, send } from './http-exchange.ts';
import { endpoint } from './own-address.ts';
import { type ErrorMap, errorOf } from './reply-error.ts';

export interface Vendor {
  /** The vendor's own address; a stage may name another. */
  readonly base: string;
  /** The headers of every call. @default the key as a bearer token */
  readonly headers?: (context: ProviderContext) => Readonly<Record<string, string>>;
  readonly errors: ErrorMap;
}

/** Reaches a vendor's API for a job. */
export const vendorApi =
  (vendor: Vendor) =>
  (context: ProviderContext): VendorApi =>
    new VendorApi(context, vendor);

/** A call without a body. */
type Call = readonly [method: ProviderRequest['method'], path: string];
type Body = Pick<ProviderRequest, 'json' | 'form' | 'headers'>;
type Cancellation = 'cancelled' | 'requested' | 'not_possible';

/** A vendor's API for one job. A path is below the vendor's base, or an address that `isOwn`. */
export class VendorApi {
  readonly #context: ProviderContext;
  readonly #vendor: Vendor;

  constructor(context: ProviderContext, vendor: Vendor) {
    this.#context = context;
    this.#vendor = vendor;
  }

  url(path: string): URL {
    return endpoint(this.#context, this.#vendor.base, path);
  }

  /**
   * The answer, parsed as a success.
   * @throws ProviderError for everything else
   */
  async get<const Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    return this.#successOf(await this.send('GET', path), schema);
  }

  /** @throws ProviderError as `get` does */
  async post<const Schema extends v.GenericSchema>(
    path: string,
    body: Body,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    return this.#successOf(await this.send('POST', path, body), schema);
  }

  /** `tooLate` lists the statuses that mean it is too late. */
  async cancel(
    [method, path]: Call,
    tooLate: readonly number[],
    outcome: (reply: ProviderReply) => Cancellation = () => 'cancelled',
  ): Promise<Cancellation> {
    const reply = await this.send(method, path);
    if (reply.status < 300) return outcome(reply);
    if (tooLate.includes(reply.status)) return 'not_possible';
    throw this.errorOf(reply);
  }

  /** @throws ProviderError when there is no answer */
  async send(method: ProviderRequest['method'], path: string, body: Body = {}): Promise<ProviderReply> {
    const { headers: usual = authorization } = this.#vendor;
    const headers = { ...usual(this.#context), ...body.headers };
    return send({ method, url: this.url(path), ...body, headers }, this.#context);
  }

  /** The error that an unexpected reply means. */
  errorOf(reply: ProviderReply): ProviderError {
    return errorOf(reply, this.#context, this.#vendor.errors);
  }

  #successOf<const Schema extends v.GenericSchema>(
    reply: ProviderReply,
    schema: Schema,
  ): v.InferOutput<Schema> {
    const { status, headers, body } = reply;
    if (status < 200 || status >= 300) throw this.errorOf(reply);
    const parsed = v.safeParse(schema, body);
    if (parsed.success) return parsed.output;
    // Some vendors send an error with a 200.
    const known = this.#vendor.errors(readUpstreamError(body), status, headers);
    if (known !== undefined) throw this.errorOf(reply);
    throw new ProviderError('ambiguous', 'The provider sent an answer that could not be understood');
  }
}
