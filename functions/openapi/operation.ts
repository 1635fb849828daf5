import type * as v from 'valibot';
import type { HeaderName } from './headers.ts';

export const TAGS = {
  Files: 'Upload, list, download and delete files, such as inputs for videos.',
  Videos: 'Create videos, follow their progress and download the results.',
  Models: 'Models, endpoints and providers, in the format of OpenRouter’s API.',
  Endpoints:
    'The endpoints of the catalogue, with their prices and capabilities. Requires a management key that is not limited to specific workspaces.',
  Workspaces:
    'A workspace owns files, jobs and keys, and has settings that apply to them. Requires a management key.',
  Budgets: 'Daily, weekly, monthly and lifetime spending limits for a workspace. Requires a management key.',
  Guardrails:
    'Rules for the models, providers and spending of a workspace or a key. Requires a management key.',
  Webhooks:
    'Notify your systems when jobs end, and inspect the deliveries. Requires a management key, except for the list of public webhook keys, which requires no key.',
  Broadcast: 'Send traces of jobs to an OpenTelemetry collector or a webhook. Requires a management key.',
  Keys: 'API keys and management keys. Requires a management key, except for `GET /key`, which accepts any key.',
  Approvals:
    'Changes that a second management key must approve, if the deployment requires it. Requires a management key.',
  Sessions: 'Short-lived access for the console, on behalf of a key.',
  'Provider keys': 'Your own provider keys, stored encrypted. Requires a management key.',
  Credits:
    'Spending limit of the whole deployment. Requires a management key that is not limited to specific workspaces.',
  Reports:
    'Generations, activity, costs and audit events. `GET /generation` accepts any key, and `GET /generation/content` any management key. The other operations require a management key that is not limited to specific workspaces.',
  Description: 'This reference, as an OpenAPI document and as a web page.',
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
  /** Parameters of its path that mean something else than in other paths. */
  readonly path?: v.ObjectEntries;
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
