/** The provider keys table's index over the keys of a workspace, oldest first. */
export const PROVIDER_KEYS_BY_WORKSPACE = 'by-workspace';
