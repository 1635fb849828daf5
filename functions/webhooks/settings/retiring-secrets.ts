import * as v from 'valibot';

/** How many secrets of a workspace sign at once, the newest included: each makes the header of every delivery longer. */
export const MOST_SECRETS = 5;

/** A secret that has been replaced, and signs beside newer ones until its time. */
export const retiringSecretSchema = v.object({
  version: v.number(),
  /** In milliseconds since the epoch, as it was told when the secret was replaced. */
  until: v.number(),
  /** Of the rotation that made the secret. */
  token: v.exactOptional(v.string()),
});
export type RetiringSecret = Readonly<v.InferOutput<typeof retiringSecretSchema>>;

/** Those that sign at this time, in the same order. */
export const signingAt = (now: Date, secrets: readonly RetiringSecret[]): RetiringSecret[] =>
  secrets.filter(({ until }) => now.getTime() < until);
