/** The description of the API. Its functions have what they serve beside them, and need nothing. */
export const descriptionEndpoints = () => ({
  'get-openapi-json': [],
  'get-openapi-yaml': [],
  'get-docs': [],
  'get-docs-asset': [],
});
