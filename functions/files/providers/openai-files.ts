import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { defined } from '../../defined.ts';
import { invalidField } from '../../http/errors.ts';
import { FileApi, type FileApiOptions, outgoingForm } from './file-api.ts';
import type { ProviderFile, ProviderFiles } from './file-provider.ts';

/** JavaScript has no later dates. */
const LATEST_SECOND = 8_640_000_000_000;

/** This API has no media types, so its files are shown only in its own shape, which has none either. */
const fileSchema = v.pipe(
  v.object({
    id: v.string(),
    bytes: v.number(),
    created_at: v.pipe(v.number(), v.minValue(0), v.maxValue(LATEST_SECOND)),
    filename: v.string(),
    purpose: v.string(),
  }),
  v.transform(
    ({ bytes, created_at, ...file }): ProviderFile => ({
      ...file,
      mime_type: 'application/octet-stream',
      size_bytes: bytes,
      created_at: new Date(created_at * 1000).toISOString(),
      downloadable: false,
    }),
  ),
);
const listSchema = v.object({ data: v.array(fileSchema), has_more: v.optional(v.boolean(), false) });
const deletedSchema = v.object({ deleted: v.literal(true) });

/** The OpenAI Files API. */
export function openaiFiles(options: FileApiOptions): ProviderFiles {
  const api = new FileApi(options, { authorization: `Bearer ${options.apiKey}` });
  return {
    upload: (file, part) => {
      const form = outgoingForm(file, part, `genway-${randomUUID()}`, (purpose) => ({ purpose }));
      return api.json(fileSchema, { method: 'POST', form });
    },
    list: async ({ limit, after, purpose, ids, scopeId, newestFirst }) => {
      if (ids !== undefined)
        throw invalidField(
          'ids[]',
          'OpenAI does not support listing files by their IDs; get each file by its ID',
        );
      if (scopeId !== undefined)
        throw invalidField('scope_id', 'files at OpenAI have no scope; omit scope_id');
      const order = newestFirst ? 'desc' : 'asc';
      const query = new URLSearchParams(defined({ limit: String(limit), order, after, purpose }));
      const { data, has_more } = await api.json(listSchema, { method: 'GET', query });
      return { files: data, hasMore: has_more };
    },
    find: (id) => api.json(fileSchema, { method: 'GET', id }),
    remove: async (id) => void (await api.json(deletedSchema, { method: 'DELETE', id })),
    content: (id) => api.bytes({ method: 'GET', id, content: true }),
  };
}
