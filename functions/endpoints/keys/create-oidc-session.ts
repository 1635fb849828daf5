import { randomBytes } from 'node:crypto';
import { noteChange } from '../../audit/changed-fields.ts';
import { systemClock } from '../../clock.ts';
import { publicHandler, rateLimiter, recorder } from '../../deployed/gate.ts';
import { deployedIssuer } from '../../deployed/issuer.ts';
import { keyBeginnings, keyStore, sessionStore } from '../../deployed/stores.ts';
import { SIGN_INS_PER_MINUTE } from '../../fair-shares.ts';
import { principalOf } from '../../gate/authentication.ts';
import { assertPermitted } from '../../gate/permission.ts';
import { jsonBody } from '../../http/call.ts';
import { NotFound } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { refusedSignIn } from '../../keys/issuer.ts';
import { oidcSignInSchema, scopeOfClaims } from '../../keys/oidc-settings.ts';
import { ensurePerson, keyOfPerson } from '../../keys/people.ts';
import { AUDITED_OF_SESSIONS, describeSession, issueSession } from '../../keys/sessions.ts';
import { routes } from './definition.ts';

/** Far longer than an ID token is accepted. */
const NONCE_MILLISECONDS = 24 * 60 * 60_000;

const deployed = deployedIssuer();
const limiter = rateLimiter();
const sessions = sessionStore();
const people = { keys: keyStore(), lives: keyBeginnings() };
const record = recorder(routes['create-oidc-session']);

export const handler = publicHandler(routes['create-oidc-session'], async (call) => {
  if (deployed === null) throw new NotFound('This deployment has no identity provider; sign in with a key');
  const { settings, issuer } = deployed;
  await limiter.takeOfAddress(call.address, 'sign-in', SIGN_INS_PER_MINUTE);
  const proof = jsonBody(call, oidcSignInSchema);
  const claims = await issuer.claimsOf({ ...proof, redirectUri: `${call.publicUrl}/console` });
  const now = systemClock();
  const isFirst = await sessions.useUp(proof.nonce, new Date(now.getTime() + NONCE_MILLISECONDS));
  if (!isFirst) throw refusedSignIn();
  const scope = scopeOfClaims(claims, settings);
  assertPermitted({ scope, session: { subject: claims.sub } }, routes['create-session'], call.address);
  const key = await ensurePerson(keyOfPerson(claims, settings.issuer, now), people);
  const person = { subject: claims.sub, scope };
  const { token, stored } = issueSession(
    { keyHash: key.hash, endsAt: key.expires_at, person },
    now,
    randomBytes,
  );
  const principal = principalOf(key, stored);
  // Which fields a sign-in has is no news, and its code is a secret.
  const recordedCall = { ...call, body: new Uint8Array(), principal, changes: [] };
  return record(recordedCall, async () => {
    await sessions.insert(stored);
    noteChange(recordedCall, AUDITED_OF_SESSIONS, undefined, stored);
    return { ...json(201, { data: describeSession(stored), token }), made: stored.hash };
  });
});
