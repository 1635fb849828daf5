import * as v from 'valibot';
import { systemClock } from '../clock.ts';
import { setting } from '../environment.ts';
import { Issuer } from '../keys/issuer.ts';
import { type OidcSettings, oidcSettingsSchema } from '../keys/oidc-settings.ts';
import { log } from '../telemetry/logger.ts';
import { deployedEgress } from './egress.ts';

/** Somebody waits for each of up to three exchanges. */
const DEADLINE_MILLISECONDS = 5_000;

const variable = v.pipe(v.string(), v.parseJson(), v.nullable(oidcSettingsSchema));

/** The identity provider that the stage's settings name; null where they name none. */
export function deployedIssuer(): { readonly settings: OidcSettings; readonly issuer: Issuer } | null {
  const settings = setting('oidc', variable);
  if (settings === null) return null;
  const ports = { fetch: deployedEgress(DEADLINE_MILLISECONDS), now: systemClock, log };
  return { settings, issuer: new Issuer(settings, ports) };
}
