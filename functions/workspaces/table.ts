/** The workspaces table's index that lists every workspace, oldest first. */
export const WORKSPACES_BY_CREATION = 'by-creation';
