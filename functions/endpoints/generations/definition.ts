import { contentAnswerSchema } from '../../generations/content.ts';
import { generationQuery } from '../../generations/generation.ts';
import { generationAnswerSchema } from '../../generations/shown-generation.ts';
import { keyed, managed, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'get-generation': keyed('GET', '/generation', 'read', 'read'),
  'get-generation-content': { ...managed('GET', '/generation/content', 'content'), recorded: true },
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () =>
  ({
    'get-generation': {
      tag: 'Reports',
      summary: 'Get a generation',
      description:
        'Returns the status of a generation and, once it has ended, its times and cost. A job gets its `generation_id` when a provider accepts it. API keys see the generations of their workspace.',
      query: generationQuery,
      answers: { 200: { says: 'The generation.', body: generationAnswerSchema } },
      refuses: [404],
    },
    'get-generation-content': {
      tag: 'Reports',
      summary: 'Get a generation’s log',
      description:
        'Returns the logged input and output of a generation. Whether Genway logs a generation depends on the settings of the workspace when the job ends: `is_observability_io_logging_enabled`, `io_logging_api_key_ids` and `io_logging_sampling_rate`. The log appears a few seconds after the end of the job. It expires after the number of days in `generationLogDays`, a setting of the deployment.',
      query: generationQuery,
      answers: { 200: { says: 'The log.', body: contentAnswerSchema } },
      refuses: [404],
    },
  }) as const satisfies Operations<typeof routes>;
