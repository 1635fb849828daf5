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
      summary: 'Read what a generation was and cost',
      description:
        'By the `generation_id` of a job, for the keys of its workspace too. A job has one from when a provider takes it.',
      query: generationQuery,
      answers: { 200: { says: 'The generation, also while it runs.', body: generationAnswerSchema } },
      refuses: [404],
    },
    'get-generation-content': {
      tag: 'Reports',
      summary: 'Read what was logged of a generation',
      description:
        'What went in and came out, where the job’s workspace logs that (`is_observability_io_logging_enabled`) and the log is still kept. It is there some seconds after the job’s end.',
      query: generationQuery,
      answers: { 200: { says: 'What was logged.', body: contentAnswerSchema } },
      refuses: [404],
    },
  }) as const satisfies Operations<typeof routes>;
