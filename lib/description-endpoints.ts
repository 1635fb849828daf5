/** The description of the API. The bundles of its functions contain what they serve, so they need no capabilities. */
export const descriptionEndpoints = () => ({
  'get-openapi-json': [],
  'get-openapi-yaml': [],
  'get-docs': [],
  'get-docs-asset': [],
});
