export const NO_EDGE_THERE =
  'region: GovCloud has no CloudFront, and in China its own names serve nothing, so edge must be "none"';

/** Downloads have no other name than CloudFront's own. */
export const canHaveEdge = (region: string): boolean => !/^(cn|us-gov)-/.test(region);
