import * as v from 'valibot';
import type { WebhookEvent } from '../webhooks/events/event.ts';

/** What a trace tells of a generation, taken from the event of its end. The prompt is not part of it. */
const generationSchema = v.object({
  id: v.string(),
  workspace_id: v.string(),
  status: v.string(),
  model: v.string(),
  provider: v.optional(v.string()),
  generation_id: v.optional(v.string()),
  created_at: v.string(),
  completed_at: v.optional(v.string()),
  estimated_cost: v.number(),
  usage: v.optional(v.object({ cost: v.number(), is_byok: v.boolean() })),
  error_details: v.optional(v.object({ type: v.string() })),
});
export type EndedGeneration = Readonly<v.InferOutput<typeof generationSchema>> & {
  readonly ended_at: string;
};

const eventSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ timestamp: v.string(), data: generationSchema }),
  v.transform(
    ({ timestamp, data }): EndedGeneration => ({ ...data, ended_at: data.completed_at ?? timestamp }),
  ),
);

export const generationOf = ({ body }: Pick<WebhookEvent, 'body'>): EndedGeneration =>
  v.parse(eventSchema, body);
