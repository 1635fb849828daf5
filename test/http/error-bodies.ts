/** The metadata of an error: its type, the address of the explanation, and the fields of this error. */
export const errorMetadata = (error_type: string, more: object = {}) => ({
  error_type,
  docs_url: `/api/v1/docs#error-${error_type}`,
  ...more,
});

export const errorBody = (code: number, error_type: string, message: unknown, more: object = {}) => ({
  error: { code, message, metadata: errorMetadata(error_type, more) },
});
