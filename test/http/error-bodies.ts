/** All the metadata of an error: the word for it, where that is explained, and what this error adds. */
export const errorMetadata = (error_type: string, more: object = {}) => ({
  error_type,
  docs_url: `/api/v1/docs#error-${error_type}`,
  ...more,
});

/** The whole body of an error. */
export const errorBody = (code: number, error_type: string, message: unknown, more: object = {}) => ({
  error: { code, message, metadata: errorMetadata(error_type, more) },
});
