import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import * as v from 'valibot';
import { ProviderUnavailable, Unauthenticated } from '../http/errors.ts';
import type { Log } from '../telemetry/log.ts';
import { readBody } from '../upstream/reply.ts';
import type { Claims, OidcSettings } from './oidc-settings.ts';

/** Those that sign with a private key. An HMAC's key would be the client's id or secret, which others know. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** How far the issuer's clock may be from ours. */
const CLOCK_SECONDS = 60;
/** A token is made for one sign-in, and comes at once. */
const OLDEST_SECONDS = 300;
const REMEMBERED_MILLISECONDS = 10 * 60_000;
/** Anybody may ask where people sign in, and would wait for an issuer that does not answer. */
const PAUSE_MILLISECONDS = 10_000;

const documentSchema = v.object({
  issuer: v.string(),
  authorization_endpoint: v.pipe(v.string(), v.url()),
  token_endpoint: v.pipe(v.string(), v.url()),
  jwks_uri: v.pipe(v.string(), v.url()),
});
type IssuerDocument = v.InferOutput<typeof documentSchema>;

const tokensSchema = v.object({ id_token: v.pipe(v.string(), v.maxLength(16_384)) });

/** What a browser brings back from the issuer, and what it kept meanwhile. */
export interface SignInProof {
  readonly code: string;
  readonly code_verifier: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

interface IssuerPorts {
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  readonly log: Log;
}

/** One answer for all that can be wrong with a sign-in. The log has the reason. */
export const refusedSignIn = () => new Unauthenticated('The sign-in was not accepted; sign in again');
const unavailable = (cause?: unknown) =>
  new ProviderUnavailable('The identity provider gave no usable response; try again later', { cause });

/** The identity provider that the stage's settings name. */
export class Issuer {
  readonly #settings: OidcSettings;
  readonly #ports: IssuerPorts;
  #known:
    | { document: IssuerDocument; keys: ReturnType<typeof createRemoteJWKSet>; until: number }
    | undefined;
  #pausedUntil = 0;

  constructor(settings: OidcSettings, ports: IssuerPorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  /** What its discovery document says. @throws ProviderUnavailable */
  async document(): Promise<IssuerDocument> {
    return (await this.#discover()).document;
  }

  /**
   * Exchanges a code for an ID token, and verifies it.
   * @throws Unauthenticated, ProviderUnavailable
   */
  async claimsOf({ code, code_verifier, nonce, redirectUri }: SignInProof): Promise<Claims> {
    const { document, keys } = await this.#discover();
    const form = {
      grant_type: 'authorization_code',
      client_id: this.#settings.clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier,
    };
    const answer = await this.#ask(document.token_endpoint, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const tokens = v.safeParse(tokensSchema, await readBody(answer));
    if (answer.status >= 500) throw unavailable();
    if (!answer.ok) throw this.#refuse(`the token endpoint returned ${answer.status}`);
    if (!tokens.success) throw this.#refuse('the token endpoint returned no usable id_token');
    return this.#verify(tokens.output.id_token, nonce, keys);
  }

  async #verify(token: string, nonce: string, keys: ReturnType<typeof createRemoteJWKSet>): Promise<Claims> {
    const { issuer, clientId } = this.#settings;
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ALGORITHMS,
        issuer,
        audience: clientId,
        requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
        clockTolerance: CLOCK_SECONDS,
        maxTokenAge: OLDEST_SECONDS,
        currentDate: this.#ports.now(),
      });
      const { sub, aud, azp } = payload;
      if (payload.nonce !== nonce) throw this.#refuse('another nonce');
      // OpenID Connect Core 1.0 §3.1.3.7: of several audiences, azp names the one that asked.
      if (Array.isArray(aud) && aud.length > 1 && azp === undefined)
        throw this.#refuse('azp is missing, although aud has more than one audience');
      if (azp !== undefined && azp !== clientId) throw this.#refuse('azp is not the client ID');
      if (typeof sub !== 'string' || sub === '' || sub.length > 255) throw this.#refuse('no subject');
      return { ...payload, sub };
    } catch (error) {
      if (error instanceof Unauthenticated || error instanceof ProviderUnavailable) throw error;
      // The message and the claims of the library's errors may be a person's, so only its code is logged.
      const isKeySet = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid;
      if (error instanceof errors.JOSEError && !isKeySet) throw this.#refuse(error.code);
      throw unavailable(error);
    }
  }

  #refuse(reason: string): Unauthenticated {
    this.#ports.log.warn('sign-in not accepted', { reason });
    return refusedSignIn();
  }

  async #discover() {
    const now = this.#ports.now().getTime();
    if (this.#known !== undefined && this.#known.until > now) return this.#known;
    if (now < this.#pausedUntil) throw unavailable();
    try {
      const document = await this.#readDocument();
      const keys = createRemoteJWKSet(new URL(document.jwks_uri), {
        [customFetch]: (address, { signal }) => this.#bounded(address, signal),
      });
      this.#known = { document, keys, until: now + REMEMBERED_MILLISECONDS };
      return this.#known;
    } catch (error) {
      this.#pausedUntil = this.#ports.now().getTime() + PAUSE_MILLISECONDS;
      throw error;
    }
  }

  async #readDocument(): Promise<IssuerDocument> {
    const { issuer } = this.#settings;
    const answer = await this.#ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const read = v.safeParse(documentSchema, await readBody(answer));
    // OpenID Connect Discovery 1.0 §4.3: it must be the very same.
    if (!answer.ok || !read.success || read.output.issuer !== issuer) throw unavailable();
    // The browser goes where this says, and `javascript:` is a URL too.
    const { protocol } = new URL(issuer);
    if (new URL(read.output.authorization_endpoint).protocol !== protocol) throw unavailable();
    return read.output;
  }

  /** The library reads an answer to its end, however long that is. */
  async #bounded(address: string, signal: AbortSignal): Promise<Response> {
    const answer = await this.#ask(address, { signal });
    if (!answer.ok) throw unavailable();
    return Response.json((await readBody(answer)) ?? null);
  }

  async #ask(address: string, init: RequestInit = {}): Promise<Response> {
    try {
      return await this.#ports.fetch(address, { ...init, headers: { accept: 'application/json' } });
    } catch (error) {
      throw unavailable(error);
    }
  }
}
