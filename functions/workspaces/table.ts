/** The workspaces table's index that lists every workspace, oldest first. */
export const WORKSPACES_BY_CREATION = 'by-creation';

/** The attribute by which the index lists workspaces, apart from those that are being removed. */
export const WORKSPACE_LISTING = 'workspace';
export const REMOVAL_LISTING = 'removal';

export const workspaceKey = (id: string) => `WORKSPACE#${id}`;
export const slugKey = (slug: string) => `SLUG#${slug}`;
