import * as v from 'valibot';

/**
 * What one caller may take of what all callers share. Without these numbers whoever comes first could take all of it.
 * docs/fair-shares.md lists them with the settings of the stage, and says what they add up to.
 */

/** How many uploads one server takes at once: ten at once take some 220 MB, and a task has 512. */
export const UPLOAD_PLACES = 12;

/** A workspace's keys have a quarter of the places, so that three busy ones still leave room for a fourth. */
export const placesOfWorkspace = (places: number): number => Math.max(1, Math.floor(places / 4));

const KIBIBYTE = 1024;

/** How fast an upload must be on the whole, once it has had time to begin. */
export interface Pace {
  readonly bytesPerSecond: number;
  readonly graceMilliseconds: number;
  /** How often the pace is checked. */
  readonly checkMilliseconds: number;
}

/** A tenth of the pace at which 100 MiB take the 15 minutes of a request; a phone on a bad day is faster. */
export const UPLOAD_PACE: Pace = {
  bytesPerSecond: 16 * KIBIBYTE,
  graceMilliseconds: 10_000,
  checkMilliseconds: 1_000,
};

/** How much of an unwanted body is still read, and for how long, so that its sender gets to read our answer. */
export interface DrainLimits {
  readonly bytes: number;
  readonly milliseconds: number;
}

export const DRAIN = {
  /** For a caller whose key was accepted: a client that is sending a large file sees why it was refused. */
  known: { bytes: 64 * KIBIBYTE ** 2, milliseconds: 15_000 },
  /** For anybody else: about as much as may be on its way already. */
  unknown: { bytes: 64 * KIBIBYTE, milliseconds: 2_000 },
} satisfies Record<string, DrainLimits>;

/** How many 401s a minute one address gets from a server, and how many addresses the server counts. */
export const UNAUTHENTICATED = { perMinute: 120, addresses: 10_000 };

/** How many sign-ins with the identity provider one address may try in a minute: each asks the provider. */
export const SIGN_INS_PER_MINUTE = 20;

/**
 * How long the addresses of a job's inputs may take together, where the provider wants the bytes: a caller's slow server
 * occupies a submitter for as long, and the submits of others wait. 16 MiB take as long at 17 Mbit/s.
 */
export const INPUT_MILLISECONDS = 8_000;

/** How many workers of a kind there are. */
export const workersVariable = v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(1));

/**
 * How many of the submitters one workspace may occupy at once, or of the copiers with results that take long: two
 * workspaces whose work is slow leave a fifth to the others. 60 submits a minute of 19 s each occupy 19 of 50.
 */
export const workersOfWorkspace = (workers: number): number => Math.max(1, Math.floor((workers * 2) / 5));

/**
 * Calls at once of one function instance to one provider; a stage's total is this times its number of workers. A batch has
 * as many messages, so that none waits for another. Submits may hold images in memory, and take longer.
 */
export const MOST_CALLS_AT_ONCE = { submit: 6, poll: 10 };

/** How many of the copiers the slow results of one provider may occupy, whosever they are. */
export const workersOfProvider = (workers: number): number => Math.max(1, Math.floor((workers * 4) / 5));

/**
 * A copier works on one result only, for 13 minutes at most. Most results take seconds. One that has taken this long
 * goes on if the shares of its workspace and its provider have room, and otherwise rests.
 */
export const LONG_COPY = { afterMilliseconds: 10_000, restSeconds: 300 };

/**
 * How fast a result must come whose length is unknown; one whose length is known must arrive before its copier's time
 * is over. One that is too slow occupies a copier for a sixth of the time.
 */
export const RESULT_PACE = { bytesPerSecond: 16 * KIBIBYTE, graceMilliseconds: 60_000, restSeconds: 300 };

/** How many polls a minute a workspace may have held until a job changes: each occupies a function for up to 20 s. */
export const HELD_POLLS = 60;

/** Deliveries that a workspace asks for beyond those of its jobs, in requests a minute. */
export const EXTRA_DELIVERIES = {
  /** Each sends one event. */
  redeliver: 60,
  /** Each sends up to 250 events. */
  recover: 6,
};
