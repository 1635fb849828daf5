import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { defined } from '../../defined.ts';
import { invalidField } from '../../http/errors.ts';
import { FileApi, type FileApiOptions, outgoingForm } from './file-api.ts';
import type { ProviderFile, ProviderFiles } from './file-provider.ts';

/** This API has no purposes. */
const PURPOSE = 'user_data';

const fileSchema = v.pipe(
  v.object({
    id: v.string(),
    filename: v.string(),
    mime_type: v.string(),
    size_bytes: v.number(),
    created_at: v.string(),
    downloadable: v.optional(v.boolean(), false),
  }),
  v.transform((file): ProviderFile => ({ ...file, purpose: PURPOSE })),
);
const listSchema = v.object({ data: v.array(fileSchema), has_more: v.optional(v.boolean(), false) });
const deletedSchema = v.object({ type: v.literal('file_deleted') });

/** The Anthropic Files API. It is in beta, so requests must ask for it; its lists have an order of their own. */
export function anthropicFiles(options: FileApiOptions): ProviderFiles {
  const api = new FileApi(options, {
    'x-api-key': options.apiKey,
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'files-api-2025-04-14',
  });
  return {
    upload: (file, part) => {
      const form = outgoingForm(file, part, `genway-${randomUUID()}`);
      return api.json(fileSchema, { method: 'POST', form });
    },
    list: async ({ limit, after, ids, scopeId, newestFirst }) => {
      if (newestFirst)
        throw invalidField('order', 'desc is not supported for files at Anthropic; omit this parameter');
      // Without IDs in its query, this API lists all files.
      if (ids?.length === 0) return { files: [], hasMore: false };
      const page = ids === undefined ? { limit: String(limit), after_id: after } : {};
      const query = new URLSearchParams(defined({ ...page, scope_id: scopeId }));
      for (const id of ids ?? []) query.append('ids[]', id);
      const { data, has_more } = await api.json(listSchema, { method: 'GET', query });
      return { files: data, hasMore: has_more };
    },
    find: (id) => api.json(fileSchema, { method: 'GET', id }),
    remove: async (id) => void (await api.json(deletedSchema, { method: 'DELETE', id })),
    content: (id) => api.bytes({ method: 'GET', id, content: true }),
  };
}
