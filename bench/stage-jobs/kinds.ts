import { findOffer } from '../../functions/videos/catalogue/catalogue.ts';
import { SANDBOX_FAILURES, type SandboxFailure } from './sandbox-failures.ts';

const MODEL = 'sandbox/clip-1';
const BRIEF_MODEL = 'sandbox/clip-1-brief';
/** The estimate of a clip of one second. */
const ESTIMATE = 10_000;

/** What a job asks of the sandbox, and how it must end. */
export interface Kind extends SandboxFailure {
  readonly model: string;
  readonly costMicros: number;
}

const SOUND = kind({ name: 'no fault', directives: {}, status: 'completed' });
const FAULTS = SANDBOX_FAILURES.map(kind);

function kind(failure: SandboxFailure): Kind {
  const isEndless = failure.directives.outcome === 'garbage_status';
  const costMicros = failure.status === 'completed' ? ESTIMATE : 0;
  return { ...failure, model: isEndless ? BRIEF_MODEL : MODEL, costMicros };
}

/** The kind of each job: every tenth is one of the faults, in turn. */
export const kindsOf = (jobs: number): Kind[] =>
  Array.from({ length: jobs }, (_, i) => (i % 10 === 9 ? faultOf(Math.floor(i / 10)) : SOUND));

const faultOf = (number: number): Kind => FAULTS[number % FAULTS.length] ?? SOUND;

/** A copy of the sandbox's model, with a deadline that is short enough to wait for. */
export function briefModel(deadlineSeconds: number) {
  return { ...findOffer(MODEL), id: BRIEF_MODEL, deadline_seconds: deadlineSeconds };
}
