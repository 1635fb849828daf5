import type * as v from 'valibot';
import type { HeaderName } from './headers.ts';

export const TAGS = {
  Files: 'Upload files, and read, list and delete them. Jobs name them as inputs.',
  Videos: 'Submit a video, wait for it, download it.',
  Endpoints: 'Which models there are, at which providers and at which prices. For management keys.',
  Workspaces: 'Where files, jobs and keys belong, with their settings. For management keys.',
  Budgets: 'What a workspace may spend in a day, a week, a month and for ever. For management keys.',
  Guardrails: 'What a workspace allows: models, providers, an amount. For management keys.',
  Webhooks: 'Where the ends of jobs are told, and what became of each delivery. For management keys.',
  Broadcast: 'A trace of each generation, for an OpenTelemetry collector. For management keys.',
  Keys: 'Keys for this API. For management keys, but for `GET /key`.',
  'Provider keys': 'Keys of your own at providers, kept encrypted. For management keys.',
  Credits: 'What the whole deployment may spend. For management keys.',
  Reports: 'What jobs were and cost, and who changed what. For management keys, but for `GET /generation`.',
  Description: 'This description, and the page made of it.',
} as const;
export type Tag = keyof typeof TAGS;

export type SuccessStatus = 200 | 201 | 202 | 302;
export type RefusalStatus = 400 | 401 | 402 | 403 | 404 | 409 | 410 | 413 | 429 | 500 | 502 | 503;

export interface SuccessResponse {
  readonly says: string;
  /** The schema of the body, or one for each media type. Absent where there is no body. */
  readonly body?: v.GenericSchema | Readonly<Record<string, v.GenericSchema>>;
  /** Beyond those that follow from the route. */
  readonly headers?: readonly HeaderName[];
}

/** Where an operation takes something else from OpenAI's clients, or answers them something else, than for everybody. */
export interface OpenaiOperation {
  /** By media type. */
  readonly body?: Readonly<Record<string, v.GenericSchema>>;
  readonly answers: Readonly<Partial<Record<SuccessStatus, v.GenericSchema>>>;
}

/** What a route takes and answers, beyond what its row in `routes` says already. */
export interface Operation {
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly query?: v.ObjectEntries;
  /** Headers that mean something to it alone. */
  readonly headers?: v.ObjectEntries;
  /** Whether it takes an `Idempotency-Key`. */
  readonly idempotencyKey?: 'optional' | 'required';
  readonly body?: v.GenericSchema;
  /** A form of `multipart/form-data` in place of a body of JSON. */
  readonly form?: v.GenericSchema;
  readonly answers: Readonly<Partial<Record<SuccessStatus, SuccessResponse>>>;
  /** Absent where OpenAI's clients get the same answer as everybody. */
  readonly openai?: OpenaiOperation;
  /** Beyond those that follow from the route, its query and its body; see `refusals.ts`. */
  readonly refuses?: readonly RefusalStatus[];
}

/** An operation for each route of an area. */
export type Operations<Routes> = Readonly<Record<keyof Routes, Operation>>;
