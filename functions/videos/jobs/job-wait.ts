import * as v from 'valibot';

/**
 * What a job waits for before a provider has it. `provider_paused`: the provider has not answered for a while and is
 * left alone. `provider_busy`: as many calls to it are under way as may be. `rate_limit`: it asked for slower submits.
 * `provider_unavailable`: it could not take the job. `confirmation`: it is asked whether it has the job. `input`: an
 * input could not be read.
 */
export const WAIT_REASONS = [
  'provider_paused',
  'provider_busy',
  'rate_limit',
  'provider_unavailable',
  'confirmation',
  'input',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

export const waitSchema = v.object({ reason: v.picklist(WAIT_REASONS), until: v.string() });
