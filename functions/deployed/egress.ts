import { createEgress } from '../egress/egress-fetch.ts';
import { parseAllowedHosts } from '../egress/url-policy.ts';
import { setting } from '../environment.ts';

/** The way out to hosts that the stage allows, with a limit for each exchange. */
export const deployedEgress = (deadlineMilliseconds: number): typeof fetch =>
  createEgress({ allowed: parseAllowedHosts(setting('privateHosts')), deadlineMilliseconds });
